/** The inbox item of a withdrawal. */
import { decimalOf } from '#rules/money.ts'
import type { Withdrawal } from './queries.ts'

/** Returns all of the item but its state and due time. */
export function workOf({ amountMinor, currency, login, reference, clientId }: Withdrawal) {
  return { clientId, summary: { amount: decimalOf(amountMinor), currency, account: login, reference } }
}
