/** Transfers of the firm's own money: finance proposes one, another person confirms or rejects it. */
import type * as office from '#contract/office/firm-money.ts'
import type { proposeFirmMoney as endpoint } from '#contract/office/firm-money.ts'
import { firmMoneyMachine, checkFirmMove } from '#rules/firm-money.ts'
import { money, decimalOf } from '#rules/money.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { run, type Transaction, row } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { bookFirmMoney } from '../../ledger/firm-money.ts'
import { decide } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lockLine, moveById, type FirmMove, type OwnLine, surplusIn } from './queries.ts'
import { randomBytes } from 'node:crypto'
import { referenceFrom } from '#rules/references.ts'
import type { BankLineId, FirmMoneyId } from '#rules/ids.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { amountText } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'

type Deciding = RequestContext<typeof office.confirmFirmMoney | typeof office.rejectFirmMoney>

const { name: kind } = firmMoneyMachine

/**
 * Confirms a transfer. Books it immediately if the bank has shown it already; else it waits for the bank transaction
 * with its reference.
 */
export const confirmMove: Handler<typeof office.confirmFirmMoney> = async (dependencies, context) => {
  const move = await forDecision(dependencies, context)
  const { version, note } = context.body
  return takeDecision(dependencies, context, kind, move.id, async (tx) => {
    // One at a time: together they must not take out more than the firm owns.
    await run(tx)`select pg_advisory_xact_lock(hashtext('firm_money'))`
    // A late caller learns that it was decided, not the later status of the bank transaction and surplus.
    const waits = (await moveById(tx, move.id))?.state === firmMoneyMachine.first
    const line = waits ? await lineOf(tx, move) : null
    if (waits && !line) await assertWithinSurplus(tx, context, money(move.amountMinor, move.currency))
    const after = await applyTransition(tx, firmMoneyMachine, context.auditContext, move, 'confirm', {
      to: line ? 'approved' : 'processing',
      version,
      reason: note,
      set: { decided_by: requireStaff(context).staffId, decided_at: context.now },
      workItem: null,
    })
    if (line) await bookFirmMoney(tx, context.auditContext, move.id, line, move.reason)
    return after
  })
}

export const rejectMove: Handler<typeof office.rejectFirmMoney> = async (dependencies, context) => {
  const request = await forDecision(dependencies, context)
  const { version, reason } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now, decision_reason: reason }
  return decide(dependencies, context, firmMoneyMachine, { request, action: 'reject', version, reason, set })
}

async function forDecision(dependencies: Dependencies, context: Deciding): Promise<FirmMove> {
  const move = await moveById(dependencies.pool, context.params.id)
  if (!move) throw new Problem('not-found')
  if (move.askedBy === requireStaff(context).staffId) throw new Problem('own-act')
  return move
}

async function lineOf(tx: Transaction, { lineId }: FirmMove): Promise<OwnLine | null> {
  if (lineId === null) return null
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free')
  return line
}

/**
 * Finance proposes a transfer of the firm's own money, or declares a bank transaction to be one; another person
 * confirms.
 */
export const proposeMove: Handler<typeof endpoint> = async (dependencies, context) => {
  const { amount, currency, reason, lineId = null } = context.body
  const { referencePrefix } = await dependencies.settings.get('firm')
  const dueAt = await workItemDueAt(dependencies, 'firm_money', context.now)
  const reference = referenceFrom(referencePrefix, randomBytes(5))
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await mayMove(tx, context, lineId)
    const asked = await row<{ id: FirmMoneyId }>(tx)`
      insert into firm_money_moves (reference, amount_minor, currency, reason, bank_line, asked_by, asked_at)
        values (${reference}, ${amount}, ${currency}, ${reason}, ${lineId}::uuid, ${requireStaff(context).staffId}, ${context.now})
        on conflict (bank_line) where state <> 'rejected' do nothing returning id`
    if (!asked) throw new Problem('line-not-free', { field: 'lineId' })
    const facts = { amount: decimalOf(amount), currency, reference }
    await recordCreation(tx, firmMoneyMachine, context.auditContext, { id: asked.id }, 'ask', {
      reason,
      details: { after: facts },
      workItem: { dueAt, summary: facts },
    })
    return { id: asked.id, reference }
  })
}

/** A bank transaction is a fact: the firm must say what it was. A future payment must be covered by firm money. */
async function mayMove(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  lineId: BankLineId | null,
): Promise<void> {
  const { amount, currency } = context.body
  if (lineId === null) return assertWithinSurplus(tx, context, money(amount, currency))
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free', { field: 'lineId' })
  if (line.amountMinor !== amount || line.currency !== currency) throw new Problem('line-differs', { field: 'amount' })
}

/** Throws `more-than-firms-own` if the transfer would include clients' money. */
export async function assertWithinSurplus(
  tx: Transaction,
  context: Pick<RequestContext, 'language'>,
  amount: ReturnType<typeof money>,
): Promise<void> {
  const surplus = await surplusIn(tx, amount.currency)
  const most = amountText(money(surplus > 0n ? surplus : 0n, amount.currency), context.language)
  throwIfProblem(checkFirmMove(amount, surplus), { values: { most }, field: 'amount' })
}
