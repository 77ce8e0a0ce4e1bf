/** Lists of withdrawals for staff. */
import type { QueryOf } from '#contract/endpoint.ts'
import type { listOfficeWithdrawals as listEndpoint } from '#contract/office/withdrawals.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { pageOf } from '../../office/listing.ts'
import { rowHeads } from '../../office/lists.ts'
import { staffNames } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { lastFour } from '../../i18n/format.ts'
import { withdrawalColumns, withdrawalListing, type Withdrawal } from './queries.ts'

export function listOfficeWithdrawals(parts: Parts): Verb<typeof listEndpoint> {
  return async (call) => {
    const { rows: found, next } = await pageOf<Withdrawal, QueryOf<typeof listEndpoint>>(
      parts,
      withdrawalListing,
      withdrawalColumns,
      call.query,
    )
    const head = await rowHeads(parts, withdrawalLife.name, found)
    const names = await staffNames(
      parts.pool,
      found.map((one) => one.approvedBy),
    )
    return {
      rows: found.map((one) => ({
        ...head(one, one.requestedAt),
        state: one.state,
        reference: one.reference,
        accountNumber: one.login,
        amount: one.amountMinor,
        currency: one.currency,
        bankEnding: lastFour(one.bank.iban ?? one.bank.accountNumber),
        firstApprovedBy: (one.approvedBy && names.get(one.approvedBy)) || null,
      })),
      next,
    }
  }
}
