import { IconKey } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getAccountResults } from '#contract/trading-history.ts'
import type { ShownAccount } from '#ui/account/late-figures.ts'
import { ResultSparkline } from '#ui/account/result-line.tsx'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { canPayOut, canReceive, accountName } from '../../funding/accounts.ts'
import { AccountFigures } from './account-figures.tsx'

export type Result = ResponseOf<typeof getAccountResults>['accounts'][number]

interface AccountCardProps {
  account: ShownAccount
  /** Of 30 days, if known. */
  result?: Result | undefined
  kind: 'live' | 'demo'
  /** Whether deposits to it are possible. */
  fundable: boolean
  /** Whether withdrawals are possible. */
  payable: boolean
  onSettings: (id: string) => void
  onPassword: (account: Account) => void
  onDismiss: (id: string) => void
}

/** One account in one of three styles: approved, pending (faded, no buttons), rejected (red). */
export function AccountCard(props: AccountCardProps) {
  const { account } = props
  const title = `account-${account._id}`
  return (
    <article className={`account-card ${account.status}`} aria-labelledby={title}>
      <div className="account-name">
        <h2 id={title} className="title-3">
          {account.status === 'approved' && account.number ? (
            <Link className="lone-link" href={portalPaths.tradingAccount(account.platform, account.number)}>
              {accountName(account)}
            </Link>
          ) : (
            accountName(account)
          )}
        </h2>
        {account.status !== 'approved' && <StatusBadge record="account" state={account.status} />}
        <p className="size-14 muted numbers account-number">
          <AccountNumber account={account} />
        </p>
        <p className="size-13 muted">
          {account.platform} · {account.type}
          {account.status !== 'approved' && <> · {account.baseCurrency}</>} · {leverageText(account.leverage)}
        </p>
        {account.leverageRequest && (
          <p className="size-13 tone-wait">
            <Trans>
              {leverageText(account.leverageRequest.to)} requested on{' '}
              <Time at={account.leverageRequest.since} form="day" />
            </Trans>
          </p>
        )}
      </div>
      {account.status === 'approved' ? (
        <OpenAccount {...props} />
      ) : (
        <div className="account-words">
          <p>{statusText(account, props.kind)}</p>
          {account.status === 'rejected' && (
            <button type="button" className="text-button" onClick={() => props.onDismiss(account._id)}>
              <Trans>Dismiss</Trans>
              <span className="unseen"> {accountName(account)}</span>
            </button>
          )}
        </div>
      )}
    </article>
  )
}

function AccountNumber({ account }: { account: Account }) {
  if (account.number) return <>{groupedByFour(account.number)}</>
  if (account.status === 'rejected') return <Trans>No account was opened</Trans>
  return <Trans>Account number pending</Trans>
}

function statusText(account: Account, kind: 'live' | 'demo'): ReactNode {
  if (account.status === 'rejected') return <RejectionText reason={account.reason} />
  if (kind === 'demo') return <Trans>The platform is opening your account. This takes a moment.</Trans>
  return (
    <Trans>
      Requested on <Time at={account.requestedAt} />. We usually open an account within one working day. We will email
      you when it is ready.
    </Trans>
  )
}

/** Emphasises the reason's first sentence; the rest is advice. */
function RejectionText({ reason }: { reason: string | null }) {
  const { t } = useLingui()
  if (reason === null)
    return (
      <>
        <b>{t`This account was not approved.`}</b> <Trans>You can request another one.</Trans>
      </>
    )
  const [, first = reason, rest = ''] = /^(.+?[.!?])(?:\s+(.*))?$/s.exec(reason) ?? []
  return (
    <>
      <b>
        <UserText>{first}</UserText>
      </b>{' '}
      <UserText>{rest}</UserText>
    </>
  )
}

function OpenAccount({ account, result, kind, fundable, payable, onSettings, onPassword }: AccountCardProps) {
  return (
    <>
      <div className="account-result">
        {result && <ResultSparkline currency={account.baseCurrency} values={result.values} words />}
      </div>
      <AccountFigures account={account} />
      <div className="account-commands">
        {kind === 'live' && account.number && fundable && canReceive(account) && (
          <ButtonLink size="small" kind="tinted" href={portalPaths.depositToAccount(account.number)}>
            <Trans>FUND NOW</Trans>
            <span className="unseen"> {accountName(account)}</span>
          </ButtonLink>
        )}
        {kind === 'live' && account.closed && payable && account.number && canPayOut(account) && (
          <ButtonLink size="small" href={portalPaths.withdrawFromAccount(account.number)}>
            <Trans>WITHDRAW</Trans>
            <span className="unseen"> {accountName(account)}</span>
          </ButtonLink>
        )}
        <Button size="small" onClick={() => onSettings(account._id)}>
          <Trans>SETTINGS</Trans>
          <span className="unseen"> {accountName(account)}</span>
        </Button>
      </div>
      {account.passwordToShow && (
        <div className="account-password">
          <IconKey className="small" aria-hidden="true" />
          <p className="grow">
            <Trans>Your trading password is ready. You can view it once, within 7{'\u00a0'}days.</Trans>
          </p>
          <button type="button" className="text-button" onClick={() => onPassword(account)}>
            <Trans>Show the password</Trans>
            <span className="unseen"> {accountName(account)}</span>
          </button>
        </div>
      )}
    </>
  )
}

/** Placeholder of a card while the accounts load. */
export function AccountCardSkeleton() {
  return (
    <div className="accounts" aria-busy="true">
      <article className="account-card approved">
        <div className="account-name">
          <Skeleton width={140} height={20} />
        </div>
        <Skeleton width={180} height={28} />
        <Skeleton width={132} height={72} />
      </article>
    </div>
  )
}
