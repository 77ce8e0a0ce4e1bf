/**
 * Finance proposes a bank transaction as a settlement of the card provider; another person confirms or rejects it
 * (requirements 24.151, ADR 344).
 */
import type * as office from '#contract/office/bank-lines.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import { decimalOf } from '#rules/money.ts'
import { referencesIn } from '#rules/references.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, type Transaction } from '../../db/sql.ts'
import type { WorkItem } from '../../db/work-items.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { amountText } from '../../i18n/format.ts'
import { lineWorkItem } from '../../ledger/bank-lines.ts'
import { postSettlement, settlementProblem } from '../../ledger/card-settlements.ts'
import { payoutByReference } from '../../ledger/returned-payouts.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { takeDecision } from '../../office/records.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { bankLineById, type BankLine } from './queries.ts'

const kind = bankLineMachine.name

export const proposeSettlement: Handler<typeof office.proposeSettlement> = async (dependencies, context) => {
  const line = await lineForSettlement(dependencies, context)
  const { fee, reason, version } = context.body
  const dueAt = await workItemDueAt(dependencies, kind, context.now)
  return takeDecision(dependencies, context, kind, line.id, async (tx) => {
    // A debit of a payout has no client or deposit, but is posted with its withdrawal.
    if (line.amountMinor < 0n && (await payoutByReference(tx, referencesIn(line.remittance))))
      throw new Problem('line-not-free')
    const after = await applyTransition(tx, bankLineMachine, context.auditContext, line, 'proposeSettlement', {
      version,
      reason,
      details: { providerCharges: decimalOf(fee), currency: line.currency },
      set: { reason, settlement_fee_minor: fee, settlement_asked_by: requireStaff(context).staffId },
      workItem: lineWorkItem(line, dueAt, 'settlement_proposed'),
    })
    await assertCovered(tx, context, line, fee)
    return after
  })
}

export const confirmSettlement: Handler<typeof office.confirmSettlement> = async (dependencies, context) => {
  const line = await lineForSettlement(dependencies, context, 'confirmSettlement')
  const { note, version } = context.body
  return takeDecision(dependencies, context, kind, line.id, async (tx) => {
    // Serialises confirmations: together they must not settle more than the provider holds.
    await run(tx)`select pg_advisory_xact_lock(hashtext('card_settlement'))`
    const after = await applyTransition(tx, bankLineMachine, context.auditContext, line, 'confirmSettlement', {
      version,
      reason: note,
      set: { settlement_confirmed_by: requireStaff(context).staffId },
      workItem: null,
    })
    // The version of the page is still that of the proposal, so its charges are those that were read.
    const feeMinor = line.settlementFeeMinor ?? 0n
    await assertCovered(tx, context, line, feeMinor)
    await postSettlement(tx, context.auditContext, { ...line, feeMinor, reason: line.reason ?? '' })
    return after
  })
}

export const rejectSettlement: Handler<typeof office.rejectSettlement> = async (dependencies, context) => {
  const line = await lineForSettlement(dependencies, context, 'rejectSettlement')
  const { reason, version } = context.body
  const workItem = await itemOfUnmatched(dependencies, line, context.now)
  return takeDecision(dependencies, context, kind, line.id, (tx) =>
    applyTransition(tx, bankLineMachine, context.auditContext, line, 'rejectSettlement', {
      version,
      reason,
      set: { reason: null, settlement_fee_minor: null, settlement_asked_by: null },
      workItem,
    }),
  )
}

async function lineForSettlement(
  dependencies: Dependencies,
  context: RequestContext<
    typeof office.proposeSettlement | typeof office.confirmSettlement | typeof office.rejectSettlement
  >,
  action?: 'confirmSettlement' | 'rejectSettlement',
): Promise<BankLine> {
  const line = await bankLineById(dependencies.pool, context.params.id)
  if (!line) throw new Problem('not-found')
  const refusal = action && refusalsOf(line, requireStaff(context).staffId)[action]
  if (refusal) throw refusal
  return line
}

/** Throws if the settlement would move more than the provider holds or has returned to cardholders. */
async function assertCovered(
  tx: Transaction,
  { language }: Pick<RequestContext, 'language'>,
  line: BankLine,
  fee: bigint,
): Promise<void> {
  const found = await settlementProblem(tx, line, fee)
  if (found) throw new Problem(found.code, { field: 'fee', values: { most: amountText(found.most, language) } })
}

/** Returns the item of a transaction that is unmatched again; a debit is a discrepancy and has none. */
async function itemOfUnmatched(dependencies: Dependencies, line: BankLine, now: Date): Promise<WorkItem | null> {
  return line.amountMinor < 0n ? null : lineWorkItem(line, await workItemDueAt(dependencies, kind, now))
}
