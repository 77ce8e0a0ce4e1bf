/** Somebody else confirms a move of the firm's own money, or refuses it. */
import type {
  confirmFirmMoney as confirmEndpoint,
  rejectFirmMoney as rejectEndpoint,
} from '#contract/office/firm-money.ts'
import { firmMoneyLife } from '#rules/firm-money.ts'
import { money } from '#rules/money.ts'
import { advance } from '../../db/transition.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { bookFirmMoney } from '../../ledger/firm-money.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { refuseMore } from './propose-move.ts'
import { lockLine, moveById, type FirmMove, type OwnLine } from './queries.ts'

type Deciding = Call<typeof confirmEndpoint | typeof rejectEndpoint>

const { name: kind } = firmMoneyLife

/** Booked at once where the bank showed it already; else it waits for the line that names its reference. */
export function confirmMove(parts: Parts): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const move = await forDecision(parts, call)
    const { version, note } = call.body
    return namingDecider(parts, kind, move.id, () =>
      transaction(parts.pool, async (tx) => {
        // One at a time: together they must not take out more than is the firm's.
        await run(tx, sql`select pg_advisory_xact_lock(hashtext('firm_money'))`)
        // Who comes too late is told that it was decided, not what has become of line and surplus since.
        const waits = (await moveById(tx, move.id))?.state === firmMoneyLife.first
        const line = waits ? await lineOf(tx, move) : null
        if (waits && !line) await refuseMore(tx, call, money(move.amountMinor, move.currency))
        const after = await advance(tx, firmMoneyLife, call.act, {
          id: move.id,
          verb: 'confirm',
          to: line ? 'approved' : 'processing',
          version,
          ...(note ? { reason: note } : {}),
          set: { decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        if (line) await bookFirmMoney(tx, call.act, move.id, line, move.reason)
        return decidedAnswer(tx, call, kind, move.id, after)
      }),
    )
  }
}

export function rejectMove(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const { id } = await forDecision(parts, call)
    const { version, reason } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now, decision_reason: reason }
    return namingDecider(parts, kind, id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, firmMoneyLife, call.act, {
          id,
          verb: 'reject',
          version,
          reason,
          set,
          work: null,
        })
        return decidedAnswer(tx, call, kind, id, after)
      }),
    )
  }
}

async function forDecision(parts: Parts, call: Deciding): Promise<FirmMove> {
  const move = await moveById(parts.pool, call.params.id)
  if (!move) throw new Problem('not-found')
  if (move.askedBy === staffOf(call).staffId) throw new Problem('own-act')
  return move
}

async function lineOf(tx: Transaction, { lineId }: FirmMove): Promise<OwnLine | null> {
  if (lineId === null) return null
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free')
  return line
}
