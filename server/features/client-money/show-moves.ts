/** Moves of the firm's own money for staff. */
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { getFirmMoney as getEndpoint, listFirmMoney as listEndpoint } from '#contract/office/firm-money.ts'
import { firmMoneyLife } from '#rules/firm-money.ts'
import { firmBankAccount } from '../../settings/firm-bank-account.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { pageOf } from '../../office/listing.ts'
import { recordFieldsOf } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { moveById, moveColumns, moveListing, surplusIn, type FirmMove } from './queries.ts'

export async function listMoves(
  parts: Parts,
  { query }: Call<typeof listEndpoint>,
): Promise<AnswerOf<typeof listEndpoint>> {
  const { rows, next } = await pageOf<FirmMove, QueryOf<typeof listEndpoint>>(parts, moveListing, moveColumns, query)
  return {
    rows: rows.map((move) => ({ id: move.id, version: move.version, createdAt: move.askedAt, ...factsOf(move) })),
    next,
  }
}

function factsOf({ state, reference, amountMinor, currency, reason, askedBy, askedByName, lineId }: FirmMove) {
  const who = { id: askedBy, name: askedByName }
  return { state, reference, amount: amountMinor, currency, why: reason, askedBy: who, lineId }
}

export async function showMove(parts: Parts, call: Call<typeof getEndpoint>): Promise<AnswerOf<typeof getEndpoint>> {
  const move = await moveById(parts.pool, call.params.id)
  if (!move) throw new Problem('not-found')
  const refusal = move.askedBy === staffOf(call).staffId ? new Problem('own-act') : null
  return {
    move: {
      ...(await recordFieldsOf(call, parts.pool, {
        kind: firmMoneyLife.name,
        id: move.id,
        version: move.version,
        createdAt: move.askedAt,
        decidedAt: move.decidedAt,
        decidedBy: move.decidedBy,
        reason: move.decisionReason,
        life: firmMoneyLife,
        state: move.state,
        refusals: { confirm: refusal, reject: refusal },
      })),
      checks: [],
      ...factsOf(move),
      surplus: await surplusIn(parts.pool, move.currency),
      bankAccount: await firmBankAccount(parts, move.currency),
      payer: move.payer,
    },
  }
}
