/** A second person releases a batch: exactly this count, total and hash. Its file exists from then on. */
import type { releasePayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { decimalOf, type Currency } from '#rules/money.ts'
import { batchNumber, checkRelease, payoutBatchLife, readBatchNumber } from '#rules/payout-batches.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import type { CheckTerms } from '../../../checks/checked-request.ts'
import { overridesOf } from '../../../checks/overrides.ts'
import { advance } from '../../../db/transition.ts'
import type { Connection } from '../../../db/sql.ts'
import { transaction, type Transaction } from '../../../db/transaction.ts'
import { staffOf, type Call } from '../../../http/request-context.ts'
import { Problem, refuse } from '../../../http/problem.ts'
import type { Verb } from '../../../http/register-endpoint.ts'
import { refuseWhileStopped } from '../../../ledger/payout-stops.ts'
import {
  asksBankNumber,
  bankKnownUntil,
  explainsBankNumber,
  noteBankNumber,
} from '../../../recovery/bank-batch-number.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { keepReleased } from '../../../recovery/released-batches.ts'
import { refuseStopped } from '../../../recovery/stopped-money.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../../office/records.ts'
import type { Parts } from '../../../dependencies.ts'
import { amountText } from '../../../i18n/format.ts'
import type { Withdrawal } from '../queries.ts'
import { payoutTerms } from '../withdrawal-checks.ts'
import { batchWork, freePayments } from './batch-work.ts'
import { payoutBlocks, type PayoutBlocks } from './payout-blocks.ts'
import { drawFile, type PayoutFile } from './payout-file.ts'
import { lockBatch, lockPayments, type BatchPayment, type PayoutBatch } from './queries.ts'

const { name: kind } = payoutBatchLife

/** What a release would do with the payments of a batch as they are now. */
export interface Draft {
  readonly payments: readonly BatchPayment[]
  readonly leftOut: readonly BatchPayment[]
  readonly blocks: PayoutBlocks
  readonly file: PayoutFile
}

/** Draws the file of what may be paid now. */
export async function draftOf(
  connection: Connection,
  batch: Pick<PayoutBatch, 'number'>,
  live: readonly BatchPayment[],
  terms: CheckTerms,
): Promise<Draft> {
  const blocks = await payoutBlocks(connection, live, 'release', terms)
  const payments = live.filter(({ id }) => !blocks.has(id))
  return { payments, leftOut: live.filter(({ id }) => blocks.has(id)), blocks, file: drawFile(batch, payments) }
}

/** Everyone who approved one of these payments. */
export function approversOf(payments: readonly Withdrawal[]): string[] {
  const all = payments.flatMap(({ approvedBy, confirmedBy }) => [approvedBy, confirmedBy])
  return [...new Set(all.filter((one) => one !== null))]
}

export function releaseBatch(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { byUninvolved } = await parts.settings.get('payouts')
    const staff = staffOf(call)
    const terms = await payoutTerms(parts, call.now)
    const answer = await namingDecider(parts, kind, call.params.id, () =>
      transaction(parts.pool, async (tx) => {
        const batch = await lockBatch(tx, call.params.id)
        if (!batch) throw new Problem('not-found')
        // What somebody decided meanwhile is told as such, whatever its payments are now.
        const live = batch.state === 'created' ? await lockPayments(tx, batch.id) : []
        const draft = await draftOf(tx, batch, live, terms)
        if (batch.state === 'created') {
          await refuseWhileStopped(tx)
          const approvers = approversOf(draft.payments)
          refuse(checkRelease({ staffId: staff.staffId, createdBy: batch.createdBy, approvers, byUninvolved }))
          for (const { clientEmail } of draft.payments) refuseOwnRequest(staff, clientEmail)
          await refuseOverrider(tx, draft.payments, staff.staffId)
          refuseOther(call, batch, draft.file)
          await hearBankNumber(tx, call, batch)
        }
        const { count, total, sha256 } = draft.file
        const released = { ...batch, count, totalMinor: total }
        const after = await advance(tx, payoutBatchLife, call.act, {
          id: batch.id,
          verb: 'release',
          version: call.body.version,
          ...(call.body.note ? { reason: call.body.note } : {}),
          details: {
            number: batchNumber(batch.number),
            count,
            total: decimalOf(total),
            currency: batch.currency,
            sha256,
            ...(draft.leftOut.length > 0
              ? { leftOut: draft.leftOut.map(({ reference }) => reference).join(', ') }
              : {}),
          },
          set: { count, total_minor: total, sha256, released_by: staff.staffId, released_at: call.now },
          work: await batchWork(tx, released, 'released', call.now),
        })
        await freePayments(tx, batch.id, draft.leftOut, draft.blocks, call.now)
        const references = draft.payments.map(({ reference }) => reference)
        const kept = { id: batch.id, number: batch.number, sha256, releasedAt: call.now }
        return { ...(await decidedAnswer(tx, call, kind, batch.id, after)), kept, references }
      }),
    ).catch((error: unknown) => recoverFrom(error, parts, call))
    const { kept, references, ...released } = answer
    // Once it is committed: a release that did not happen is no sign of a loss.
    await keepReleased(parts.files, kept, references)
    return released
  }
}

/** The bank shows a batch that our records do not have, or lacks one that they have as sent. */
class OtherBankNumber extends Error {
  readonly currency: Currency
  constructor(currency: Currency) {
    super('the bank shows another last batch')
    this.currency = currency
  }
}

/** The first release after a start says what the bank shows; throws `bank-number-needed`, or `OtherBankNumber`. */
async function hearBankNumber(tx: Transaction, call: Call<typeof endpoint>, { currency }: PayoutBatch): Promise<void> {
  if (!(await asksBankNumber(tx, currency))) return
  const number = readBatchNumber(call.body.bankNumber)
  if (number === null) throw new Problem('bank-number-needed', { field: 'bankNumber' })
  if (!(await explainsBankNumber(tx, { currency, number, now: call.now }))) throw new OtherBankNumber(currency)
  await noteBankNumber(tx, { currency, number, by: staffOf(call).staffId, at: call.now })
}

/** Nothing was released: another number at the bank opens recovery. */
async function recoverFrom(error: unknown, parts: Parts, call: Call<typeof endpoint>): Promise<never> {
  if (!(error instanceof OtherBankNumber)) throw error
  const { now } = call
  await transaction(parts.pool, async (tx) =>
    openRecovery(tx, { sign: 'batch', since: await bankKnownUntil(tx, error.currency, now), now }),
  )
  await refuseStopped(parts.pool, ['payouts'], call.act.acting)
  throw error
}

/** Throws `own-override` for a person who overrode a block on one of the payments: that is all they do for it. */
async function refuseOverrider(tx: Transaction, payments: readonly BatchPayment[], staffId: string): Promise<void> {
  for (const { id } of payments) {
    const overrides = await overridesOf(tx, withdrawalLife.name, id)
    if (overrides.some((one) => one.staffId === staffId)) throw new Problem('own-override')
  }
}

/** Throws `batch-changed` where the file is another one than the person saw, and `nothing-to-pay` for an empty one. */
function refuseOther(call: Call<typeof endpoint>, batch: PayoutBatch, file: PayoutFile): void {
  const { currency } = batch
  if (file.count === 0) throw new Problem('nothing-to-pay', { values: { currency } })
  const { count, total, sha256 } = call.body
  if (file.count === count && file.total === total && file.sha256 === sha256) return
  const values = { count: file.count, total: amountText({ minor: file.total, currency }, call.language) }
  throw new Problem('batch-changed', { values })
}
