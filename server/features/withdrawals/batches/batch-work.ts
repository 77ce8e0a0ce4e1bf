/** Transitions of a batch, its work items, and those of payments that leave it. */
import { decimalOf } from '#rules/money.ts'
import { batchNumber, payoutBatchMachine, type PayoutBatchState } from '#rules/payout-batches.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { run, type Transaction } from '../../../db/sql.ts'
import { openWorkItem, type WorkItem } from '../../../db/work-items.ts'
import { workItemDueIn } from '../../../office/due-dates.ts'
import { withdrawalWorkItem, type Withdrawal } from '../queries.ts'
import type { PayoutBlocks } from './payout-blocks.ts'
import { lockBatch, lockPayments, type PayoutBatch } from './queries.ts'
import type { PayoutBatchId } from '#rules/ids.ts'
import { applyTransition, type TransitionDetails } from '../../../db/transition.ts'
import { requireStaff, type RequestContext } from '../../../http/handler.ts'
import { requireFound } from '../../../http/problem.ts'
import { assertNotOwnRequest, takeDecision } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'

/** Returns the work item of a batch in a state that needs a person. */
export async function batchWorkItem(
  tx: Transaction,
  batch: Pick<PayoutBatch, 'number' | 'currency'> & { readonly count: number; readonly totalMinor: bigint },
  state: PayoutBatchState,
  now: Date,
): Promise<WorkItem> {
  const { number, currency, count, totalMinor } = batch
  const summary = { amount: decimalOf(totalMinor), currency, reference: batchNumber(number), count }
  return { state, dueAt: await workItemDueIn(tx, 'payout_batch', now), summary }
}

/** Removes payments from a batch: they are ready for another one and in the inbox again. */
export async function removeFromBatch(
  tx: Transaction,
  batchId: string,
  payments: readonly Withdrawal[],
  leftOut: PayoutBlocks,
  now: Date,
): Promise<void> {
  const dueAt = await workItemDueIn(tx, 'withdrawal', now)
  for (const payment of payments) {
    const codes = leftOut.get(payment.id)?.map(({ code }) => code)
    await run(tx)`update payout_batch_payments set live = false, left_out = ${codes ?? null}::text[]
        where batch_id = ${batchId} and withdrawal_id = ${payment.id}`
    if (payment.state === 'approved')
      await openWorkItem(tx, withdrawalMachine.name, payment.id, now, {
        ...withdrawalWorkItem(payment),
        state: 'approved',
        dueAt,
      })
  }
}

type BatchAction = TransitionDetails<PayoutBatchState> & { readonly action: string }
type BatchContext = Pick<RequestContext, 'auditContext' | 'caller' | 'now'> & {
  readonly params: { readonly id: PayoutBatchId }
  readonly body: { readonly version: number }
}

/**
 * Moves a batch by one transition, its row and payments locked, and performs the consequences. Throws `own-request` if
 * one of its payments is for the person's own client account.
 */
export function moveBatch(
  dependencies: Dependencies,
  context: BatchContext,
  step: (tx: Transaction, batch: PayoutBatch) => Promise<BatchAction>,
  also?: (tx: Transaction, batch: PayoutBatch) => Promise<void>,
) {
  const { id } = context.params
  return takeDecision(dependencies, context, payoutBatchMachine.name, id, async (tx) => {
    const batch = requireFound(await lockBatch(tx, id))
    const staff = requireStaff(context)
    for (const { clientEmail } of await lockPayments(tx, id)) assertNotOwnRequest(staff, clientEmail)
    const { action, ...details } = await step(tx, batch)
    const { version } = context.body
    const after = await applyTransition(tx, payoutBatchMachine, context.auditContext, batch, action, {
      version,
      ...details,
    })
    await also?.(tx, batch)
    return after
  })
}
