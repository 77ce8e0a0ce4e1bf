/** Creates a batch of approved withdrawals, which pays nothing yet. */
import type { createPayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { decimalOf } from '#rules/money.ts'
import { batchNumber, batchPaymentsMax, payoutBatchMachine } from '#rules/payout-batches.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { checkTerms } from '../../../checks/checked-request.ts'
import { recordEvent } from '../../../db/events.ts'
import { run, transaction, type Transaction, requireRow } from '../../../db/sql.ts'
import { closeWorkItem, openWorkItem } from '../../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { withIdempotency } from '../../../http/idempotency.ts'
import { Problem } from '../../../http/problem.ts'
import { assertPayoutsNotStopped } from '../../../ledger/payout-stops.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { signOfBatches } from '../../../recovery/released-batches.ts'
import { assertMoneyNotStopped } from '../../../recovery/stopped-money.ts'
import { assertNotOwnRequest } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { Withdrawal } from '../queries.ts'
import { batchWorkItem } from './batch-work.ts'
import { blockResponses, payoutBlocks, type PayoutBlock } from './payout-blocks.ts'
import { payoutMinor } from './payout-file.ts'
import { lockReady } from './queries.ts'

const { name: kind, first } = payoutBatchMachine

export const createBatch: Handler<typeof endpoint> = async (dependencies, context) => {
  const { currency, withdrawals } = context.body
  const terms = await checkTerms(dependencies, context.now)
  await assertNoLostBatch(dependencies, context)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await assertPayoutsNotStopped(tx)
    const ready = await lockReady(tx, currency, withdrawals, batchPaymentsMax)
    if (ready.length === 0) throw new Problem('nothing-to-pay', { values: { currency } })
    for (const { clientEmail } of ready) assertNotOwnRequest(requireStaff(context), clientEmail)
    const blocks = await payoutBlocks(tx, ready, 'batch', terms)
    const payments = ready.filter(({ id }) => !blocks.has(id))
    const leftOut = ready.filter(({ id }) => blocks.has(id))
    if (payments.length === 0)
      throw new Problem('all-left-out', {
        values: { references: leftOut.map(({ reference }) => reference).join(', ') },
      })
    const batch = await insertBatch(tx, context, payments, leftOut)
    return {
      ...batch,
      currency,
      leftOut: leftOut.map((one) => leftOutResponse(one, blocks.get(one.id), context)),
    }
  })
}

/** Opens recovery and throws if only the file store knows a released batch: the bank may have executed it. */
async function assertNoLostBatch(dependencies: Dependencies, context: RequestContext<typeof endpoint>): Promise<void> {
  const found = await signOfBatches(dependencies)
  if (!found) return
  await transaction(dependencies.pool, (tx) => openRecovery(tx, { ...found, now: context.now }))
  await assertMoneyNotStopped(dependencies.pool, ['payouts'], context.auditContext.identity)
}

async function insertBatch(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  payments: readonly Withdrawal[],
  leftOut: readonly Withdrawal[],
) {
  const { currency } = context.body
  const totalMinor = payments.reduce((sum, payment) => sum + payoutMinor(payment), 0n)
  const count = payments.length
  const written = await requireRow<{ id: string; number: bigint }>(tx)`
    insert into payout_batches (currency, state, count, total_minor, created_by, created_at)
      values (${currency}, ${first}, ${count}, ${totalMinor}, ${requireStaff(context).staffId}, ${context.now})
      returning id, number`
  const { id } = written
  const number = batchNumber(written.number)
  await run(tx)`insert into payout_batch_payments (batch_id, withdrawal_id)
      select ${id}, one from unnest(${payments.map((payment) => payment.id)}::uuid[]) as one`
  // The batch replaces its payments in the inbox.
  for (const payment of payments) await closeWorkItem(tx, withdrawalMachine.name, payment.id, context.auditContext)
  const details = {
    number,
    count,
    total: decimalOf(totalMinor),
    currency,
    ...(leftOut.length > 0 ? { leftOut: leftOut.map(({ reference }) => reference).join(', ') } : {}),
  }
  await recordEvent(tx, context.auditContext, { kind, action: 'create', record: id, to: first, details })
  const workItem = await batchWorkItem(tx, { number: written.number, currency, count, totalMinor }, first, context.now)
  await openWorkItem(tx, kind, id, context.now, workItem)
  return { id, number, count, total: totalMinor }
}

/** Returns an excluded payment for display. */
function leftOutResponse(
  { id, reference, clientName }: Withdrawal,
  blocks: readonly PayoutBlock[] | undefined,
  { language }: Pick<RequestContext, 'language'>,
) {
  return { id, reference, client: clientName, blocks: blockResponses(blocks, language) }
}
