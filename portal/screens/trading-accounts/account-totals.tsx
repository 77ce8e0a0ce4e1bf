import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Account } from '#contract/accounts.ts'
import { currencies, type Currency, money } from '#rules/money.ts'
import type { ShownAccount } from '#ui/account/late-figures.ts'
import { Money } from '#ui/money/money.tsx'
import { SecondTime } from '#ui/text/second-time.tsx'
import { Time } from '#ui/text/time.tsx'
import { accountNumberText } from '../../funding/accounts.ts'

interface Total {
  readonly currency: Currency
  readonly accounts: number
  readonly balance: bigint
  readonly equity: bigint
  readonly available: bigint
  /** Excluded from the sums: the platform has reported no figures, none newer than old ones, or no longer has it. */
  readonly silent: readonly ShownAccount[]
}

/** The totals of all open live accounts, one row per currency; never summed across currencies (requirements 24.11). */
export function AccountTotals({ accounts }: { accounts: readonly ShownAccount[] }) {
  const { t } = useLingui()
  const open = accounts.filter(({ status }) => status === 'approved')
  if (open.length < 2) return null
  const totals = totalsOf(open)
  const read = open.flatMap((account) => (account.figuresAt && isCurrent(account) ? [account.figuresAt.getTime()] : []))
  return (
    <table className="account-totals numbers">
      <caption className="unseen">{t`All live accounts`}</caption>
      <thead>
        <tr>
          <th scope="col">
            {read.length > 0 ? (
              <Trans>
                All live accounts, <SecondTime at={new Date(Math.min(...read))} />
              </Trans>
            ) : (
              t`All live accounts`
            )}
          </th>
          <th scope="col">{t`Balance`}</th>
          <th scope="col">{t`Equity`}</th>
          <th scope="col">{t`Available`}</th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total) => (
          <TotalRow key={total.currency} total={total} />
        ))}
      </tbody>
    </table>
  )
}

function TotalRow({ total: { currency, accounts, silent, ...sums } }: { total: Total }) {
  return (
    <tr>
      <th scope="row">
        {currency}
        <span className="account-totals-count">
          <Plural value={accounts} one="# account" other="# accounts" />
        </span>
        {silent.map((account) => (
          <span key={account._id} className="account-totals-silent">
            {!account.connected ? (
              <Trans>excluding {accountNumberText(account.number ?? '')}: not connected</Trans>
            ) : account.missing ? (
              <Trans>excluding {accountNumberText(account.number ?? '')}: closed</Trans>
            ) : account.figuresAt === null ? (
              <Trans>excluding {accountNumberText(account.number ?? '')}: no balances yet</Trans>
            ) : account.figuresHeld || account.late ? (
              <Trans>
                excluding {accountNumberText(account.number ?? '')}: balances as of{' '}
                <Time at={account.figuresAt} form="clock" />
              </Trans>
            ) : (
              <Trans>
                excluding {accountNumberText(account.number ?? '')}: no response since{' '}
                <Time at={account.figuresAt} form="clock" />
              </Trans>
            )}
          </span>
        ))}
      </th>
      {[sums.balance, sums.equity, sums.available].map((minor, index) => (
        <td key={index}>
          {silent.length === accounts ? <Money amount={null} /> : <Money amount={money(minor, currency)} />}
        </td>
      ))}
    </tr>
  )
}

/** Whether balances count in the totals: those of an account missing on its platform never do, however new they are. */
function isCurrent({ figuresOld, missing }: Account): boolean {
  return !figuresOld && !missing
}

function totalsOf(accounts: readonly ShownAccount[]): Total[] {
  return currencies.flatMap((currency) => {
    const own = accounts.filter((account) => account.baseCurrency === currency)
    if (own.length === 0) return []
    const silent = own.filter((account) => account.balance === null || !isCurrent(account))
    const current = own.filter((account) => !silent.includes(account))
    const sum = (key: 'balance' | 'equity' | 'available') =>
      current.reduce((total, account) => total + (account[key] ?? account.balance ?? 0n), 0n)
    const sums = { balance: sum('balance'), equity: sum('equity'), available: sum('available') }
    return [{ currency, accounts: own.length, silent, ...sums }]
  })
}
