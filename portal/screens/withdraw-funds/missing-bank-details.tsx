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
            Your bank account in {currency} is still being checked. You can withdraw to it as soon as it is approved; we
            write to you.
          </Trans>
        ) : (
          <Trans>
            This trading account is in {currency}, and money goes only to an approved bank account of yours in{' '}
            {currency}. Submit one with a bank statement; we check it once.
          </Trans>
        )}
      </p>
    </Dialog>
  )
}
