import { Trans, useLingui } from '@lingui/react/macro'
import type { Currency } from '#rules/money.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { ProofHint } from '#ui/proof-hint.tsx'
import { UnsettledNotice } from '../../funding/unsettled-notice.tsx'
import { useClient } from '../../session.ts'
import { BankForm } from './bank-form.tsx'
import { type KeptBank, useBankRequest } from './bank-request.ts'
import { emptyBank, useBankForm } from './bank-values.ts'

const formId = 'bank-new'

/** New Bank Details: every field is checked as it is left, the statement goes up at once. */
interface NewBankDialogProps extends KeptBank {
  currency: Currency | ''
  onClose: () => void
}

export function NewBankDialog({ currency, onClose, ...keptBank }: NewBankDialogProps) {
  const { t } = useLingui()
  const client = useClient()
  const userId = client?.id ?? ''
  const { kept, forget } = keptBank
  const typed = kept?.draft.id === null ? kept.draft.values : null
  const form = useBankForm(
    typed ?? { ...emptyBank, bankCountry: client?.country ?? '', bankAccountCurrency: currency },
    userId,
  )
  const { request, send } = useBankRequest({
    ...keptBank,
    id: null,
    userId,
    values: form.values,
    onDone: () => {
      tell(t`We have your bank details and check them now.`)
      onClose()
    },
    onLost: form.refuse,
    onRefused: form.refuse,
  })
  const submit = () => {
    if (form.isComplete({ statement: true })) void send()
  }
  const close = () => {
    if (!kept?.sent) forget()
    onClose()
  }
  return (
    <Dialog
      title={t`New Bank Details`}
      isOpen
      onClose={close}
      actions={
        <>
          <Button kind="quiet" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            pending={request.isUnderWay}
            disabledReason={form.waitReason}
          >
            <Trans>Submit</Trans>
          </Button>
        </>
      }
    >
      <div className="stack">
        <BankForm id={formId} form={form} keptStatementUrl={null} onSend={submit} />
        <UnsettledNotice unsettled={request.unsettled} onAsk={() => void request.settle()} />
        <ProofHint always />
      </div>
    </Dialog>
  )
}
