/** Staff decide on a withdrawal: four eyes at or over the threshold, figures read anew (mechanics sections 1 and 3). */
import type {
  approveWithdrawal as approveEndpoint,
  confirmWithdrawal as confirmEndpoint,
  rejectWithdrawal as rejectEndpoint,
} from '#contract/office/withdrawals.ts'
import { decimalOf, less, money, negate, subtract, type Money } from '#rules/money.ts'
import { afterFirstApproval, differentPerson, sameBankSince, withdrawalLife } from '#rules/withdrawals.ts'
import { advance } from '../../db/advance.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import type { Keys } from '../../keys.ts'
import { free, readFigures } from '../../ledger/figures.ts'
import { owedTo } from '../../ledger/post.ts'
import { release, reservedOf } from '../../ledger/reservations.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { amountText } from '../../wording.ts'
import { workDueAt } from '../../work-due.ts'
import { askedToBank, withdrawalById, type Withdrawal } from './queries.ts'
import { tellOfWithdrawal } from './tell-client.ts'

type Deciding = Call<typeof approveEndpoint | typeof confirmEndpoint | typeof rejectEndpoint>

const kind = withdrawalLife.name

/** First approval: to the platform, or to a second person. */
export function approveWithdrawal(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const staff = staffOf(call)
    const withdrawal = await forDecision(parts, call, call.params.id)
    await readAnew(parts, withdrawal, call.now)
    const thresholds = await parts.settings.get('thresholds')
    const threshold = money(thresholds[withdrawal.currency], withdrawal.currency)
    return namingDecider(parts, kind, withdrawal.id, () =>
      transaction(parts.pool, async (tx) => {
        await mayLeave(tx, call, withdrawal)
        const before = await askedToBank(tx, withdrawal.id, sameBankSince(withdrawal.requestedAt))
        const to = afterFirstApproval(money(before + withdrawal.amountMinor, withdrawal.currency), threshold)
        const after = await advance(tx, withdrawalLife, call.act, {
          id: withdrawal.id,
          verb: 'approve',
          to,
          version: call.body.version,
          clientId: withdrawal.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: {
            approved_by: staff.staffId,
            first_approved_at: call.now,
            approval_note: call.body.note,
            threshold_minor: threshold.minor,
          },
          work:
            to === 'processing'
              ? null
              : {
                  ...workOf(withdrawal),
                  state: 'second_approval',
                  dueAt: await workDueAt(parts, 'withdrawal', call.now),
                },
        })
        if (to === 'processing') await debit(tx, parts.keys, withdrawal, call.now)
        return decidedAnswer(tx, call, kind, withdrawal.id, after)
      }),
    )
  }
}

/** Second approval, never by the first approver: to the platform. */
export function confirmWithdrawal(parts: Parts): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const staff = staffOf(call)
    const withdrawal = await forDecision(parts, call, call.params.id)
    refuse(differentPerson(withdrawal.approvedBy, staff.staffId))
    await readAnew(parts, withdrawal, call.now)
    return namingDecider(parts, kind, withdrawal.id, () =>
      transaction(parts.pool, async (tx) => {
        await mayLeave(tx, call, withdrawal)
        const locked = await row<{ approved_by: string | null }>(
          tx,
          sql`select approved_by from withdrawals where id = ${withdrawal.id} for update`,
        )
        refuse(differentPerson(locked?.approved_by ?? null, staff.staffId))
        const after = await advance(tx, withdrawalLife, call.act, {
          id: withdrawal.id,
          verb: 'confirm',
          version: call.body.version,
          clientId: withdrawal.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: { confirmed_by: staff.staffId, confirmed_at: call.now },
          work: null,
        })
        await debit(tx, parts.keys, withdrawal, call.now)
        return decidedAnswer(tx, call, kind, withdrawal.id, after)
      }),
    )
  }
}

/** Refuses with a reason that the client reads; what was set aside is free again. */
export function rejectWithdrawal(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    const { version, reason } = call.body
    const set = { comment: reason, rejected_at: call.now }
    const rejection = { request: withdrawal, verb: 'reject', version, reason, set }
    return decide(parts, call, withdrawalLife, rejection, async (tx) => {
      await release(tx, 'withdrawal', withdrawal.id, call.now)
      await tellOfWithdrawal(tx, { ...withdrawal, comment: reason }, 'withdrawal-rejected', call.act)
    })
  }
}

/** The withdrawal that a decision is about; refuses one's own. */
export async function forDecision(parts: Parts, call: Pick<Call, 'caller'>, id: string): Promise<Withdrawal> {
  return requestToDecide(call, await withdrawalById(parts.pool, id), ({ clientEmail }) => clientEmail)
}

/** An approval always reads anew, outside of the transaction that decides (mechanics section 1). */
async function readAnew(parts: Parts, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { accountId, platform, login, currency } = withdrawal
  await readFigures(parts.pool, parts, { accountId, platform, login, currency }, now)
}

/** The money is still there: what stands on the platform covers every reservation, this one included. */
async function mayLeave(tx: Transaction, call: Deciding, withdrawal: Withdrawal): Promise<void> {
  await run(tx, sql`select 1 from trading_accounts where id = ${withdrawal.accountId} for update`)
  const room = await roomFor(tx, withdrawal)
  if (room === null) throw new Problem('figures-old')
  if (!room.agrees) throw new Problem('ledger-differs')
  if (less(room.available, money(0n, withdrawal.currency))) {
    const here = subtract(room.available, negate(money(withdrawal.amountMinor, withdrawal.currency)))
    throw new Problem('available-fell', { values: { available: amountText(here, call.language) } })
  }
}

interface Room {
  /** What is free after every reservation. */
  readonly available: Money
  readonly agrees: boolean
}

async function roomFor(tx: Transaction, withdrawal: Withdrawal): Promise<Room | null> {
  const kept = await row<{ balance: bigint; free: bigint | null }>(
    tx,
    sql`select balance_minor as balance, free_margin_minor as free from platform_figures where account_id = ${withdrawal.accountId}`,
  )
  if (!kept) return null
  const { currency, accountId } = withdrawal
  const balance = money(kept.balance, currency)
  const standing = { balance, freeMargin: kept.free === null ? null : money(kept.free, currency) }
  const reserved = money(await reservedOf(tx, accountId), currency)
  return { available: subtract(free(standing), reserved), agrees: (await owedTo(tx, accountId)) === kept.balance }
}

async function debit(tx: Transaction, keys: Pick<Keys, 'reference'>, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { platform, login, accountId, currency, amountMinor, id, clientId } = withdrawal
  await enqueueBalance(
    tx,
    keys,
    {
      shown: withdrawal.reference,
      platform,
      login,
      accountId,
      amount: negate(money(amountMinor, currency)),
      checkMargin: true,
      leg: 'withdrawal-debit',
      subject: 'withdrawal',
      record: id,
      clientId,
    },
    now,
  )
}

/** The inbox item of a withdrawal, but for its state and due time. */
function workOf(withdrawal: Withdrawal) {
  const { amountMinor, currency, login, reference, clientId } = withdrawal
  return { clientId, summary: { amount: decimalOf(amountMinor), currency, account: login, reference } }
}
