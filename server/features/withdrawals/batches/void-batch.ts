/** Voids a batch that is not paid: by one person before its release, by two after it. */
import type * as office from '#contract/office/payout-batches.ts'
import type { Transaction } from '../../../db/sql.ts'
import { requireStaff, type Handler } from '../../../http/handler.ts'
import { Problem } from '../../../http/problem.ts'
import { batchWorkItem, removeFromBatch, moveBatch } from './batch-work.ts'
import { lockPayments, type PayoutBatch } from './queries.ts'

/** Makes all payments of a batch available again. */
async function removeAllPayments(tx: Transaction, batch: PayoutBatch, now: Date): Promise<void> {
  await removeFromBatch(tx, batch.id, await lockPayments(tx, batch.id), new Map(), now)
}

export const discardBatch: Handler<typeof office.discardPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: reason, voided_by: requireStaff(context).staffId, voided_at: context.now }
  return moveBatch(
    dependencies,
    context,
    async () => ({ action: 'discard', reason, set, workItem: null }),
    (tx, batch) => removeAllPayments(tx, batch, context.now),
  )
}

export const requestVoid: Handler<typeof office.requestVoidPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: reason, void_asked_by: requireStaff(context).staffId, void_asked_at: context.now }
  return moveBatch(dependencies, context, async (tx, batch) => {
    const workItem = await batchWorkItem(tx, batch, 'void_requested', context.now)
    return { action: 'askVoid', reason, set, workItem }
  })
}

/** Confirms, as the second person, that the bank executed no payment. */
export const confirmVoid: Handler<typeof office.confirmVoidPayoutBatch> = (dependencies, context) => {
  const { note } = context.body
  const { staffId } = requireStaff(context)
  const set = { voided_by: staffId, voided_at: context.now }
  return moveBatch(
    dependencies,
    context,
    async (_tx, { voidAskedBy }) => {
      if (voidAskedBy === staffId) throw new Problem('own-act')
      return { action: 'confirmVoid', ...(note ? { reason: note } : {}), set, workItem: null }
    },
    (tx, batch) => removeAllPayments(tx, batch, context.now),
  )
}

export const dropVoid: Handler<typeof office.dropVoidPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: null, void_asked_by: null, void_asked_at: null }
  return moveBatch(dependencies, context, async (tx, batch) => {
    const workItem = await batchWorkItem(tx, batch, 'released', context.now)
    return { action: 'dropVoid', reason, set, workItem }
  })
}
