import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { enterHolder, getOfficeBankDetails } from '#contract/office/bank-details.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { Button } from '#ui/button.tsx'
import { useVerb } from '#ui/endpoint-query.ts'
import { FailureSentence } from '#ui/error-panel.tsx'
import { fieldErrors } from '#ui/failure.ts'
import { focusFirstError, takeFocus } from '#ui/form-focus.ts'
import { submitting } from '#ui/form-values.ts'
import { Notice } from '#ui/notice.tsx'
import { TextField } from '#ui/text-field.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { RecordSection } from '../../decision/client-facts.tsx'
import type { Bank } from './bank-record.tsx'

/** Who owns the account: read on the statement, entered by the clerk, compared with the client by the checks. */
export function HolderOnStatement({ bank }: { bank: Bank }) {
  const [isChanging, setChanging] = useState(false)
  const { statementHolder, mayEnterHolder } = bank
  const isAsked = mayEnterHolder && (statementHolder === null || isChanging)
  return (
    <RecordSection title={<Trans>Account holder on the statement</Trans>}>
      {isAsked ? (
        <HolderForm bank={bank} isChanging={isChanging} onDone={() => setChanging(false)} />
      ) : (
        <div className="row between wrap">
          {statementHolder ?? (
            <span className="muted">
              <Trans>Not entered yet</Trans>
            </span>
          )}
          {mayEnterHolder && (
            <Button kind="outline" size="small" onClick={() => setChanging(true)}>
              <Trans>Change name</Trans>
            </Button>
          )}
        </div>
      )}
    </RecordSection>
  )
}

interface HolderFormProps {
  bank: Bank
  isChanging: boolean
  onDone: () => void
}

function HolderForm({ bank: { id, version, statementHolder }, isChanging, onDone }: HolderFormProps) {
  const { t } = useLingui()
  const [name, setName] = useState(statementHolder ?? '')
  const [isMissing, setMissing] = useState(false)
  const entering = useVerb(enterHolder, {
    refreshes: [getOfficeBankDetails, getDecisionChecks],
    onDone: () => {
      tell(t`The account holder is saved.`)
      onDone()
    },
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
    <form ref={form} noValidate className="stack-2" onSubmit={submitting(send)}>
      <TextField
        ref={isChanging ? takeFocus : undefined}
        label={t`Account holder`}
        hint={t`Enter the name exactly as it appears on the bank statement.`}
        value={name}
        maxLength={140}
        error={isMissing ? t`Enter the account holder’s name.` : errors['holder']}
        onChange={(event) => {
          setName(event.target.value)
          setMissing(false)
        }}
      />
      {entering.error && !errors['holder'] && (
        <Notice kind="bad">
          <FailureSentence failure={entering.error} />
        </Notice>
      )}
      <div className="row">
        <Button type="submit" pending={entering.isPending}>
          <Trans>Save name</Trans>
        </Button>
        {isChanging && (
          <Button kind="quiet" onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </div>
    </form>
  )
}
