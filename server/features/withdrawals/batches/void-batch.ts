/** A batch that is not paid: voided before its release by one person, after it by two. And one that is done. */
import type {
  askVoidPayoutBatch as askEndpoint,
  closePayoutBatch as closeEndpoint,
  confirmVoidPayoutBatch as confirmEndpoint,
  discardPayoutBatch as discardEndpoint,
  dropVoidPayoutBatch as dropEndpoint,
} from '#contract/office/payout-batches.ts'
import { payoutBatchLife } from '#rules/payout-batches.ts'
import { advance } from '../../../db/transition.ts'
import { transaction, type Transaction } from '../../../db/transaction.ts'
import { staffOf, type Call } from '../../../http/request-context.ts'
import { Problem } from '../../../http/problem.ts'
import type { Verb } from '../../../http/register-endpoint.ts'
import { decidedAnswer, namingDecider } from '../../../office/records.ts'
import type { Parts } from '../../../dependencies.ts'
import { batchWork, freePayments } from './batch-work.ts'
import { lockBatch, lockPayments, type PayoutBatch } from './queries.ts'

const { name: kind } = payoutBatchLife

type Step = Pick<Parameters<typeof advance>[3], 'verb' | 'set' | 'work' | 'reason'>
type Asked = Pick<Call, 'act' | 'caller' | 'now'> & {
  readonly params: { readonly id: string }
  readonly body: { readonly version: number }
}

/** Moves a batch by one step, its row locked, and does what belongs to it. */
function move(
  parts: Parts,
  call: Asked,
  step: (tx: Transaction, batch: PayoutBatch) => Promise<Step>,
  also?: (tx: Transaction, batch: PayoutBatch) => Promise<void>,
) {
  const { id } = call.params
  return namingDecider(parts, kind, id, () =>
    transaction(parts.pool, async (tx) => {
      const batch = await lockBatch(tx, id)
      if (!batch) throw new Problem('not-found')
      const { version } = call.body
      const after = await advance(tx, payoutBatchLife, call.act, { id, version, ...(await step(tx, batch)) })
      await also?.(tx, batch)
      return decidedAnswer(tx, call, kind, id, after)
    }),
  )
}

/** All payments of a batch are free again. */
async function free(tx: Transaction, batch: PayoutBatch, now: Date): Promise<void> {
  await freePayments(tx, batch.id, await lockPayments(tx, batch.id), new Map(), now)
}

export function discardBatch(parts: Parts): Verb<typeof discardEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { void_reason: reason, voided_by: staffOf(call).staffId, voided_at: call.now }
    return move(
      parts,
      call,
      async () => ({ verb: 'discard', reason, set, work: null }),
      (tx, batch) => free(tx, batch, call.now),
    )
  }
}

export function askVoid(parts: Parts): Verb<typeof askEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { void_reason: reason, void_asked_by: staffOf(call).staffId, void_asked_at: call.now }
    return move(parts, call, async (tx, batch) => {
      const work = await batchWork(tx, batch, 'void_requested', call.now)
      return { verb: 'askVoid', reason, set, work }
    })
  }
}

/** The second person says the same: the bank executed none. */
export function confirmVoid(parts: Parts): Verb<typeof confirmEndpoint> {
  return (call) => {
    const { note } = call.body
    const { staffId } = staffOf(call)
    const set = { voided_by: staffId, voided_at: call.now }
    return move(
      parts,
      call,
      async (_tx, { voidAskedBy }) => {
        if (voidAskedBy === staffId) throw new Problem('own-act')
        return { verb: 'confirmVoid', ...(note ? { reason: note } : {}), set, work: null }
      },
      (tx, batch) => free(tx, batch, call.now),
    )
  }
}

export function dropVoid(parts: Parts): Verb<typeof dropEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { void_reason: null, void_asked_by: null, void_asked_at: null }
    return move(parts, call, async (tx, batch) => {
      const work = await batchWork(tx, batch, 'released', call.now)
      return { verb: 'dropVoid', reason, set, work }
    })
  }
}

export function closeBatch(parts: Parts): Verb<typeof closeEndpoint> {
  return (call) => {
    const { note } = call.body
    return move(parts, call, async () => ({ verb: 'close', ...(note ? { reason: note } : {}), work: null }))
  }
}
