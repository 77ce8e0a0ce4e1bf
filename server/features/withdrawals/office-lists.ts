/** Lists of withdrawals for staff. */
import type { listOfficeWithdrawals as listEndpoint } from '#contract/office/withdrawals.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { Handler } from '../../http/handler.ts'
import { pageOf } from '../../office/listing.ts'
import { rowHeads } from '../../office/lists.ts'
import { staffNames } from '../../office/records.ts'
import { lastFour } from '../../i18n/format.ts'
import { withdrawalColumns, withdrawalListing } from './queries.ts'

export const listOfficeWithdrawals: Handler<typeof listEndpoint> = async (dependencies, context) => {
  const { rows: found, next } = await pageOf(dependencies, withdrawalListing, withdrawalColumns, context.query)
  const [head, by] = await Promise.all([
    rowHeads(dependencies, withdrawalMachine.name, found, context.now),
    staffNames(dependencies.pool, found, ({ approvedBy }) => [approvedBy]),
  ])
  return {
    rows: found.map((one) => ({
      ...one,
      ...head(one, one.requestedAt),
      accountNumber: one.login,
      amount: one.amountMinor,
      bankEnding: lastFour(one.bank.iban ?? one.bank.accountNumber),
      firstApprovedBy: by(one.approvedBy),
    })),
    next,
  }
}
