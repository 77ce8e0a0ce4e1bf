/**
 * Reverses a debited withdrawal that is not paid: finance requests it, a second person confirms it, and the whole debit
 * is credited to the trading account, including its fee (requirements 9.8).
 */
import type * as office from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { checkReversal, withdrawalMachine, type WithdrawalState } from '#rules/withdrawals.ts'
import { applyTransition, type TransitionDetails } from '../../db/transition.ts'
import { row, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { paidOnlyAtBank } from '../../ledger/differences.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { batchOf } from './batches/queries.ts'
import { withdrawalForDecision } from './decide-withdrawal.ts'
import { withdrawalById, withdrawalWorkItem, type Withdrawal } from './queries.ts'

const kind = withdrawalMachine.name
type DecisionContext = RequestContext<
  typeof office.requestReversal | typeof office.dropReversal | typeof office.reverseWithdrawal
>
type ReversalAction = TransitionDetails<WithdrawalState> & { readonly action: string }

/** Removes the withdrawal from all lists until the second person confirms or rejects the reversal. */
export const requestReversal: Handler<typeof office.requestReversal> = (dependencies, context) =>
  decideReversal(dependencies, context, async (tx, withdrawal) => ({
    action: 'askReversal',
    reason: context.body.reason,
    set: { reversal_asked_by: requireStaff(context).staffId, reversal_asked_at: context.now },
    workItem: {
      ...withdrawalWorkItem(withdrawal),
      state: 'reversal',
      dueAt: await workItemDueIn(tx, 'withdrawal', context.now),
    },
  }))

export const dropReversal: Handler<typeof office.dropReversal> = (dependencies, context) =>
  decideReversal(dependencies, context, async (tx, withdrawal) => ({
    action: 'dropReversal',
    reason: context.body.reason,
    set: { reversal_asked_by: null, reversal_asked_at: null },
    workItem: {
      ...withdrawalWorkItem(withdrawal),
      state: 'approved',
      dueAt: await workItemDueIn(tx, 'withdrawal', context.now),
    },
  }))

export const reverseWithdrawal: Handler<typeof office.reverseWithdrawal> = (dependencies, context) =>
  decideReversal(
    dependencies,
    context,
    async () => ({
      action: 'reverse',
      reason: context.body.note,
      set: { reversed_by: requireStaff(context).staffId, returned_at: context.now },
      workItem: null,
    }),
    (tx, withdrawal) =>
      enqueueBalance(tx, dependencies.keys, context.now, {
        request: withdrawal,
        subject: kind,
        leg: 'withdrawal-reversal',
        amount: money(withdrawal.amountMinor, withdrawal.currency),
      }),
  )

/** Performs one transition with the withdrawal's row locked: a concurrent creation of a batch waits or is seen. */
async function decideReversal(
  dependencies: Dependencies,
  context: DecisionContext,
  step: (tx: Transaction, withdrawal: Withdrawal) => Promise<ReversalAction>,
  also?: (tx: Transaction, withdrawal: Withdrawal) => Promise<unknown>,
) {
  const { id } = await withdrawalForDecision(dependencies, context, context.params.id)
  return takeDecision(dependencies, context, kind, id, async (tx) => {
    await row(tx)`select id from withdrawals where id = ${id} for update`
    const withdrawal = requireFound(await withdrawalById(tx, id))
    const { action, ...move } = await step(tx, withdrawal)
    const isInBatch = (await batchOf(tx, id)) !== null
    const isPaidAtBank = (await paidOnlyAtBank(tx, [id])).has(id)
    const { staffId } = requireStaff(context)
    if (withdrawal.state === 'approved')
      throwIfProblem(checkReversal({ action, isInBatch, isPaidAtBank, askedBy: withdrawal.reversalAskedBy, staffId }))
    const after = await applyTransition(tx, withdrawalMachine, context.auditContext, withdrawal, action, {
      version: context.body.version,
      ...move,
    })
    await also?.(tx, withdrawal)
    return after
  })
}
