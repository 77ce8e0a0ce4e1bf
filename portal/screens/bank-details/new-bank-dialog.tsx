import { Trans, useLingui } from '@lingui/react/macro'
import { addBankDetails, getBankDetails } from '#contract/bank-details.ts'
import type { Currency } from '#rules/money.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useVerb } from '#ui/endpoint-query.ts'
import { tell } from '#ui/passing-notices.tsx'
import { ProofHint } from '#ui/proof-hint.tsx'
import { useClient } from '../../session.ts'
import { BankForm } from './bank-form.tsx'
import { bankDataOf, emptyBank, useBankForm } from './bank-values.ts'

const formId = 'bank-new'

/** New Bank Details: every field is checked as it is left, the statement goes up at once. */
export function NewBankDialog({ currency, onClose }: { currency: Currency | ''; onClose: () => void }) {
  const { t } = useLingui()
  const client = useClient()
  const userId = client?.id ?? ''
  const form = useBankForm({ ...emptyBank, bankCountry: client?.country ?? '', bankAccountCurrency: currency }, userId)
  const add = useVerb(addBankDetails, {
    refreshes: [getBankDetails],
    onDone: () => {
      tell(t`We have your bank details and check them now.`)
      onClose()
    },
    onFailure: form.refuse,
  })
  const send = () => {
    if (!form.isComplete({ statement: true })) return
    add.mutate({ bankData: { ...bankDataOf(form.values, userId), bankPOA: form.values.bankPOA } })
  }
  return (
    <Dialog
      title={t`New Bank Details`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" form={formId} pending={add.isPending} disabledReason={form.waitReason}>
            <Trans>Submit</Trans>
          </Button>
        </>
      }
    >
      <div className="stack">
        <BankForm id={formId} form={form} keptStatementUrl={null} onSend={send} />
        <ProofHint />
      </div>
    </Dialog>
  )
}
