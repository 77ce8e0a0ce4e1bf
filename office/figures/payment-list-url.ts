import type { depositDays } from '#contract/office/deposits.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { withdrawalDays } from '#contract/office/withdrawals.ts'
import { type PlainDate, dayIn, daysAfter } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'

export type PaymentDate = (typeof depositDays)[number] | (typeof withdrawalDays)[number]

interface PaymentListFilters {
  currency: Currency
  from: string
  to: string
  /** The stored name of a method. */
  method?: string
  /** The number of a client. */
  client?: string
}

/** Returns the first of the last days of a zone, today included, as the server counts them. */
export function firstOfLastDays(now: Date, days: number, timeZone: string): PlainDate {
  return daysAfter(dayIn(now, timeZone), 1 - days)
}

/** Returns the URL of the list of the deposits or withdrawals that a figure counts. */
export function paymentListUrl(moved: PaymentDate, { currency, from, to, method, client }: PaymentListFilters): string {
  const path = moved === 'credited' || moved === 'refunded' ? officePaths.deposits : officePaths.withdrawals
  const query = new URLSearchParams({ currency, state: 'all', dated: moved, from, to })
  if (method !== undefined) query.set('method', method)
  if (client !== undefined) query.set('q', client)
  return `${path}?${query}`
}
