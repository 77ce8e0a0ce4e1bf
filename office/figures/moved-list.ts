import type { depositDays } from '#contract/office/deposits.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { withdrawalDays } from '#contract/office/withdrawals.ts'
import type { Currency } from '#rules/money.ts'

export type Moved = (typeof depositDays)[number] | (typeof withdrawalDays)[number]

interface MovedIn {
  currency: Currency
  from: string
  to: string
  /** The stored name of a method. */
  method?: string
  /** The number of a client. */
  client?: string
}

/** Returns the list of the deposits or withdrawals that a figure counts. */
export function movedList(moved: Moved, { currency, from, to, method, client }: MovedIn): string {
  const path = moved === 'credited' || moved === 'refunded' ? officePaths.deposits : officePaths.withdrawals
  const query = new URLSearchParams({ currency, state: 'all', dated: moved, from, to })
  if (method !== undefined) query.set('method', method)
  if (client !== undefined) query.set('q', client)
  return `${path}?${query}`
}
