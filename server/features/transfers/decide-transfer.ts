/** Staff decide on a transfer: the source's figures are read anew, then both legs go to the platforms. */
import type {
  approveTransfer as approveEndpoint,
  rejectTransfer as rejectEndpoint,
} from '#contract/office/transfers.ts'
import { add, money, subtract, zero } from '#rules/money.ts'
import { transferLife } from '#rules/transfers.ts'
import { advance } from '../../db/advance.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { free, keptFigures, readFigures } from '../../ledger/figures.ts'
import { owedTo } from '../../ledger/post.ts'
import { release, reservedOf } from '../../ledger/reservations.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { amountText } from '../../wording.ts'
import { beginTransfer, tellOf } from './jobs.ts'
import { transferById, type Transfer } from './queries.ts'

const kind = transferLife.name

export function approveTransfer(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const platforms = [transfer.sourcePlatform, transfer.destinationPlatform]
    if (platforms.includes('MT4') && parts.config.mt4 === null) throw new Problem('mt4-not-connected')
    const { sourceId: accountId, sourcePlatform: platform, sourceLogin: login, currency } = transfer
    // An approval always reads anew, outside of the transaction that decides (mechanics section 1).
    await readFigures(parts.pool, parts.platforms[platform], { accountId, platform, login, currency }, call.now)
    return namingDecider(parts, kind, transfer.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, transferLife, call.act, {
          id: transfer.id,
          verb: 'approve',
          version: call.body.version,
          clientId: transfer.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: { decided_by: staffOf(call).staffId },
          work: null,
        })
        await mayLeave(tx, call, transfer)
        await beginTransfer(tx, transfer, call.now)
        return decidedAnswer(tx, kind, transfer.id, after)
      }),
    )
  }
}

/** The money is still there: what stands on the platform covers every reservation, this one included. */
async function mayLeave(tx: Transaction, call: Pick<Call, 'language'>, transfer: Transfer): Promise<void> {
  const { sourceId, currency, amountMinor } = transfer
  await run(tx, sql`select 1 from trading_accounts where id = ${sourceId} for update`)
  const reserved = money(await reservedOf(tx, sourceId), currency)
  const figures = await keptFigures(tx, sourceId, currency)
  if (!figures) throw new Problem('figures-old', { retryAfterSeconds: 30 })
  if ((await owedTo(tx, sourceId)) !== figures.balance.minor) throw new Problem('ledger-differs')
  const left = subtract(free(figures), reserved)
  if (left.minor >= zero(currency).minor) return
  throw new Problem('available-fell', {
    values: { available: amountText(add(left, money(amountMinor, currency)), call.language) },
  })
}

/** Refuses with a reason that the client reads; what was set aside is free again. */
export function rejectTransfer(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const { reason, version } = call.body
    const { id, clientId } = transfer
    return namingDecider(parts, kind, id, () =>
      transaction(parts.pool, async (tx) => {
        const set = { comment: reason, rejected_at: call.now, decided_by: staffOf(call).staffId }
        const after = await advance(tx, transferLife, call.act, {
          id,
          verb: 'reject',
          clientId,
          version,
          reason,
          set,
          work: null,
        })
        await release(tx, 'transfer', id, call.now)
        await tellOf(tx, transfer, 'transfer-rejected', reason, call.now)
        return decidedAnswer(tx, kind, id, after)
      }),
    )
  }
}

async function forDecision(
  parts: Parts,
  call: Pick<Call<typeof rejectEndpoint>, 'params' | 'caller'>,
): Promise<Transfer> {
  const transfer = await transferById(parts.pool, call.params.id)
  if (!transfer) throw new Problem('not-found')
  refuseOwnRequest(staffOf(call), transfer.clientEmail)
  return transfer
}
