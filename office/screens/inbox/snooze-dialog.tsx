import { Plural, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { dayIn, daysAfter, instantIn, type PlainDate } from '#rules/dates.ts'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstField } from '#ui/forms/form-state.ts'
import { TextArea, TextField } from '#ui/forms/text-field.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { submitOnControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { Time } from '#ui/text/time.tsx'
import { useStaff } from '../../session.ts'
import '#ui/forms/choice.css'

interface SnoozeDialogProps {
  count: number
  /** The earliest due time of the items. */
  dueAt: Date
  onSnooze: (until: Date, note: string) => void
  onClose: () => void
}

const hour = 3_600_000
/** Items return at the beginning of a working day. */
const morningHour = 9

/** The end of the snooze of the selected items, and a note. */
export function SnoozeDialog({ count, dueAt, onSnooze, onClose }: SnoozeDialogProps) {
  const { t } = useLingui()
  const { timeZone } = useStaff().firm
  const [now] = useState(() => new Date())
  const [chosen, setChosen] = useState('today')
  const [day, setDay] = useState<string | null>('')
  const [time, setTime] = useState(`0${morningHour}:00`)
  const [note, setNote] = useState('')
  const [missing, setMissing] = useState<'time' | 'note'>()
  const today = dayIn(now, timeZone)
  const morning = (date: PlainDate) => instantIn(date, morningHour, timeZone)
  const times: readonly [string, string, Date | null][] = [
    ['today', t`In 3 hours`, new Date(now.getTime() + 3 * hour)],
    ['tomorrow', t`Tomorrow`, morning(daysAfter(today, 1))],
    ['monday', t`Next Monday`, morning(nextMonday(today))],
    ['own', t`Another time`, day ? instantOf(day, time, timeZone) : null],
  ]
  const until = times.find(([name]) => name === chosen)?.[2] ?? null
  const needsReason = until !== null && until > dueAt
  const send = () => {
    if (until === null || until <= now) return setMissing('time')
    if (needsReason && note.trim() === '') return setMissing('note')
    onSnooze(until, note.trim())
  }
  return (
    <Dialog
      title={<Plural value={count} one="Snooze # item" other="Snooze # items" />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button kind="primary" onClick={send}>{t`Snooze`}</Button>
        </>
      }
    >
      <div ref={focusFirstField} className="stack">
        <fieldset className="snooze-times">
          <legend className="unseen">{t`Snooze until`}</legend>
          {times.map(([name, label, at]) => (
            <label key={name} className="tick">
              <input
                type="radio"
                name="until"
                value={name}
                checked={chosen === name}
                onChange={() => setChosen(name)}
              />
              <span>
                {label}{' '}
                {at && name !== 'own' && (
                  <span className="muted numbers">
                    <Time at={at} />
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
        {chosen === 'own' && (
          <div className="columns-2">
            <DatePicker
              label={t`Day`}
              value={day}
              onDay={setDay}
              error={missing === 'time' ? t`Choose a time in the next 90 days.` : undefined}
            />
            <TextField label={t`Time`} type="time" value={time} onChange={({ target }) => setTime(target.value)} />
          </div>
        )}
        <TextArea
          label={t`Internal note`}
          optional={!needsReason}
          hint={needsReason ? t`This is after the due time. Enter a reason.` : undefined}
          rows={2}
          value={note}
          error={missing === 'note' && note.trim() === '' ? t`Enter a reason.` : undefined}
          onChange={({ target }) => setNote(target.value)}
          onKeyDown={submitOnControlEnter(send)}
        />
        <p className="muted">{t`Snoozed items still become overdue when their due time passes.`}</p>
      </div>
    </Dialog>
  )
}

/** Returns the Monday after a day. */
function nextMonday(today: PlainDate): PlainDate {
  const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay()
  return daysAfter(today, (8 - weekday) % 7 || 7)
}

/** Returns the instant of a day and time in the firm's time zone; null without a time. */
function instantOf(day: string, time: string, timeZone: string): Date | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? []
  if (hours === undefined) return null
  return new Date(instantIn(plainDate(day), Number(hours), timeZone).getTime() + Number(minutes) * 60_000)
}

/** Parses "2026-11-21". */
function plainDate(text: string): PlainDate {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}
