import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { reportFrequencyLabels, type ReportSchedule } from '#contract/office/report-schedules.ts'
import { type ReportName, reportLabels, type ReportStep, reportSteps } from '#contract/office/reports.ts'
import type { ReportFrequency } from '#rules/report-periods.ts'
import { type ApiError, fieldErrors } from '#ui/api/api-error.ts'
import { Button } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { focusFirstField } from '#ui/forms/form-state.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useStepNames } from './step-names.ts'

export type ScheduleFields = Pick<ReportSchedule, 'frequency' | 'step' | 'asTable'>

interface ScheduleDialogProps {
  report: ReportName
  /** The schedule, or the options that the page shows now. */
  value: ScheduleFields
  isNew: boolean
  pending: boolean
  failure: ApiError | null
  onSave: (fields: ScheduleFields) => void
  onClose: () => void
}

/** How often a report is emailed, and the options of its link. */
export function ScheduleDialog({ report, value, isNew, pending, failure, onSave, onClose }: ScheduleDialogProps) {
  const { t } = useLingui()
  const [fields, setFields] = useState(value)
  const frequencyWord = useLabels(reportFrequencyLabels)
  const stepNames = useStepNames()
  const name = useLabels(reportLabels)(report)
  const notes = { weekly: t`Every Monday, for the week before`, monthly: t`On the 1st, for the month before` }
  return (
    <Dialog
      title={isNew ? t`Schedule by email` : t`Change schedule`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button kind="primary" pending={pending} onClick={() => onSave(fields)}>
            {isNew ? <Trans>Schedule</Trans> : <Trans>Change schedule</Trans>}
          </Button>
        </>
      }
    >
      <div ref={focusFirstField} className="stack">
        <p>
          <b className="strong">{name}</b>
        </p>
        <RadioCards<ReportFrequency>
          label={t`Frequency`}
          value={fields.frequency}
          error={fieldErrors(failure)['frequency'] ?? failure?.error}
          onValue={(frequency) => setFields({ ...fields, frequency })}
          tiles={(['weekly', 'monthly'] as const).map((frequency) => ({
            value: frequency,
            label: frequencyWord(frequency),
            note: notes[frequency],
          }))}
        />
        {report === 'funding' && (
          <>
            <RadioCards<ReportStep>
              label={t`Figures`}
              value={fields.step}
              onValue={(step) => setFields({ ...fields, step })}
              across={3}
              short
              tiles={reportSteps.map((step) => ({ value: step, label: stepNames[step] }))}
            />
            <Checkbox
              checked={fields.asTable}
              onChange={({ target }) => setFields({ ...fields, asTable: target.checked })}
            >
              <Trans>Show as table</Trans>
            </Checkbox>
          </>
        )}
        <p className="muted size-13">
          <Trans>
            The email contains the report’s name, the period and a link. It contains no figures, and is sent only while
            you have access to the report.
          </Trans>
        </p>
      </div>
    </Dialog>
  )
}
