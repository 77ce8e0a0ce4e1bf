import { Trans, useLingui } from '@lingui/react/macro'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import type { OpenAccount } from '../../funding/accounts.ts'

/** Missing Bank Details: there are none in the account's currency that money could go to. */
export function MissingBankDetails({
  account,
  banks,
  onBack,
}: {
  account: OpenAccount
  banks: readonly Bank[]
  onBack: () => void
}) {
  const { t } = useLingui()
  const currency = account.baseCurrency
  const waiting = banks.some(
    ({ status, bankAccountCurrency }) => status === 'pending' && bankAccountCurrency === currency,
  )
  return (
    <Dialog
      title={t`Missing Bank Details`}
      isOpen
      onClose={onBack}
      actions={
        <>
          <Button kind="quiet" onClick={onBack}>
            <Trans>Choose another account</Trans>
          </Button>
          <ButtonLink
            kind="primary"
            href={waiting ? portalPaths.bankDetails : `${portalPaths.bankDetails}?add=bank&currency=${currency}`}
          >
            {waiting ? <Trans>Bank Details</Trans> : <Trans>Submit bank details</Trans>}
          </ButtonLink>
        </>
      }
    >
      <p className="muted">
        {waiting ? (
          <Trans>
            We are reviewing your bank account in {currency}. You can withdraw to it once it is approved. We will email
            you.
          </Trans>
        ) : (
          <Trans>
            You can withdraw from this account only to your own approved bank account in {currency}. Add one with a bank
            statement. We verify it once.
          </Trans>
        )}
      </p>
    </Dialog>
  )
}
