import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { usePortalSettings } from '../portal-settings.ts'
import type { Client } from '../session.ts'
import { DeclarationDialog } from './declaration-dialog.tsx'

/**
 * Prompts for an approved client on any page, one dialog at a time: the declaration, then a deposit if a money page
 * needs one, then bank details.
 */
export default function Prompts({ client, path }: { client: Client; path: string }) {
  const isMoneyPage = moneyPages.some((page) => path === page || path.startsWith(`${page}/`))
  const { data: accounts } = useEndpoint(
    getLiveAccounts,
    { a: 'all', b: 'approved' },
    { enabled: client.acceptedDeclaration && isMoneyPage },
  )
  const settings = usePortalSettings()
  const [funding, setFunding] = useClosed('portal.no-funded-accounts', client)
  if (!client.acceptedDeclaration) return <DeclarationDialog />
  const open = accounts?.accounts ?? []
  // A balance that the platform has not reported is not known to be zero.
  const isUnfunded = open.length > 0 && open.every(({ balance }) => balance !== null && balance <= 0n)
  // The result of a request must not be covered.
  if (isMoneyPage) {
    const asksForMoney = isUnfunded && settings?.windDown.deposits === false && !settings.moneyStopped?.accounts
    return asksForMoney && !funding && !isResult(path) ? <NoFundedAccounts path={path} onFund={setFunding} /> : null
  }
  return <BankDetailsPrompt client={client} path={path} />
}

/**
 * Returns whether this client closed a prompt in this tab, and a function that closes it for the session, reloads
 * included.
 */
function useClosed(key: string, { id }: Client): readonly [boolean, () => void] {
  const [closed, setClosed] = useState(() => sessionStorage.getItem(key) === id)
  const close = () => {
    sessionStorage.setItem(key, id)
    setClosed(true)
  }
  return [closed, close]
}

/** Pages that need a balance or add to one. */
const moneyPages = [portalPaths.depositFunds, portalPaths.withdrawFunds, portalPaths.internalTransfer]

function isResult(path: string): boolean {
  return path.endsWith('/success') || path.endsWith('/failed')
}

/**
 * No Funded Accounts: FUND NOW opens the deposit; on its page it continues with the chosen account (requirements 2.15).
 */
function NoFundedAccounts({ path, onFund }: { path: string; onFund: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      title={t`No Funded Accounts`}
      waits
      onClose={onFund}
      actions={
        <ButtonLink
          kind="primary"
          href={path.startsWith(portalPaths.depositFunds) ? path : portalPaths.depositFunds}
          onClick={onFund}
        >
          <Trans>FUND NOW</Trans>
        </ButtonLink>
      }
    >
      <p className="muted">
        <Trans>Your trading accounts have no funds yet. Fund an account before you withdraw or transfer.</Trans>
      </p>
    </Dialog>
  )
}

/** Submit Bank Details: for an approved client without any; shown once per visit, never on the page that adds them. */
function BankDetailsPrompt({ client, path }: { client: Client; path: string }) {
  const { t } = useLingui()
  const [dismissed, dismiss] = useClosed('portal.bank-details-prompt', client)
  const elsewhere = path !== portalPaths.bankDetails && path !== portalPaths.withdrawFunds
  const { data } = useEndpoint(getBankDetails, { a: 'all', b: 'all' }, { enabled: !dismissed && elsewhere })
  return (
    <Dialog
      title={t`Submit Bank Details`}
      waits
      isOpen={!dismissed && elsewhere && data?.bankDetails.length === 0}
      onClose={dismiss}
      actions={
        <>
          <Button kind="quiet" onClick={dismiss}>{t`Not now`}</Button>
          <ButtonLink kind="primary" href={`${portalPaths.bankDetails}?add=bank`} onClick={dismiss}>
            <Trans>ADD NOW</Trans>
          </ButtonLink>
        </>
      }
    >
      <p className="muted">
        <Trans>
          Submitting bank details enables quicker withdrawals. We verify the account once. After that you can withdraw
          to it at any time.
        </Trans>
      </p>
    </Dialog>
  )
}
