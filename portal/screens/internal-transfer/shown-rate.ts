import { useEffect, useState } from 'react'
import { quoteTransfer } from '#contract/transfers.ts'
import { decimalOf, money, type Money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { OpenAccount } from '../../funding/accounts.ts'
import type { ShownRate } from './transfer-draft.ts'

/** Frequent enough that a shown rate is never close to its expiry, in ms. */
const pollMs = 60_000
/** Delay after the last keystroke, in ms. */
const settleMs = 350

/** Returns the server's rate of a transfer and the amount received; sends no request within one currency. */
export function useShownRate(source: OpenAccount, destination: OpenAccount, amount: Money | null, enabled = true) {
  const typed = amount === null ? null : decimalOf(amount.minor)
  const asked = useDebounced(typed)
  const exchanged = source.baseCurrency !== destination.baseCurrency
  const { data, error, refetch } = useEndpoint(
    quoteTransfer,
    {
      sourceAccountPlatform: source.platform,
      sourceAccount: source.number,
      destinationAccountPlatform: destination.platform,
      destinationAccount: destination.number,
      transferAmount: asked ?? '',
    },
    { enabled: enabled && exchanged && asked !== null, pollMs },
  )
  if (!exchanged) return { shown: amount && { rate: '1', arrives: amount, until: null }, error: null, refetch }
  const shown: ShownRate | null =
    data && typed !== null && typed === asked
      ? { rate: data.rate, arrives: money(data.arrives, data.currency), until: data.until }
      : null
  return { shown, error: typed === null ? null : error, refetch }
}

/** Returns the value once it has not changed for `settleMs`. */
function useDebounced(value: string | null): string | null {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
