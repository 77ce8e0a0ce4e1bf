import { Trans } from '@lingui/react/macro'
import type { Account } from '#contract/accounts.ts'
import { currencies, money, type Money as Amount } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { historyTime } from '#ui/text/time.tsx'

/** Shows when the platforms were read, and what all accounts hold, by currency. */
export function AccountTotals({ accounts, kind }: { accounts: readonly Account[]; kind: 'live' | 'demo' }) {
  const read = accounts.flatMap(({ figuresAt }) => (figuresAt ? [figuresAt.getTime()] : []))
  const totals = totalsOf(accounts)
  if (totals.length === 0) return null
  return (
    <div className="account-totals">
      {read.length > 0 && (
        <span className="numbers">
          <Trans>Balances from the platforms, {historyTime(new Date(Math.min(...read))).split(' ')[1]}</Trans>
        </span>
      )}
      <span className="account-totals-sums">
        {kind === 'live' ? <Trans>All live accounts</Trans> : <Trans>All demo accounts</Trans>}
        {totals.map((total) => (
          <b key={total.currency} className="strong">
            <Money amount={total} />
          </b>
        ))}
      </span>
    </div>
  )
}

function totalsOf(accounts: readonly Account[]): Amount[] {
  return currencies.flatMap((currency) => {
    const balances = accounts.filter((account) => account.baseCurrency === currency && account.balance !== null)
    if (balances.length === 0) return []
    return [
      money(
        balances.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n),
        currency,
      ),
    ]
  })
}
