/**
 * Finance assigns a bank transaction to a payout that a colleague has marked as returned, if the bank deducted charges
 * or gave no reference.
 */
import type { takeReturnedPayout as endpoint } from '#contract/office/bank-lines.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../http/problem.ts'
import { lockPayout, matchReturnedPayout } from '../../ledger/returned-payouts.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import { payoutReturnProblem, refusalsOf } from './bank-line-responses.ts'
import { bankLineById } from './queries.ts'

const kind = bankLineMachine.name

export const takeReturnedPayout: Handler<typeof endpoint> = async (dependencies, context) => {
  const line = requireFound(await bankLineById(dependencies.pool, context.params.id))
  const staff = requireStaff(context)
  const outgoing = refusalsOf(line, staff.staffId)['comeBack']
  if (outgoing) throw outgoing
  const { version, withdrawalId, reason } = context.body
  return takeDecision(dependencies, context, kind, line.id, async (tx) => {
    // Locks the payout before the bank transaction, in the order of its return, to avoid a deadlock.
    const payout = requireFound(await lockPayout(tx, withdrawalId), { field: 'withdrawalId' })
    assertNotOwnRequest(staff, payout.clientEmail)
    // A transaction decided in the meantime is reported as such.
    if (line.state === bankLineMachine.first) throwIfProblem(payoutReturnProblem(line, payout, staff.staffId))
    const { id, amountMinor } = line
    const after = await matchReturnedPayout(tx, context.auditContext, { id, version, amountMinor, reason }, payout)
    return after
  })
}
