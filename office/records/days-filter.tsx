import { IconCalendar } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { dayIn, isoDay } from '#rules/dates.ts'
import { Button } from '#ui/forms/button.tsx'
import { DateRange } from '#ui/forms/date-range.tsx'
import { MonthGrid } from '#ui/forms/month-grid.tsx'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { useStaff } from '../session.ts'
import { type Days, periods, type PeriodName } from './days.ts'
import './saved-views.css'

export interface DayRange extends Days {
  /** The selected period; '' for two dates, or none. */
  readonly days: PeriodName | ''
}

interface DaysFilterProps {
  asked: DayRange
  onDays: (asked: DayRange) => void
  /** The event to which the days refer, if the list shows several times. */
  label?: string | undefined
}

const anyDay: DayRange = { days: '', from: '', to: '' }

/** A period, or two days of the firm's time zone, chosen or typed, both included. */
export function DaysFilter({ asked, onDays, label }: DaysFilterProps) {
  const { t } = useLingui()
  const words = useDaysFilterText(asked)
  const name = label ?? t`Days`
  return (
    <PopoverButton
      name={words ? `${name}: ${words}` : name}
      look="button outline small"
      face={
        <>
          <IconCalendar className="small" aria-hidden="true" />
          {words ? (label ? `${label}: ${words}` : words) : name}
        </>
      }
    >
      {(close) => (
        <DaysForm
          asked={asked}
          onDays={onDays}
          onPeriod={(next) => {
            close()
            onDays(next)
          }}
        />
      )}
    </PopoverButton>
  )
}

function usePeriodLabels(): Readonly<Record<PeriodName, string>> {
  const { t } = useLingui()
  return {
    today: t`Today`,
    yesterday: t`Yesterday`,
    '7-days': t`Last 7 days`,
    '30-days': t`Last 30 days`,
    month: t`This month`,
    'last-month': t`Last month`,
    year: t`This year`,
  }
}

function useDaysFilterText({ days, from, to }: DayRange): string {
  const { t, i18n } = useLingui()
  const words = usePeriodLabels()
  const day = (one: string) => calendarDayText(one, i18n.locale)
  if (days !== '') return words[days]
  if (from !== '' && to !== '') return from === to ? day(from) : `${day(from)} – ${day(to)}`
  if (from !== '') return t`from ${day(from)}`
  return to === '' ? '' : t`until ${day(to)}`
}

interface DaysFormProps {
  asked: DayRange
  onDays: (asked: DayRange) => void
  onPeriod: (asked: DayRange) => void
}

function DaysForm({ asked, onDays, onPeriod }: DaysFormProps) {
  const { t } = useLingui()
  const { firm } = useStaff()
  const words = usePeriodLabels()
  const { from, to } = asked
  // The first click begins a range, the second ends it.
  const choose = (day: string) => {
    const begins = asked.days !== '' || from === '' || from !== to
    if (begins) onDays({ days: '', from: day, to: day })
    else onDays({ days: '', from: day < from ? day : from, to: day < from ? from : day })
  }
  return (
    <>
      <div className="row wrap" role="group" aria-label={t`Period`}>
        {periods.map((days) => (
          <button
            key={days}
            type="button"
            className="chip"
            aria-pressed={asked.days === days}
            onClick={() => onPeriod({ ...anyDay, days })}
          >
            {words[days]}
          </button>
        ))}
      </div>
      <MonthGrid from={from} to={to} today={isoDay(dayIn(new Date(), firm.timeZone))} onDay={choose} />
      <DateRange from={from} to={to} label={t`Days`} onDays={(days) => onDays({ days: '', ...days })} />
      <div className="row">
        <Button size="small" onClick={() => onPeriod(anyDay)}>{t`Any day`}</Button>
      </div>
    </>
  )
}
