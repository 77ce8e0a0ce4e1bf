import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { money } from '#rules/money.ts'
import type { ShownAccount } from '#ui/account/late-figures.ts'
import { platformNames } from '#ui/account/platform-names.ts'
import { Money } from '#ui/money/money.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { Time } from '#ui/text/time.tsx'
import { oldBalances } from '../../funding/old-balances.tsx'

/** The balances of an open account, what is set aside of them, and how old they are. */
export function AccountFigures({ account }: { account: ShownAccount }) {
  const { t } = useLingui()
  const old = oldBalances(account)
  const { baseCurrency: currency, balance, equity, freeMargin, openPositions } = account
  const amount = (minor: bigint | null) => (minor === null ? null : money(minor, currency))
  const used = equity === null || freeMargin === null ? null : equity - freeMargin
  return (
    <dl className={account.figuresOld ? 'account-figures old' : 'account-figures'}>
      <div className="account-balance">
        <dt>{t`Balance`}</dt>
        <dd>
          <Money amount={amount(balance)} size="figure" />
        </dd>
      </div>
      <div>
        <dt>{t`Equity`}</dt>
        <dd>
          <Money amount={amount(equity)} bare />
        </dd>
      </div>
      <div>
        <dt>{t`Margin used`}</dt>
        <dd>
          <Money amount={amount(used)} bare />
          {used !== null && (
            <span className="margin-bar" aria-hidden="true">
              <i style={{ width: `${marginPercent(used, equity ?? 0n)}%` }} />
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t`Free margin`}</dt>
        <dd>
          <Money amount={amount(freeMargin)} bare />
        </dd>
      </div>
      <div>
        <dt>{t`Open positions`}</dt>
        <dd>{openPositions ?? '–'}</dd>
      </div>
      {account.setAside.map(({ id, list, amount: minor, reference }) => (
        <Note key={id} label={t`Set aside`}>
          <Trans>
            <Money amount={money(minor, currency)} /> set aside for{' '}
            <Link href={portalPaths.history(list, id)}>
              <Codes>{reference}</Codes>
            </Link>
          </Trans>
        </Note>
      ))}
      {account.closed && (
        <Note label={t`Status`}>
          <Trans>This account is closed.</Trans>{' '}
          {account.missing && account.figuresAt && (
            <Trans>
              Balances as of <Time at={account.figuresAt} />.
            </Trans>
          )}
        </Note>
      )}
      {!account.connected && (
        <Note label={t`Status`}>
          <NotConnected platform={account.platform} />
        </Note>
      )}
      {old && (
        <Note {...(balance === null ? {} : { className: 'account-old' })} label={t`As of`}>
          {old}
        </Note>
      )}
    </dl>
  )
}

/** A sentence below the figures; `label` is for screen readers. */
function Note({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className="account-reserved">
      <dt className="unseen">{label}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** The words of the account's own page. */
function NotConnected({ platform }: Pick<Account, 'platform'>) {
  const name = platformNames[platform]
  return (
    <>
      <Trans>{name} is not connected.</Trans> <Trans>Log in to {name} to see this account.</Trans>
    </>
  )
}

/** Returns the margin as a percentage of equity; 100 if losses have left no equity. */
function marginPercent(used: bigint, equity: bigint): number {
  if (used <= 0n) return 0
  return equity <= used ? 100 : Number((used * 100n) / equity)
}
