/** Staff decide on a transfer: the source's figures are read anew, then both legs go to the platforms. */
import type {
  approveTransfer as approveEndpoint,
  rejectTransfer as rejectEndpoint,
} from '#contract/office/transfers.ts'
import { add, money, zero } from '#rules/money.ts'
import { transferLife } from '#rules/transfers.ts'
import { run, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { standingOf } from '../../ledger/available.ts'
import { readFigures } from '../../ledger/figures.ts'
import { owedTo } from '../../ledger/post.ts'
import { release } from '../../ledger/reservations.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../parts.ts'
import { amountText } from '../../wording.ts'
import { beginTransfer, tellOf } from './jobs.ts'
import { transferById, type Transfer } from './queries.ts'

export function approveTransfer(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const absent =
      transfer.state === 'pending' && absentPlatform(parts, transfer.sourcePlatform, transfer.destinationPlatform)
    if (absent) throw absent
    const { sourceId: accountId, sourcePlatform: platform, sourceLogin: login, currency } = transfer
    // An approval always reads anew, outside of the transaction that decides (mechanics section 1).
    await readFigures(parts.pool, parts, { accountId, platform, login, currency }, call.now)
    const { version, note } = call.body
    const set = { decided_by: staffOf(call).staffId }
    const approval = { request: transfer, verb: 'approve', version, reason: note, set }
    return decide(parts, call, transferLife, approval, async (tx) => {
      await mayLeave(tx, call, transfer)
      await beginTransfer(tx, parts.keys, transfer, call.now)
    })
  }
}

/** The money is still there: what stands on the platform covers every reservation, this one included. */
async function mayLeave(tx: Transaction, call: Pick<Call, 'language'>, transfer: Transfer): Promise<void> {
  const { sourceId, currency, amountMinor } = transfer
  await run(tx, sql`select 1 from trading_accounts where id = ${sourceId} for update`)
  const { figures, available } = await standingOf(tx, sourceId, currency)
  if ((await owedTo(tx, sourceId)) !== figures.balance.minor) throw new Problem('ledger-differs')
  if (available.minor >= zero(currency).minor) return
  throw new Problem('available-fell', {
    values: { available: amountText(add(available, money(amountMinor, currency)), call.language) },
  })
}

/** Refuses with a reason that the client reads; what was set aside is free again. */
export function rejectTransfer(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const { reason, version } = call.body
    const set = { comment: reason, rejected_at: call.now, decided_by: staffOf(call).staffId }
    const rejection = { request: transfer, verb: 'reject', version, reason, set }
    return decide(parts, call, transferLife, rejection, async (tx) => {
      await release(tx, 'transfer', transfer.id, call.now)
      await tellOf(tx, transfer, 'transfer-rejected', reason, call.now)
    })
  }
}

async function forDecision(parts: Parts, call: Pick<Call<typeof rejectEndpoint>, 'params' | 'caller'>) {
  const transfer = await transferById(parts.pool, call.params.id)
  return requestToDecide<Transfer>(call, transfer, ({ clientEmail }) => clientEmail)
}
