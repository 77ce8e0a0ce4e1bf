/** Payout batches for staff, and the file of a released one. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type * as office from '#contract/office/payout-batches.ts'
import {
  batchNumber,
  checkSentConfirmation,
  payoutBatchMachine,
  payoutFileName,
  nextCutOff,
} from '#rules/payout-batches.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import { currencies } from '#rules/money.ts'
import { canRead, canSeeNumbers } from '#rules/permissions.ts'
import { checkTerms } from '../../../checks/checked-request.ts'
import { recordEvent } from '../../../db/events.ts'
import { transaction } from '../../../db/sql.ts'
import { BinaryResponse, requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { Problem, requireFound } from '../../../http/problem.ts'
import { pageOf } from '../../../office/listing.ts'
import { clientsOf, recordFieldsOf, staffNames } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { requiresBankNumber } from '../../../recovery/bank-batch-number.ts'
import { storeReleasedBatch } from '../../../recovery/released-batches.ts'
import { maskedNumber } from '../../../i18n/format.ts'
import type { Withdrawal } from '../queries.ts'
import { blockResponses, payoutBlocks } from './payout-blocks.ts'
import { renderFile, payoutMinor } from './payout-file.ts'
import {
  bankBalance,
  batchById,
  batchColumns,
  batchListing,
  unreleasableBatches,
  openBatches,
  paymentsOf,
  readySums,
  readyWithdrawals,
  releasableBy,
  type PayoutBatch,
} from './queries.ts'
import { draftBatch, type Draft, releaseProblem } from './release-batch.ts'

const { name: kind } = payoutBatchMachine
type Shown = ResponseOf<typeof office.getPayoutBatch>['batch']

/** Returns the firm's time zone and the days on which its bank accepts no file. */
async function calendarOf(settings: Dependencies['settings']) {
  const { timeZone } = await settings.get('firm')
  const { holidays } = await settings.get('sla')
  return { timeZone, holidays }
}

/** Returns the approved withdrawals in no batch, and the number of batches in each state. */
export const showOverview: Handler<typeof office.payoutOverview> = async ({ pool, settings }, context) => {
  const { cutOff } = await settings.get('payouts')
  const calendar = await calendarOf(settings)
  const sums = await readySums(pool)
  const counts = await openBatches(pool)
  const of = (...states: readonly PayoutBatch['state'][]) =>
    counts.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0)
  return {
    ready: currencies.map((currency) => ({
      ...(sums.find((one) => one.currency === currency) ?? { currency, count: 0, sum: 0n }),
      cutOff: nextCutOff(context.now, cutOff[currency], calendar),
    })),
    toRelease: of('created'),
    withBank: of('released', 'void_requested'),
    returned: of('partly_returned'),
  }
}

/** Returns approved withdrawals in no batch, each with what blocks it. */
export const listReady: Handler<typeof office.payoutList> = async (dependencies, context) => {
  const { currency } = context.params
  const { found, count, sum } = await readyWithdrawals(dependencies.pool, currency)
  const blocks = await payoutBlocks(dependencies.pool, found, 'batch', await checkTerms(dependencies, context.now))
  const payees = await payeesOf(dependencies, context as RequestContext, found)
  return {
    rows: payees.map(({ withdrawal, shown }) => ({
      ...shown,
      version: withdrawal.version,
      approvedAt: withdrawal.approvedAt ?? withdrawal.requestedAt,
      blocks: blockResponses(blocks.get(withdrawal.id), context.language),
    })),
    count,
    sum,
    currency,
  }
}

/** Returns payees and accounts. Numbers are masked for auditors. */
async function payeesOf<One extends Withdrawal>(
  dependencies: Dependencies,
  context: RequestContext,
  found: readonly One[],
) {
  const numbers = canSeeNumbers(requireStaff(context).roles)
  const shownNumber = (number: string | null) => (numbers ? number : maskedNumber(number))
  const clientOf = await clientsOf(dependencies, found)
  return found.flatMap((withdrawal) => {
    const client = clientOf(withdrawal.clientId)
    if (!client) return []
    const { bankName, iban, swift, accountNumber, sortCode, holder } = withdrawal.bank
    const { id, reference } = withdrawal
    const bank = { bankName, iban: shownNumber(iban), swift, accountNumber: shownNumber(accountNumber), sortCode }
    return [{ withdrawal, shown: { id, reference, client, holder, ...bank, amount: payoutMinor(withdrawal) } }]
  })
}

export const listBatches: Handler<typeof office.listPayoutBatches> = async (dependencies, context) => {
  const { rows, next } = await pageOf(dependencies, batchListing, batchColumns, context.query)
  const by = await staffNames(dependencies.pool, rows, peopleOf)
  const { byUninvolved } = await dependencies.settings.get('payouts')
  const releasable = await releasableBy(
    dependencies.pool,
    requireStaff(context).staffId,
    rows.flatMap(({ id, state }) => (state === 'created' ? id : [])),
    byUninvolved,
  )
  return {
    rows: rows.map((batch) => ({ ...factsOf(batch, by), mayRelease: releasable.has(batch.id) })),
    next,
  }
}

function peopleOf({ createdBy, releasedBy, confirmedBy, voidAskedBy }: PayoutBatch) {
  return [createdBy, releasedBy, confirmedBy, voidAskedBy]
}

function factsOf(batch: PayoutBatch, by: Awaited<ReturnType<typeof staffNames>>) {
  return {
    ...batch,
    number: batchNumber(batch.number),
    total: batch.totalMinor,
    createdBy: by(batch.createdBy),
    releasedBy: by(batch.releasedBy),
    confirmedBy: by(batch.confirmedBy),
  }
}

export const getBatch: Handler<typeof office.getPayoutBatch> = async (dependencies, context) => {
  const batch = requireFound(await batchById(dependencies.pool, context.params.id))
  return { batch: await batchResponse(dependencies, context as RequestContext, batch) }
}

async function batchResponse(dependencies: Dependencies, context: RequestContext, batch: PayoutBatch): Promise<Shown> {
  const { pool } = dependencies
  const { byUninvolved, cutOff } = await dependencies.settings.get('payouts')
  const calendar = await calendarOf(dependencies.settings)
  const payments = await paymentsOf(pool, batch.id)
  const waits = batch.state === 'created'
  const draft = waits ? await draftBatch(pool, batch, payments, await checkTerms(dependencies, context.now)) : null
  const staff = requireStaff(context)
  const { staffId } = staff
  const release = draft && (await releaseProblem(pool, staff, batch, draft.payments, byUninvolved))
  const sent = checkSentConfirmation(batch.releasedBy, staffId)
  const own = payments.some(({ live, clientEmail }) => live && checkNotOwnRequest(staff.email, clientEmail) !== null)
  const by = await staffNames(pool, [batch], peopleOf)
  const asker = by(batch.voidAskedBy)
  return {
    ...factsOf(batch, by),
    ...(await recordFieldsOf(context, dependencies, {
      ...batch,
      decidedAt: batch.sentAt ?? batch.voidedAt ?? batch.releasedAt,
      decidedBy: batch.confirmedBy ?? batch.voidedBy ?? batch.releasedBy,
      reason: batch.voidReason,
      machine: shownMachine,
      refusals: own
        ? ownPayment
        : {
            release: release && new Problem(release),
            confirm: sent && new Problem(sent),
            confirmVoid: batch.voidAskedBy === staffId ? new Problem('own-act') : null,
          },
    })),
    fileName: batch.sha256 === null || isVoid(batch) ? null : payoutFileName(batch.currency, batchNumber(batch.number)),
    payments: await paymentResponses(dependencies, context, payments, draft),
    draft: draft && {
      count: draft.file.count,
      total: draft.file.total,
      sha256: draft.file.sha256,
      held: canRead('clientMoney', requireStaff(context).roles) ? await bankBalance(pool, batch.currency) : null,
    },
    cutOff: waits ? nextCutOff(context.now, cutOff[batch.currency], calendar) : null,
    asksBankNumber: waits && (await requiresBankNumber(pool, batch.currency)),
    nobodyCanRelease: (await unreleasableBatches(pool, byUninvolved, batch.id)).length > 0,
    voidRequest:
      asker && batch.voidAskedAt && batch.state === 'void_requested'
        ? { by: asker, at: batch.voidAskedAt, reason: batch.voidReason ?? '' }
        : null,
  }
}

/** The return of a payment is not a manual action. */
const { paymentReturned: _follows, ...byPeople } = payoutBatchMachine.transitions
const shownMachine = { name: kind, transitions: byPeople }
/** A staff member does not act on a batch that pays their own client account. */
const ownPayment = Object.fromEntries(Object.keys(byPeople).map((action) => [action, new Problem('own-request')]))

async function paymentResponses(
  dependencies: Dependencies,
  context: RequestContext,
  payments: Awaited<ReturnType<typeof paymentsOf>>,
  draft: Draft | null,
): Promise<Shown['payments']> {
  return (await payeesOf(dependencies, context, payments)).map(({ withdrawal, shown }) => {
    const blocks = draft ? draft.blocks.get(withdrawal.id) : withdrawal.leftOut?.map((code) => ({ code }))
    return {
      ...shown,
      state: withdrawal.state,
      approvals: [withdrawal.approvedBy, withdrawal.confirmedBy].filter((one) => one !== null).length,
      blocks: blockResponses(blocks, context.language),
      inFile: withdrawal.live && !blocks?.length,
    }
  })
}

/** Whether the payments may be in another batch, or will be once a second person confirms the void. */
const isVoid = ({ state }: PayoutBatch) => state === 'void' || state === 'void_requested'

/**
 * Returns the file of a released batch if its bytes have the hash confirmed at the release. Throws
 * `batch-not-released`, `batch-void`, `batch-file-differs`.
 */
export const saveFile: Handler<typeof office.payoutFile> = async (dependencies, context) => {
  const batch = requireFound(await batchById(dependencies.pool, context.params.id))
  if (batch.sha256 === null || batch.state === 'created') throw new Problem('batch-not-released')
  if (isVoid(batch)) throw new Problem('batch-void')
  const payments = (await paymentsOf(dependencies.pool, batch.id)).filter(({ leftOut }) => leftOut === null)
  const file = renderFile(batch, payments)
  const { count, total } = file
  const number = batchNumber(batch.number)
  if (file.sha256 !== batch.sha256) throw new Problem('batch-file-differs', { values: { number } })
  await storeReleasedBatch(
    dependencies.files,
    { ...batch, sha256: file.sha256, releasedAt: batch.releasedAt ?? batch.createdAt },
    payments.map(({ reference }) => reference),
  )
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, {
      kind,
      action: 'export',
      record: batch.id,
      details: { number, count, sha256: file.sha256, currency: batch.currency, total: String(total) },
    }),
  )
  return new BinaryResponse(file.bytes, payoutFileName(batch.currency, number))
}
