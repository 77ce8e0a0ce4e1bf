import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { acceptDeclarations } from '#contract/declarations.ts'
import { settings } from '#contract/settings.ts'
import { currentUser } from '#contract/users-session.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { call } from '#ui/api/call.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { declarationNoticeMs, showToast } from '#ui/feedback/toasts.tsx'
import { usePortalSettings, usePossiblePayments } from '../portal-settings.ts'
import { type Client, session } from '../session.ts'
import { logOut } from './logout.ts'
import './prompts.css'

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
  const isFundable = usePossiblePayments().deposits
  const [funding, setFunding] = useIsPromptClosed('portal.no-funded-accounts', client)
  if (!client.acceptedDeclaration) return <DeclarationDialog />
  const open = accounts?.accounts ?? []
  // A balance that the platform has not reported is not known to be zero.
  const isUnfunded = open.length > 0 && open.every(({ balance }) => balance !== null && balance <= 0n)
  // The result of a request must not be covered.
  if (isMoneyPage) {
    const asksForMoney = isUnfunded && isFundable
    return asksForMoney && !funding && !isResultPage(path) ? <NoFundedAccounts path={path} onFund={setFunding} /> : null
  }
  return <BankDetailsPrompt client={client} path={path} />
}

/**
 * Returns whether this client closed a prompt in this tab, and a function that closes it for the session, reloads
 * included.
 */
function useIsPromptClosed(key: string, { id }: Client): readonly [boolean, () => void] {
  const [closed, setClosed] = useState(() => sessionStorage.getItem(key) === id)
  const close = () => {
    sessionStorage.setItem(key, id)
    setClosed(true)
  }
  return [closed, close]
}

/** Pages that need a balance or add to one. */
const moneyPages = [portalPaths.depositFunds, portalPaths.withdrawFunds, portalPaths.internalTransfer]

function isResultPage(path: string): boolean {
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
  const [dismissed, dismiss] = useIsPromptClosed('portal.bank-details-prompt', client)
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

/**
 * Client Assets Declarations: shown until accepted; without the tick it asks again (requirements 2.9). A client who
 * does not accept can only log out.
 */
function DeclarationDialog() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const data = usePortalSettings()
  // The ticked version: a newer text must be read and ticked again.
  const [tickedVersion, setTickedVersion] = useState<number | null>(null)
  const [asking, setAsking] = useState(false)
  const text = data?.legalTexts.clientAssetsDeclaration
  const accept = useEndpointMutation(acceptDeclarations, {
    onDone: (answer) => {
      if (answer.token) session.keep(answer.token)
      else void call(currentUser, {}).then((current) => queries.setQueryData([currentUser.name, {}], current))
    },
    onFailure: (failure: ApiError) => {
      showToast(() => failure.error, { kind: 'bad', ms: declarationNoticeMs })
      setAsking(false)
      void queries.invalidateQueries({ queryKey: [settings.name] })
    },
  })
  if (!text) return null
  const ticked = tickedVersion === text.version
  const send = () => accept.mutate({ version: text.version })
  if (asking)
    return (
      <Dialog
        key="asking"
        title={t`Accept the declaration`}
        role="alertdialog"
        actions={
          <>
            <Button kind="quiet" onClick={() => setAsking(false)}>{t`Read again`}</Button>
            <Button kind="primary" pending={accept.isPending} onClick={send}>{t`I have read and accept it`}</Button>
          </>
        }
      >
        <p className="muted">
          <Trans>
            Confirm that you have read and accept the Client Assets Declaration. Until you do, you cannot open new
            accounts or deposit funds.
          </Trans>
        </p>
      </Dialog>
    )
  return (
    <Dialog
      title={t`Client Assets Declarations`}
      size="wide"
      actions={
        <div className="declaration-actions">
          <Checkbox checked={ticked} onChange={(event) => setTickedVersion(event.target.checked ? text.version : null)}>
            <Trans>I have read and accept the declaration.</Trans>
          </Checkbox>
          <Button kind="quiet" onClick={() => logOut()}>{t`Logout`}</Button>
          <Button kind="primary" pending={accept.isPending} onClick={() => (ticked ? send() : setAsking(true))}>
            <Trans>Accept</Trans>
          </Button>
        </div>
      }
    >
      <div className="declaration-text" tabIndex={0} role="region" aria-label={text.title}>
        {text.title !== t`Client Assets Declarations` && <h3>{text.title}</h3>}
        {text.text.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </Dialog>
  )
}
