/** A second person releases a batch with exactly the count, total and hash shown. Its file exists from then on. */
import type { releasePayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { decimalOf, type Currency } from '#rules/money.ts'
import { batchNumber, checkRelease, payoutBatchMachine, readBatchNumber } from '#rules/payout-batches.ts'
import { checkNotOwnRequest, withdrawalMachine } from '#rules/withdrawals.ts'
import { checkTerms, type DecisionTerms } from '../../../checks/checked-request.ts'
import { recordsOverriddenBy } from '../../../checks/overrides.ts'
import { applyTransition } from '../../../db/transition.ts'
import { type Connection, transaction, type Transaction } from '../../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../../http/problem.ts'
import type { StaffCaller } from '../../../http/sessions.ts'
import { assertPayoutsNotStopped } from '../../../ledger/payout-stops.ts'
import {
  requiresBankNumber,
  bankKnownUntil,
  explainsBankNumber,
  storeBankNumber,
} from '../../../recovery/bank-batch-number.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { storeReleasedBatch } from '../../../recovery/released-batches.ts'
import { assertMoneyNotStopped } from '../../../recovery/stopped-money.ts'
import { firmBankAccount } from '../../../settings/firm-bank-account.ts'
import { decidedAnswer, namingDecider } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { amountText } from '../../../i18n/format.ts'
import type { Withdrawal } from '../queries.ts'
import { batchWorkItem, removeFromBatch } from './batch-work.ts'
import { payoutBlocks, type PayoutBlocks } from './payout-blocks.ts'
import { renderFile, type PayoutFile } from './payout-file.ts'
import { lockBatch, lockPayments, type BatchPayment, type PayoutBatch } from './queries.ts'

const { name: kind } = payoutBatchMachine

/** The effect of a release on the payments of a batch as they are now. */
export interface Draft {
  readonly payments: readonly BatchPayment[]
  readonly leftOut: readonly BatchPayment[]
  readonly blocks: PayoutBlocks
  readonly file: PayoutFile
}

/** Renders the file of the payments that may be paid now. */
export async function draftBatch(
  connection: Connection,
  batch: Pick<PayoutBatch, 'number'>,
  live: readonly BatchPayment[],
  terms: DecisionTerms,
): Promise<Draft> {
  const blocks = await payoutBlocks(connection, live, 'release', terms)
  const payments = live.filter(({ id }) => !blocks.has(id))
  return { payments, leftOut: live.filter(({ id }) => blocks.has(id)), blocks, file: renderFile(batch, payments) }
}

/**
 * Returns why a person may not release a batch with these payments, or null. A person who overrode a block on one of
 * them may not take another decision on it.
 */
export async function releaseProblem(
  connection: Connection,
  { staffId, email }: Pick<StaffCaller, 'staffId' | 'email'>,
  { createdBy }: Pick<PayoutBatch, 'createdBy'>,
  payments: readonly Withdrawal[],
  byUninvolved: boolean,
) {
  const involved = payments.flatMap(({ enteredBy, approvedBy, confirmedBy }) => [enteredBy, approvedBy, confirmedBy])
  const refusal = checkRelease({ staffId, createdBy, involved, byUninvolved })
  if (refusal) return refusal
  for (const { clientEmail } of payments) {
    const own = checkNotOwnRequest(email, clientEmail)
    if (own) return own
  }
  const ids = payments.map(({ id }) => id)
  return (await recordsOverriddenBy(connection, staffId, withdrawalMachine.name, ids)).size > 0 ? 'own-override' : null
}

export const releaseBatch: Handler<typeof endpoint> = async (dependencies, context) => {
  const { byUninvolved } = await dependencies.settings.get('payouts')
  const staff = requireStaff(context)
  const terms = await checkTerms(dependencies, context.now)
  const answer = await namingDecider(dependencies, kind, context.params.id, () =>
    transaction(dependencies.pool, async (tx) => {
      const batch = requireFound(await lockBatch(tx, context.params.id))
      // If another person has decided in the meantime, that is reported first, whatever its payments are now.
      const live = batch.state === 'created' ? await lockPayments(tx, batch.id) : []
      const draft = await draftBatch(tx, batch, live, terms)
      if (batch.state === 'created') {
        await assertPayoutsNotStopped(tx)
        throwIfProblem(await releaseProblem(tx, staff, batch, draft.payments, byUninvolved))
        assertReleasable(context, batch, draft.file)
        await acceptBankNumber(tx, context, batch)
      }
      const { count, total, sha256 } = draft.file
      const released = { ...batch, count, totalMinor: total }
      const after = await applyTransition(tx, payoutBatchMachine, context.auditContext, batch, 'release', {
        version: context.body.version,
        reason: context.body.note,
        details: {
          number: batchNumber(batch.number),
          count,
          total: decimalOf(total),
          currency: batch.currency,
          sha256,
          ...(draft.leftOut.length > 0 ? { leftOut: draft.leftOut.map(({ reference }) => reference).join(', ') } : {}),
        },
        set: {
          count,
          total_minor: total,
          sha256,
          bank_account: await firmBankAccount(dependencies, batch.currency),
          released_by: staff.staffId,
          released_at: context.now,
        },
        workItem: await batchWorkItem(tx, released, 'released', context.now),
      })
      await removeFromBatch(tx, batch.id, draft.leftOut, draft.blocks, context.now)
      const references = draft.payments.map(({ reference }) => reference)
      const kept = { id: batch.id, number: batch.number, sha256, releasedAt: context.now }
      return { ...(await decidedAnswer(tx, dependencies, context, kind, batch.id, after)), kept, references }
    }),
  ).catch((error: unknown) => openRecoveryFor(error, dependencies, context))
  const { kept, references, ...released } = answer
  // After the commit, because a release that was rolled back would look like data loss.
  await storeReleasedBatch(dependencies.files, kept, references)
  return released
}

/** The bank has a batch that our records do not have, or does not have one that they show as released. */
class OtherBankNumber extends Error {
  readonly currency: Currency
  constructor(currency: Currency) {
    super('the bank shows another last batch')
    this.currency = currency
  }
}

/**
 * Accepts the bank’s last batch number at the first release after a start. Throws `bank-number-needed`,
 * `OtherBankNumber`.
 */
async function acceptBankNumber(tx: Transaction, context: RequestContext<typeof endpoint>, { currency }: PayoutBatch) {
  if (!(await requiresBankNumber(tx, currency))) return
  const number = readBatchNumber(context.body.bankNumber)
  if (number === null) throw new Problem('bank-number-needed', { field: 'bankNumber' })
  if (!(await explainsBankNumber(tx, { currency, number, now: context.now }))) throw new OtherBankNumber(currency)
  await storeBankNumber(tx, { currency, number, by: requireStaff(context).staffId, at: context.now })
}

/** Opens recovery because the bank has another batch number; nothing is released. */
async function openRecoveryFor(
  error: unknown,
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
): Promise<never> {
  if (!(error instanceof OtherBankNumber)) throw error
  const { now } = context
  await transaction(dependencies.pool, async (tx) =>
    openRecovery(tx, { sign: 'batch', since: await bankKnownUntil(tx, error.currency, now), now }),
  )
  await assertMoneyNotStopped(dependencies.pool, ['payouts'], context.auditContext.identity)
  throw error
}

/** Throws `batch-changed` if the file differs from the one shown, and `nothing-to-pay` if it is empty. */
function assertReleasable(context: RequestContext<typeof endpoint>, batch: PayoutBatch, file: PayoutFile): void {
  const { currency } = batch
  if (file.count === 0) throw new Problem('nothing-to-pay', { values: { currency } })
  const { count, total, sha256 } = context.body
  if (file.count === count && file.total === total && file.sha256 === sha256) return
  const values = { count: file.count, total: amountText({ minor: file.total, currency }, context.language) }
  throw new Problem('batch-changed', { values })
}
