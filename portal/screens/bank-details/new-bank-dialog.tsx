import { Trans, useLingui } from '@lingui/react/macro'
import type { Currency } from '#rules/money.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useClient } from '../../session.ts'
import { BankFormDialog } from './bank-form-dialog.tsx'
import { type KeptBank, useBankRequest } from './bank-request.ts'
import { emptyBank, useBankForm } from './bank-values.ts'

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
  const request = useBankRequest({
    ...keptBank,
    id: null,
    userId,
    values: form.values,
    onDone: () => {
      showToast(t`We have received your bank details and are reviewing them.`)
      onClose()
    },
    onLost: form.refuse,
    onRefused: form.refuse,
  })
  return (
    <BankFormDialog
      title={t`New Bank Details`}
      submitLabel={<Trans>Submit</Trans>}
      form={form}
      keptStatementUrl={null}
      mustHaveStatement
      kept={kept}
      forget={forget}
      {...request}
      onClose={onClose}
    />
  )
}
