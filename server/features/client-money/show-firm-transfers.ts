/** Firm money transfers for staff. */
import type { getFirmMoney as getEndpoint, listFirmMoney as listEndpoint } from '#contract/office/firm-money.ts'
import { firmMoneyMachine } from '#rules/firm-money.ts'
import { firmBankAccount } from '../../settings/firm-bank-account.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { pageOf } from '../../office/listing.ts'
import { recordFieldsOf } from '../../office/records.ts'
import { firmTransferById, firmTransferColumns, firmTransferListing, surplusIn, type FirmTransfer } from './queries.ts'

export const listFirmTransfers: Handler<typeof listEndpoint> = async (dependencies, { query }) => {
  const { rows, next } = await pageOf(dependencies, firmTransferListing, firmTransferColumns, query)
  return { rows: rows.map(factsOf), next }
}

function factsOf(move: FirmTransfer) {
  const { amountMinor, reason, askedAt, askedBy, askedByName } = move
  const who = { id: askedBy, name: askedByName }
  return { ...move, createdAt: askedAt, amount: amountMinor, why: reason, askedBy: who }
}

export const showFirmTransfer: Handler<typeof getEndpoint> = async (dependencies, context) => {
  const move = requireFound(await firmTransferById(dependencies.pool, context.params.id))
  const refusal = move.askedBy === requireStaff(context).staffId ? new Problem('own-act') : null
  return {
    move: {
      ...factsOf(move),
      ...(await recordFieldsOf(context, dependencies, {
        ...move,
        createdAt: move.askedAt,
        reason: move.decisionReason,
        machine: firmMoneyMachine,
        refusals: { confirm: refusal, reject: refusal },
      })),
      surplus: await surplusIn(dependencies.pool, move.currency),
      bankAccount: await firmBankAccount(dependencies, move.currency),
    },
  }
}
