import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { BareDatePicker } from './date-picker.tsx'

interface Days {
  readonly from: string
  readonly to: string
}

interface DateRangeProps extends Days {
  /** Called as soon as both are dates or empty, and in order. */
  onDays: (days: { from: string; to: string }) => void
  /** The name of both. */
  label: string
  /** Whether the label is visible, if a list has several times. */
  shown?: boolean
  /** Neither may be empty. */
  required?: boolean
}

/** A range of dates, both included, in a row of filters. */
export function DateRange({ from, to, onDays, label, shown, required }: DateRangeProps) {
  const { t } = useLingui()
  const [days, setDays] = useState<Days>({ from, to })
  const [known, setKnown] = useState<Days>({ from, to })
  if (known.from !== from || known.to !== to) {
    setKnown({ from, to })
    setDays({ from, to })
  }
  const write = (change: Partial<Days>) => {
    const next = { ...days, ...change }
    setDays(next)
    if (inOrder(next)) onDays(next)
  }
  return (
    <div className="day-range" role="group" aria-label={label}>
      {shown && <span className="size-14">{label}</span>}
      <BareDatePicker
        label={t`First day`}
        value={days.from}
        required={required}
        onDay={(day) => day !== null && write({ from: day })}
      />
      <span aria-hidden="true">–</span>
      <BareDatePicker
        label={t`Last day`}
        value={days.to}
        required={required}
        onDay={(day) => day !== null && write({ to: day })}
        error={inOrder(days) ? undefined : t`The last day is before the first.`}
      />
    </div>
  )
}

function inOrder({ from, to }: Days): boolean {
  return from === '' || to === '' || from <= to
}
