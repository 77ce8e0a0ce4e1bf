/** Finance takes a line as a payout that a colleague returned: the bank kept a charge of it, or named nothing. */
import type { takeReturnedPayout as endpoint } from '#contract/office/deposits.ts'
import { bankLineLife } from '#rules/deposits.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { lockPayout, takeAsReturned } from '../../ledger/returned-payouts.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { comeBackRefusal, refusalsOf } from './bank-line-responses.ts'
import { bankLineById } from './queries.ts'

const kind = bankLineLife.name

export function takeReturnedPayout(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const line = await bankLineById(parts.pool, call.params.id)
    if (!line) throw new Problem('not-found')
    const staff = staffOf(call)
    const outgoing = refusalsOf(line, staff.staffId)['comeBack']
    if (outgoing) throw outgoing
    const { version, withdrawalId, reason } = call.body
    return namingDecider(parts, kind, line.id, () =>
      transaction(parts.pool, async (tx) => {
        // The payout before the line, as its return does: two who come at once do not wait for each other.
        const payout = await lockPayout(tx, withdrawalId)
        if (!payout) throw new Problem('not-found', { field: 'withdrawalId' })
        refuseOwnRequest(staff, payout.clientEmail)
        // A line that was decided meanwhile is told as such.
        if (line.state === bankLineLife.first) refuse(comeBackRefusal(line, payout, staff.staffId))
        const { id, amountMinor } = line
        const after = await takeAsReturned(tx, call.act, { id, version, amountMinor, reason }, payout)
        return decidedAnswer(tx, call, kind, line.id, after)
      }),
    )
  }
}
