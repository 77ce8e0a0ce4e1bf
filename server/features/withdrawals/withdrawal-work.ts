/** The work item of a withdrawal. */
import { decimalOf } from '#rules/money.ts'
import type { Withdrawal } from './queries.ts'

/** Returns the item without its state and due time. */
export function workOf({ amountMinor, currency, login, reference, clientId }: Withdrawal) {
  return { clientId, summary: { amount: decimalOf(amountMinor), currency, account: login, reference } }
}
