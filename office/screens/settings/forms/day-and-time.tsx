import { useLingui } from '@lingui/react/macro'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useStaff } from '../../../session.ts'

interface DayAndTimeProps {
  label: string
  /** As "YYYY-MM-DD"; empty if there is none. */
  day: string
  /** As typed. */
  time: string
  onChange: (day: string, time: string) => void
}

/** A day and a time in the firm's time zone, side by side. */
export function DayAndTime({ label, day, time, onChange }: DayAndTimeProps) {
  const { t } = useLingui()
  const { timeZone } = useStaff().firm
  return (
    <div className="columns-2 pair">
      <DatePicker label={label} required value={day === '' ? null : day} onDay={(next) => onChange(next ?? '', time)} />
      <TextField
        label={t`Time`}
        optional={timeZone.split('/').at(-1)?.replace('_', ' ')}
        placeholder="15:00"
        maxLength={5}
        className="numbers"
        value={time}
        onChange={(event) => onChange(day, event.target.value)}
      />
    </div>
  )
}
