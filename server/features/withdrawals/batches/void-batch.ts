/** Voids a batch that is not paid: by one person before its release, by two after it. Also closes a completed one. */
import type * as office from '#contract/office/payout-batches.ts'
import { payoutBatchMachine, type PayoutBatchState } from '#rules/payout-batches.ts'
import type { PayoutBatchId } from '#rules/ids.ts'
import { applyTransition, type TransitionDetails } from '../../../db/transition.ts'
import type { Transaction } from '../../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { Problem } from '../../../http/problem.ts'
import { takeDecision } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { batchWorkItem, freePayments } from './batch-work.ts'
import { lockBatch, lockPayments, type PayoutBatch } from './queries.ts'

const { name: kind } = payoutBatchMachine

type VoidAction = TransitionDetails<PayoutBatchState> & { readonly action: string }
type Asked = Pick<RequestContext, 'auditContext' | 'caller' | 'now'> & {
  readonly params: { readonly id: PayoutBatchId }
  readonly body: { readonly version: number }
}

/** Moves a batch by one transition, its row locked, and performs the consequences. */
function move(
  dependencies: Dependencies,
  context: Asked,
  step: (tx: Transaction, batch: PayoutBatch) => Promise<VoidAction>,
  also?: (tx: Transaction, batch: PayoutBatch) => Promise<void>,
) {
  const { id } = context.params
  return takeDecision(dependencies, context, kind, id, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw new Problem('not-found')
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

/** Makes all payments of a batch available again. */
async function free(tx: Transaction, batch: PayoutBatch, now: Date): Promise<void> {
  await freePayments(tx, batch.id, await lockPayments(tx, batch.id), new Map(), now)
}

export const discardBatch: Handler<typeof office.discardPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: reason, voided_by: requireStaff(context).staffId, voided_at: context.now }
  return move(
    dependencies,
    context,
    async () => ({ action: 'discard', reason, set, workItem: null }),
    (tx, batch) => free(tx, batch, context.now),
  )
}

export const requestVoid: Handler<typeof office.requestVoidPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: reason, void_asked_by: requireStaff(context).staffId, void_asked_at: context.now }
  return move(dependencies, context, async (tx, batch) => {
    const workItem = await batchWorkItem(tx, batch, 'void_requested', context.now)
    return { action: 'askVoid', reason, set, workItem }
  })
}

/** Confirms, as the second person, that the bank executed no payment. */
export const confirmVoid: Handler<typeof office.confirmVoidPayoutBatch> = (dependencies, context) => {
  const { note } = context.body
  const { staffId } = requireStaff(context)
  const set = { voided_by: staffId, voided_at: context.now }
  return move(
    dependencies,
    context,
    async (_tx, { voidAskedBy }) => {
      if (voidAskedBy === staffId) throw new Problem('own-act')
      return { action: 'confirmVoid', ...(note ? { reason: note } : {}), set, workItem: null }
    },
    (tx, batch) => free(tx, batch, context.now),
  )
}

export const dropVoid: Handler<typeof office.dropVoidPayoutBatch> = (dependencies, context) => {
  const { reason } = context.body
  const set = { void_reason: null, void_asked_by: null, void_asked_at: null }
  return move(dependencies, context, async (tx, batch) => {
    const workItem = await batchWorkItem(tx, batch, 'released', context.now)
    return { action: 'dropVoid', reason, set, workItem }
  })
}

export const closeBatch: Handler<typeof office.closePayoutBatch> = (dependencies, context) => {
  const { note } = context.body
  return move(dependencies, context, async () => ({
    action: 'close',
    ...(note ? { reason: note } : {}),
    workItem: null,
  }))
}
