import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { setAbsence, setMyAbsence } from '#contract/office/absences.ts'
import type { Absence } from '#contract/office/briefs.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { InputOf } from '#ui/api/call.ts'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { today } from '#ui/text/days.ts'
import { useStaff } from '../session.ts'
import { ActionDialog } from './action-dialog.tsx'

interface AbsenceDialogProps<E extends Endpoint> {
  endpoint: E
  input: (days: { from: string; until: string; before: Absence | null }) => InputOf<E>
  refreshes: readonly Endpoint[]
  title: ReactNode
  /** The absence that is replaced. */
  absence: Absence | null
  onClose: () => void
}

/** First and last day of an absence; no reason is asked for (requirements 24.73). */
export function AbsenceDialog<E extends typeof setMyAbsence | typeof setAbsence>({
  input,
  absence,
  ...look
}: AbsenceDialogProps<E>) {
  const { t } = useLingui()
  const { timeZone } = useStaff().firm
  // The absence that the form began with, whatever is recorded meanwhile.
  const [before] = useState(absence)
  const [from, setFrom] = useState<string | null>(() => absence?.from ?? today(timeZone, new Date()))
  const [until, setUntil] = useState<string | null>(absence?.until ?? '')
  return (
    <ActionDialog
      {...look}
      input={() => (from === null || until === null ? null : input({ from, until, before }))}
      done={t`The absence has been saved.`}
      command={<Trans>Save absence</Trans>}
      reason="none"
      fields={['from', 'until']}
    >
      {(errors) => (
        <>
          <p className="muted">{t`Colleagues see these dates. Access and assignments do not change.`}</p>
          <DatePicker label={t`First day`} value={from} onDay={setFrom} error={errors['from']} required />
          <DatePicker
            label={t`Last day`}
            hint={t`The absence includes this day.`}
            value={until}
            onDay={setUntil}
            error={errors['until']}
            required
          />
        </>
      )}
    </ActionDialog>
  )
}
