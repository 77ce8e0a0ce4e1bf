import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getTradingAccount } from '#contract/trading-history.ts'
import type { Account } from '#contract/accounts.ts'
import { money } from '#rules/money.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { SecondTime } from '#ui/text/second-time.tsx'
import type { AccountSource } from './account-source.ts'
import type { ShownAccount } from './late-figures.ts'
import { platformNames } from './platform-names.ts'
import './account.css'

interface Page extends Pick<ResponseOf<typeof getTradingAccount>, 'standing' | 'margin' | 'floating'> {
  account: ShownAccount
}

interface FiguresProps {
  /** Undefined while loading. */
  page: Page | undefined
  platform: Account['platform']
  reader: AccountSource['reader']
  /** For staff: since when the platform has no such account. */
  missingSince?: Date | null | undefined
  onRetry: () => void
}

/** The account's current balances in one row, with the time of the reading (requirements 24.11). */
export function AccountFigures({ page, platform, reader, missingSince = null, onRetry }: FiguresProps) {
  const { t } = useLingui()
  const { account, margin = null, floating = null } = page ?? {}
  const figure = (minor: bigint | null | undefined, size: 'figure' | 'text', signed = false): ReactNode =>
    account === undefined ? (
      <Skeleton width={size === 'figure' ? 160 : 96} height={size === 'figure' ? 28 : 20} />
    ) : (
      <Money
        amount={minor === null || minor === undefined ? null : money(minor, account.baseCurrency)}
        size={size}
        bare={size === 'text'}
        signed={signed}
      />
    )
  const rows = [
    [t`Balance`, figure(account?.balance, 'figure')],
    [t`Equity`, figure(account?.equity, 'text')],
    [t`Unrealised P&L`, figure(floating, 'text', true)],
    [t`Margin used`, figure(margin, 'text')],
    [t`Free margin`, figure(account?.freeMargin, 'text')],
  ] as const
  const name = platformNames[platform]
  return (
    <>
      {page && <StandingAlert standing={page.standing} name={name} reader={reader} missingSince={missingSince} />}
      {page?.standing === 'open' && account?.figuresOld && account.figuresAt && (
        <StaleAlert
          name={name}
          at={account.figuresAt}
          held={account.figuresHeld}
          late={account.late ?? false}
          reader={reader}
          onRetry={onRetry}
        />
      )}
      <dl className={account?.figuresOld ? 'account-now old' : 'account-now'} aria-busy={account === undefined}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="account-read size-13 muted numbers">
        {account === undefined ? (
          <Trans>Reading from {name}…</Trans>
        ) : account.figuresAt === null ? (
          <Trans>We do not have balances from {name} yet. We will keep trying.</Trans>
        ) : (
          <>
            <Trans>
              From {name}, <SecondTime at={account.figuresAt} />
            </Trans>
            <MarginLevel equity={account.equity} margin={margin} />
          </>
        )}
      </p>
    </>
  )
}

function MarginLevel({ equity, margin }: { equity: bigint | null; margin: bigint | null }) {
  const { i18n } = useLingui()
  if (equity === null || margin === null || margin <= 0n) return null
  const level = numberFormat(i18n.locale, { style: 'percent', minimumFractionDigits: 2 }).format(
    Number((equity * 10_000n) / margin) / 10_000,
  )
  return (
    <>
      {' · '}
      <Trans>margin level {level}</Trans>
    </>
  )
}

interface StandingAlertProps extends Pick<FiguresProps, 'reader'> {
  standing: Page['standing']
  name: string
  missingSince: Date | null
}

function StandingAlert({ standing, name, reader, missingSince }: StandingAlertProps) {
  if (standing === 'closed' && missingSince !== null)
    return (
      <Alert
        title={
          <Trans>
            Not found on {name} since <SecondTime at={missingSince} />.
          </Trans>
        }
      >
        <Trans>
          {name} reports that this account does not exist. These are the last balances. For the client, the account is
          closed until it is found again.
        </Trans>
      </Alert>
    )
  if (standing === 'closed')
    return (
      <Alert title={<Trans>This account is closed.</Trans>}>
        <Trans>These are the last balances from {name}.</Trans>
      </Alert>
    )
  if (standing === 'not-connected')
    return (
      <Alert title={<Trans>{name} is not connected.</Trans>}>
        {reader === 'client' && <Trans>Log in to {name} to see this account.</Trans>}
      </Alert>
    )
  return null
}

interface StaleAlertProps extends Pick<FiguresProps, 'reader' | 'onRetry'> {
  name: string
  at: Date
  held: Account['figuresHeld']
  late: boolean
}

function StaleAlert({ name, at, held, late, reader, onRetry }: StaleAlertProps) {
  const { t } = useLingui()
  return (
    <Alert
      kind="wait"
      title={
        <Trans>
          These balances are from <SecondTime at={at} />.
        </Trans>
      }
    >
      {held !== null ? (
        <OldBalancesReason name={name} held={held} reader={reader} />
      ) : late && reader === 'staff' ? (
        <Trans>No newer ones have reached this page.</Trans>
      ) : late ? (
        <Trans>
          No newer ones have reached this page. Your money and your positions are not affected. We will keep trying.
        </Trans>
      ) : reader === 'client' ? (
        <Trans>
          {name} has not responded since. Your money and your positions are not affected. You can see them in {name}{' '}
          itself. We try again every 15{'\u00a0'}seconds.
        </Trans>
      ) : (
        <Trans>{name} has not responded since.</Trans>
      )}
      {held === null && (
        <>
          {' '}
          <button type="button" className="text-button" onClick={onRetry}>{t`Try now`}</button>
        </>
      )}
    </Alert>
  )
}

interface OldBalancesProps extends Pick<FiguresProps, 'reader'> {
  name: string
  held: NonNullable<Account['figuresHeld']>
}

/** Why new balances are not shown although the platform responds. */
function OldBalancesReason({ name, held, reader }: OldBalancesProps) {
  if (held === 'booking')
    return reader === 'client' ? (
      <Trans>
        A payment or transfer on this account is being processed. New balances will appear once it is complete.
      </Trans>
    ) : (
      <Trans>A balance operation on this account is in progress. New balances will appear once it is complete.</Trans>
    )
  return reader === 'client' ? (
    <Trans>
      {name} is responding. We are checking its balances against our records. Your money and your positions are not
      affected.
    </Trans>
  ) : (
    <Trans>{name} is responding. Its balances are being compared with the ledger.</Trans>
  )
}
