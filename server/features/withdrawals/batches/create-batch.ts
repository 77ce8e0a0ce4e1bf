/** A batch of approved withdrawals is created: nothing leaves the firm by that. */
import type { createPayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { decimalOf } from '#rules/money.ts'
import { batchNumber, batchPaymentsMax, payoutBatchLife } from '#rules/payout-batches.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { record } from '../../../db/events.ts'
import { row, run, sql } from '../../../db/sql.ts'
import { transaction, type Transaction } from '../../../db/transaction.ts'
import { closeWork, openWork } from '../../../db/work-items.ts'
import { staffOf, type Call } from '../../../http/request-context.ts'
import { once } from '../../../http/idempotency.ts'
import { Problem } from '../../../http/problem.ts'
import type { Verb } from '../../../http/register-endpoint.ts'
import { refuseWhileStopped } from '../../../ledger/payout-stops.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { signOfBatches } from '../../../recovery/released-batches.ts'
import { refuseStopped } from '../../../recovery/stopped-money.ts'
import { refuseOwnRequest } from '../../../office/records.ts'
import type { Parts } from '../../../dependencies.ts'
import type { Withdrawal } from '../queries.ts'
import { payoutTerms } from '../withdrawal-checks.ts'
import { batchWork } from './batch-work.ts'
import { blocksShown, payoutBlocks, type PayoutBlock } from './payout-blocks.ts'
import { payoutMinor } from './payout-file.ts'
import { lockReady } from './queries.ts'

const { name: kind, first } = payoutBatchLife

export function createBatch(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { currency, withdrawals } = call.body
    const terms = await payoutTerms(parts, call.now)
    await refuseWhereLost(parts, call)
    return once(parts.pool, call, async (tx) => {
      await refuseWhileStopped(tx)
      const ready = await lockReady(tx, currency, withdrawals, batchPaymentsMax)
      if (ready.length === 0) throw new Problem('nothing-to-pay', { values: { currency } })
      for (const { clientEmail } of ready) refuseOwnRequest(staffOf(call), clientEmail)
      const blocks = await payoutBlocks(tx, ready, 'batch', terms)
      const payments = ready.filter(({ id }) => !blocks.has(id))
      const leftOut = ready.filter(({ id }) => blocks.has(id))
      if (payments.length === 0)
        throw new Problem('all-left-out', {
          values: { references: leftOut.map(({ reference }) => reference).join(', ') },
        })
      const batch = await write(tx, call, payments, leftOut)
      return {
        ...batch,
        currency,
        leftOut: leftOut.map((one) => leftOutShown(one, blocks.get(one.id), call)),
      }
    })
  }
}

/** A released batch that only the file store knows opens recovery: the bank may have executed it. */
async function refuseWhereLost(parts: Parts, call: Call<typeof endpoint>): Promise<void> {
  const found = await signOfBatches(parts)
  if (!found) return
  await transaction(parts.pool, (tx) => openRecovery(tx, { ...found, now: call.now }))
  await refuseStopped(parts.pool, ['payouts'], call.act.acting)
}

async function write(
  tx: Transaction,
  call: Call<typeof endpoint>,
  payments: readonly Withdrawal[],
  leftOut: readonly Withdrawal[],
) {
  const { currency } = call.body
  const totalMinor = payments.reduce((sum, payment) => sum + payoutMinor(payment), 0n)
  const count = payments.length
  const written = await row<{ id: string; number: bigint }>(
    tx,
    sql`insert into payout_batches (currency, state, count, total_minor, created_by, created_at)
        values (${currency}, ${first}, ${count}, ${totalMinor}, ${staffOf(call).staffId}, ${call.now})
        returning id, number`,
  )
  if (!written) throw new Error('a batch was not written')
  const { id } = written
  const number = batchNumber(written.number)
  await run(
    tx,
    sql`insert into payout_batch_payments (batch_id, withdrawal_id)
        select ${id}, one from unnest(${payments.map((payment) => payment.id)}::uuid[]) as one`,
  )
  // The batch stands in the inbox for its payments.
  for (const payment of payments) await closeWork(tx, withdrawalLife.name, payment.id, call.now)
  const details = {
    number,
    count,
    total: decimalOf(totalMinor),
    currency,
    ...(leftOut.length > 0 ? { leftOut: leftOut.map(({ reference }) => reference).join(', ') } : {}),
  }
  await record(tx, call.act, { kind, verb: 'create', record: id, to: first, details })
  const work = await batchWork(tx, { number: written.number, currency, count, totalMinor }, first, call.now)
  await openWork(tx, kind, id, work, call.now)
  return { id, number, count, total: totalMinor }
}

/** A payment that stays out, by name. */
function leftOutShown(
  { id, reference, clientName }: Withdrawal,
  blocks: readonly PayoutBlock[] | undefined,
  { language }: Pick<Call, 'language'>,
) {
  return { id, reference, client: clientName, blocks: blocksShown(blocks, language) }
}
