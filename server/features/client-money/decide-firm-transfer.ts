/** Another person confirms or rejects a transfer of the firm's own money. */
import type * as office from '#contract/office/firm-money.ts'
import { firmMoneyMachine } from '#rules/firm-money.ts'
import { money } from '#rules/money.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { bookFirmMoney } from '../../ledger/firm-money.ts'
import { decide } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertWithinSurplus } from './propose-firm-transfer.ts'
import { lockLine, firmTransferById, type FirmTransfer, type FirmMoneyLine } from './queries.ts'

type DecisionContext = RequestContext<typeof office.confirmFirmMoney | typeof office.rejectFirmMoney>

const { name: kind } = firmMoneyMachine

/**
 * Confirms a transfer. Posts it immediately if its bank transaction is known; otherwise the bank transaction with its
 * reference posts it later.
 */
export const confirmFirmTransfer: Handler<typeof office.confirmFirmMoney> = async (dependencies, context) => {
  const move = await firmTransferForDecision(dependencies, context)
  const { version, note } = context.body
  return takeDecision(dependencies, context, kind, move.id, async (tx) => {
    // Serialises confirmations: together they must not take out more than the firm owns.
    await run(tx)`select pg_advisory_xact_lock(hashtext('firm_money'))`
    // The slower of two callers must see that it was decided, not an error about the bank transaction or the surplus.
    const waits = (await firmTransferById(tx, move.id))?.state === firmMoneyMachine.first
    const line = waits ? await lockUnmatchedLine(tx, move) : null
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

export const rejectFirmTransfer: Handler<typeof office.rejectFirmMoney> = async (dependencies, context) => {
  const request = await firmTransferForDecision(dependencies, context)
  const { version, reason } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now, decision_reason: reason }
  return decide(dependencies, context, firmMoneyMachine, { request, action: 'reject', version, reason, set })
}

async function firmTransferForDecision(dependencies: Dependencies, context: DecisionContext): Promise<FirmTransfer> {
  const move = requireFound(await firmTransferById(dependencies.pool, context.params.id))
  if (move.askedBy === requireStaff(context).staffId) throw new Problem('own-act')
  return move
}

async function lockUnmatchedLine(tx: Transaction, { lineId }: FirmTransfer): Promise<FirmMoneyLine | null> {
  if (lineId === null) return null
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free')
  return line
}
