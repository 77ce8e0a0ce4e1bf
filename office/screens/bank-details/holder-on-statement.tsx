import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { enterHolder, getOfficeBankDetails, type OfficeBankDetails } from '#contract/office/bank-details.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { RecordSection } from '../../decision/record-parts.tsx'

/** The account holder as read on the statement: part of the approval, or entered later if missing. */
export function HolderOnStatement({ bank, onHolder }: { bank: OfficeBankDetails; onHolder: (holder: string) => void }) {
  const { t } = useLingui()
  const { state, statementHolder, mayEnterHolder } = bank
  if (!mayEnterHolder)
    return (
      <RecordSection title={<Trans>Account holder on the statement</Trans>}>
        {statementHolder ?? <span className="muted">{t`Not entered yet`}</span>}
      </RecordSection>
    )
  return state === 'pending' ? (
    <ComparedHolder kept={statementHolder} onHolder={onHolder} />
  ) : (
    <SavedHolder bank={bank} />
  )
}

/** The approval sends the name; leaving the field, or Enter, checks it first. An empty field keeps the stored name. */
function ComparedHolder({ kept, onHolder }: { kept: string | null; onHolder: (holder: string) => void }) {
  const { t } = useLingui()
  const [name, setName] = useState(kept ?? '')
  const compare = () => onHolder(name.trim())
  return (
    <form noValidate onSubmit={submitHandler(compare)}>
      <HolderField
        hint={t`Enter the name exactly as it appears on the bank statement. It is saved with your approval.`}
        name={name}
        onName={setName}
        onLeave={compare}
      />
    </form>
  )
}

interface HolderFieldProps {
  hint: string
  name: string
  error?: string | undefined
  onName: (name: string) => void
  onLeave?: () => void
}

function HolderField({ hint, name, error, onName, onLeave }: HolderFieldProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Account holder on the statement`}
      hint={hint}
      value={name}
      maxLength={140}
      error={error}
      onChange={(event) => onName(event.target.value)}
      onBlur={onLeave}
    />
  )
}

function SavedHolder({ bank: { id, version } }: { bank: OfficeBankDetails }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const entering = useEndpointMutation(enterHolder, {
    refreshes: [getOfficeBankDetails, getDecisionChecks],
    onDone: () => showToast(() => t`The account holder has been saved.`),
  })
  const errors = fieldErrors(entering.error)
  const form = useRef<HTMLFormElement>(null)
  const send = () => {
    if (entering.isPending) return
    setMissing(name.trim() === '')
    if (name.trim() === '') focusFirstError(form.current)
    else entering.mutate({ id, version, holder: name.trim() })
  }
  return (
    <form ref={form} noValidate className="stack-2" onSubmit={submitHandler(send)}>
      <HolderField
        hint={t`Enter the name exactly as it appears on the bank statement.`}
        name={name}
        error={isMissing ? t`Enter the account holder’s name.` : errors['holder']}
        onName={(written) => {
          setName(written)
          setMissing(false)
        }}
      />
      {entering.error && !errors['holder'] && (
        <Alert kind="bad">
          <ApiErrorText failure={entering.error} />
        </Alert>
      )}
      <div className="row">
        <Button type="submit" pending={entering.isPending}>{t`Save name`}</Button>
      </div>
    </form>
  )
}
