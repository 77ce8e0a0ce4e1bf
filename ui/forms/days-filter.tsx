import { IconCalendar, IconChevronDown } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/forms/button.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { submitHandler } from '#ui/forms/form-state.ts'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'
import { daysBefore, shortDay, shortRange } from '#ui/text/days.ts'
import './days-filter.css'

interface Days {
  from: string | undefined
  to: string | undefined
}

interface DaysProps extends Days {
  /** Returns the current day. */
  today: () => string
  /** Which days these are, if they are not those of the firm's zone. */
  note?: ReactNode
  onDays: (days: Days) => void
}

/** A filter by a range of dates; both may be empty. */
export function DaysFilter({ from, to, onDays, ...rest }: DaysProps) {
  const { t, i18n } = useLingui()
  const { locale } = i18n
  const shown =
    from !== undefined && to !== undefined && from <= to
      ? shortRange(from, to, locale)
      : from !== undefined
        ? t`From ${shortDay(from, locale)}`
        : to !== undefined
          ? t`Until ${shortDay(to, locale)}`
          : t`Any day`
  return (
    <PopoverButton
      name={t`Days: ${shown}`}
      look="history-days"
      face={
        <>
          <IconCalendar className="small" aria-hidden="true" />
          <span className="numbers">{shown}</span>
          <IconChevronDown className="small" aria-hidden="true" />
        </>
      }
    >
      {(close) => (
        <DaysForm
          from={from}
          to={to}
          {...rest}
          onDays={(days) => {
            onDays(days)
            close()
          }}
        />
      )}
    </PopoverButton>
  )
}

function DaysForm({ from, to, today, note, onDays }: DaysProps) {
  const { t } = useLingui()
  const now = today()
  const [days, setDays] = useState<{ from: string | null; to: string | null }>({ from: from ?? '', to: to ?? '' })
  const [tried, setTried] = useState(false)
  const spans = [
    { name: t`Last 30 days`, from: daysBefore(now, 29) },
    { name: t`Last 90 days`, from: daysBefore(now, 89) },
    { name: t`This year`, from: `${now.slice(0, 4)}-01-01` },
  ]
  const isReversed = Boolean(days.from && days.to && days.from > days.to)
  const apply = () => {
    if (days.from === null || days.to === null || isReversed) setTried(true)
    else onDays({ from: days.from || undefined, to: days.to || undefined })
  }
  const write = (change: Partial<typeof days>) => {
    setTried(false)
    setDays({ ...days, ...change })
  }
  const missing = t`Enter day, month and year.`
  return (
    <form noValidate className="history-days-form" onSubmit={submitHandler(apply)}>
      <div className="row wrap">
        {spans.map((span) => (
          <Button key={span.name} size="small" onClick={() => onDays({ from: span.from, to: now })}>
            {span.name}
          </Button>
        ))}
      </div>
      <div className="columns-2 pair">
        <DatePicker
          label={t`First day`}
          value={days.from}
          error={tried && days.from === null && missing}
          onDay={(day) => write({ from: day })}
        />
        <DatePicker
          label={t`Last day`}
          value={days.to}
          error={tried && (isReversed ? t`The last day is before the first.` : days.to === null && missing)}
          onDay={(day) => write({ to: day })}
        />
      </div>
      {note && <p className="muted size-13">{note}</p>}
      <div className="row between">
        <Button kind="quiet" size="small" onClick={() => onDays({ from: undefined, to: undefined })}>
          <Trans>Any day</Trans>
        </Button>
        <Button kind="primary" size="small" type="submit">{t`Show`}</Button>
      </div>
    </form>
  )
}
