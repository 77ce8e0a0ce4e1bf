import { IconPlus, IconWallet } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { type Account, getDemoAccounts, getLiveAccounts } from '#contract/accounts.ts'
import { getRequestsToConfirm } from '#contract/confirmations.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { requestTypes } from '#rules/choices.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ShownAccount } from '#ui/account/late-figures.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { MissingBankDetailsAlert } from '../../funding/page-alerts.tsx'
import { usePortalSettings, usePossiblePayments } from '../../portal-settings.ts'
import { useClient } from '../../session.ts'
import { NotAccepted } from '../upload-documents/not-accepted.tsx'
import { AccountCard, type Result, AccountCardSkeleton } from './account-card.tsx'
import { AccountTotals } from './account-totals.tsx'
import { UnderFirmNotice } from './under-firm-notice.tsx'
import { useLiveFigures, withLive } from '../../live-figures.ts'
import { getAccountResults } from '#contract/trading-history.ts'
import './trading-accounts.css'

const fetchDialogs = () => import('./dialogs.ts')
const AccountSettingsDialog = lazyPart(async () => (await fetchDialogs()).AccountSettingsDialog)
const FirstPasswordDialog = lazyPart(async () => (await fetchDialogs()).FirstPasswordDialog)
const RequestsToConfirm = lazyPart(async () => (await fetchDialogs()).RequestsToConfirm)
const RequestAccountDialog = lazyPart(async () => (await fetchDialogs()).RequestAccountDialog)

/** Figures change with trading. */
const pollMs = 30_000
/** A demo is opened immediately: the page polls until it is there with its balance, in ms. */
const openingPollMs = 2_000

const addressSchema = z.object({ kind: z.optional(z.enum(requestTypes)), settings: z.optional(z.string()) })

type Open = { dialog: 'request' } | { dialog: 'password'; account: Account } | null

/** Trading accounts, live and demo, with the platforms' figures (requirements 7.2). */
export default function TradingAccounts() {
  const { t } = useLingui()
  const client = useClient()
  const settings = usePortalSettings()
  const { deposits: fundable, withdrawals: payable } = usePossiblePayments()
  const [{ kind = 'live', settings: settingsOf }, setAddress] = useUrlState(addressSchema)
  const [open, setOpen] = useState<Open>(null)
  const [isOpening, setOpening] = useState(false)
  const approved = client?.status === 'approved'
  // Only the shown kind is polled; of the other the page shows the count.
  const liveRead = useEndpoint(
    getLiveAccounts,
    { a: 'all', b: 'all' },
    { enabled: approved, ...(kind === 'live' ? { pollMs } : {}) },
  )
  const demoPollMs = isOpening ? openingPollMs : pollMs
  const demoRead = useEndpoint(
    getDemoAccounts,
    {},
    { enabled: approved, ...(isOpening || kind === 'demo' ? { pollMs: demoPollMs } : {}) },
  )
  // Before approval there are none. The server is asked afterwards, so that the account chosen at registration appears.
  const none = { data: { accounts: [] }, error: null }
  const live = approved ? liveRead : { ...liveRead, ...none }
  const demo = approved ? demoRead : { ...demoRead, ...none }
  // Requested after the main content; empty except in the days after a restored backup.
  const confirmable = useEndpoint(getRequestsToConfirm, {}, { enabled: approved && live.data !== undefined })
  const toConfirm = confirmable.data?.requests ?? []
  const demoOnItsWay =
    demo.data?.accounts.some(
      ({ status, balance }) => status === 'pending' || (status === 'approved' && balance === null),
    ) ?? false
  if (demoOnItsWay !== isOpening) setOpening(demoOnItsWay)
  const shown = kind === 'live' ? live : demo
  const pushed = useLiveFigures(shown.data?.accounts, { answeredAt: shown.dataUpdatedAt })
  const results = useEndpoint(getAccountResults, {}, { enabled: approved && shown.data !== undefined })
  const accounts = shown.data?.accounts.map((one) => withLive(one, pushed))
  const [dismissed, dismiss] = useDismissed(client?.id ?? '')
  const visible = (accounts: readonly ShownAccount[] | undefined) => accounts && sortAccounts(accounts, dismissed)
  const close = () => setOpen(null)
  const account = shown.data?.accounts.find((candidate) => candidate._id === settingsOf)
  return (
    <UnderFirmNotice>
      {toConfirm.length > 0 && (
        <div className="above-page">
          <RequestsToConfirm requests={toConfirm} />
        </div>
      )}
      <PageHeader
        title={t`Trading accounts`}
        action={
          approved &&
          settings &&
          (settings.windDown.newAccounts ? (
            <p className="muted size-14">{t`You cannot open new trading accounts.`}</p>
          ) : (
            <Button
              icon={<IconPlus className="small" aria-hidden="true" />}
              onClick={() => setOpen({ dialog: 'request' })}
            >
              <Trans>Request an account</Trans>
            </Button>
          ))
        }
      >
        {settings?.windDown.deposits && <Trans>Deposits are not available. You can still withdraw.</Trans>}
      </PageHeader>
      <MissingBankDetailsAlert />
      {client && !approved && settings && (
        <div className="accounts-approval">
          {client.status === 'rejected' ? (
            <NotAccepted email={client.email} supportEmail={settings.firm.supportEmail} />
          ) : (
            <AwaitingApproval />
          )}
        </div>
      )}
      <Tabs
        label={t`Trading accounts`}
        tabs={[
          tab(portalPaths.tradingAccounts, t`LIVE`, visible(live.data?.accounts), kind === 'live'),
          tab(portalPaths.demoAccounts, t`DEMO`, visible(demo.data?.accounts), kind === 'demo'),
        ]}
      />
      {accounts && kind === 'live' && <AccountTotals accounts={accounts} />}
      {shown.error && !shown.data ? (
        <ErrorPanel failure={shown.error} onRetry={() => void shown.refetch()} />
      ) : (
        <AccountList
          kind={kind}
          accounts={visible(accounts)}
          results={results.data?.accounts ?? []}
          onDismiss={dismiss}
          fundable={fundable}
          payable={payable}
          mayAsk={approved && settings?.windDown.newAccounts === false}
          onSettings={(id) => setAddress({ settings: id })}
          onPassword={(chosen) => setOpen({ dialog: 'password', account: chosen })}
        />
      )}
      {open?.dialog === 'request' && client && <RequestAccountDialog initial={kind} client={client} onClose={close} />}
      {open?.dialog === 'password' && <FirstPasswordDialog account={open.account} onClose={close} />}
      {account?.status === 'approved' && (
        <AccountSettingsDialog
          key={account._id}
          account={account}
          onClose={() => setAddress({ settings: undefined })}
        />
      )}
    </UnderFirmNotice>
  )
}

function tab(href: string, label: string, accounts: readonly Account[] | undefined, current: boolean) {
  return { href, label, current, count: accounts?.length ?? null }
}

interface AccountListProps {
  kind: 'live' | 'demo'
  accounts: readonly ShownAccount[] | undefined
  fundable: boolean
  payable: boolean
  results: readonly Result[]
  /** Whether new accounts can be requested now. */
  mayAsk: boolean
  onSettings: (id: string) => void
  onPassword: (account: Account) => void
  onDismiss: (id: string) => void
}

function AccountList({ accounts, mayAsk, results, ...card }: AccountListProps) {
  if (!accounts) return <AccountCardSkeleton />
  if (accounts.length === 0) return <NoAccounts kind={card.kind} mayAsk={mayAsk} />
  return (
    <ul className="accounts">
      {accounts.map((account) => (
        <li key={account._id}>
          <AccountCard
            account={account}
            result={results.find(({ platform, number }) => platform === account.platform && number === account.number)}
            {...card}
          />
        </li>
      ))}
    </ul>
  )
}

function NoAccounts({ kind, mayAsk }: Pick<AccountListProps, 'kind' | 'mayAsk'>) {
  const { t } = useLingui()
  return (
    <div className="sheet accounts-none">
      <EmptyState
        level="h2"
        icon={<IconWallet aria-hidden="true" />}
        title={kind === 'live' ? <Trans>No live accounts yet</Trans> : <Trans>No demo accounts yet</Trans>}
      >
        {!mayAsk
          ? null
          : kind === 'live'
            ? t`Select “Request an account”. We usually open it within one working day.`
            : t`A demo account opens immediately with virtual funds. You choose the starting balance.`}
      </EmptyState>
    </div>
  )
}

/** Identity and address are approved, the client is not yet (requirements 2.11). */
function AwaitingApproval() {
  return (
    <Alert kind="wait" title={<Trans>Final approval in progress</Trans>}>
      <Trans>
        We have approved your identity and address documents. Your trading accounts will appear here after we approve
        your application. We will email you.
      </Trans>
    </Alert>
  )
}

const kept = z.array(z.string())

/** Rejected requests that the client has dismissed in this browser. */
function useDismissed(owner: string): [ReadonlySet<string>, (id: string) => void] {
  const name = `portal.dismissed.${owner}`
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(() => new Set(readDismissed(name)))
  const dismiss = (id: string) => {
    const next = new Set(dismissed).add(id)
    localStorage.setItem(name, JSON.stringify([...next]))
    setDismissed(next)
  }
  return [dismissed, dismiss]
}

function readDismissed(name: string): string[] {
  const text = localStorage.getItem(name)
  const found = kept.safeParse(text === null ? [] : JSON.parse(text))
  return found.success ? found.data : []
}

const order = { approved: 0, pending: 1, rejected: 2 }

/** Returns open accounts first, then pending requests, then rejected ones that were not dismissed. */
function sortAccounts(accounts: readonly ShownAccount[], dismissed: ReadonlySet<string>): ShownAccount[] {
  return accounts
    .filter(({ _id, status }) => status !== 'rejected' || !dismissed.has(_id))
    .toSorted(
      (one, other) =>
        order[one.status] - order[other.status] ||
        (one.status === 'approved' ? 0 : other.requestedAt.getTime() - one.requestedAt.getTime()),
    )
}
