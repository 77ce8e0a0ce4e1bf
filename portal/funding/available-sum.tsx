import { useLingui } from '@lingui/react/macro'
import { money, type Money as Amount } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { Totals } from '#ui/money/money-summary.tsx'
import { figureOf, type OpenAccount } from './accounts.ts'

/** Returns what can leave the account now: min(balance, free margin) less what is set aside (requirements 18.5). */
export function availableOf(account: OpenAccount): Amount | null {
  return figureOf(account, account.available)
}

/** Available as a sum: balance, what open positions hold, what is set aside. */
export function AvailableSum({ account }: { account: OpenAccount }) {
  const { t } = useLingui()
  const { balance, freeMargin, reserved, baseCurrency: currency } = account
  if (balance === null) return null
  const held = freeMargin !== null && freeMargin < balance ? balance - freeMargin : 0n
  // Nothing is available where a losing position leaves less than nothing; the sum says how much is missing.
  const missing = reserved + held - balance
  return (
    <div className="available-sum">
      <Totals
        rows={[
          { label: t`Balance`, value: <Money amount={money(balance, currency)} /> },
          ...(held > 0n
            ? [{ label: t`Used by open positions`, value: <Money amount={money(-held, currency)} /> }]
            : []),
          { label: t`Reserved for other requests`, value: <Money amount={money(-reserved, currency)} /> },
          ...(missing > 0n ? [{ label: t`Not covered`, value: <Money amount={money(missing, currency)} /> }] : []),
        ]}
        total={{ label: t`Available`, value: <Money amount={availableOf(account)} /> }}
      />
    </div>
  )
}
