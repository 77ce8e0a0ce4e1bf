/**
 * The reversal of a debited withdrawal that is not paid: finance requests it, a second person confirms it, and the whole
 * debit is credited to the trading account, its fee included (product-decisions section 12).
 */
import type {
  askReversal as askEndpoint,
  dropReversal as dropEndpoint,
  reverseWithdrawal as reverseEndpoint,
} from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { checkReversal, withdrawalLife } from '#rules/withdrawals.ts'
import { advance } from '../../db/transition.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueIn } from '../../office/due-dates.ts'
import { batchOf } from './batches/queries.ts'
import { forDecision } from './decide-withdrawal.ts'
import { withdrawalById, type Withdrawal } from './queries.ts'
import { workOf } from './withdrawal-work.ts'

const kind = withdrawalLife.name
type Deciding = Call<typeof askEndpoint | typeof dropEndpoint | typeof reverseEndpoint>
type Step = Omit<Parameters<typeof advance>[3], 'id' | 'version' | 'clientId'>

/** Takes the withdrawal out of every list until the second person confirms or drops the reversal. */
export function askReversal(parts: Parts): Verb<typeof askEndpoint> {
  return (call) =>
    decideOn(parts, call, async (tx, withdrawal) => ({
      verb: 'askReversal',
      reason: call.body.reason,
      set: { reversal_asked_by: staffOf(call).staffId, reversal_asked_at: call.now },
      work: { ...workOf(withdrawal), state: 'reversal', dueAt: await workDueIn(tx, 'withdrawal', call.now) },
    }))
}

export function dropReversal(parts: Parts): Verb<typeof dropEndpoint> {
  return (call) =>
    decideOn(parts, call, async (tx, withdrawal) => ({
      verb: 'dropReversal',
      reason: call.body.reason,
      set: { reversal_asked_by: null, reversal_asked_at: null },
      work: { ...workOf(withdrawal), state: 'approved', dueAt: await workDueIn(tx, 'withdrawal', call.now) },
    }))
}

export function reverseWithdrawal(parts: Parts): Verb<typeof reverseEndpoint> {
  return (call) =>
    decideOn(
      parts,
      call,
      async () => ({
        verb: 'reverse',
        ...(call.body.note ? { reason: call.body.note } : {}),
        set: { reversed_by: staffOf(call).staffId, returned_at: call.now },
        work: null,
      }),
      async (tx, { reference, platform, login, accountId, currency, amountMinor, id, clientId }) => {
        await enqueueBalance(
          tx,
          parts.keys,
          {
            shown: reference,
            platform,
            login,
            accountId,
            amount: money(amountMinor, currency),
            checkMargin: false,
            leg: 'withdrawal-reversal',
            subject: kind,
            record: id,
            clientId,
          },
          call.now,
        )
      },
    )
}

/** One step, the withdrawal's row locked: a batch that is created at the same moment waits, or is seen. */
async function decideOn(
  parts: Parts,
  call: Deciding,
  step: (tx: Transaction, withdrawal: Withdrawal) => Promise<Step>,
  also?: (tx: Transaction, withdrawal: Withdrawal) => Promise<unknown>,
) {
  const { id } = await forDecision(parts, call, call.params.id)
  return namingDecider(parts, kind, id, () =>
    transaction(parts.pool, async (tx) => {
      await row(tx, sql`select id from withdrawals where id = ${id} for update`)
      const withdrawal = await withdrawalById(tx, id)
      if (!withdrawal) throw new Problem('not-found')
      const move = await step(tx, withdrawal)
      const isInBatch = (await batchOf(tx, id)) !== null
      const { staffId } = staffOf(call)
      if (withdrawal.state === 'approved')
        refuse(checkReversal({ verb: move.verb, isInBatch, askedBy: withdrawal.reversalAskedBy, staffId }))
      const after = await advance(tx, withdrawalLife, call.act, {
        id,
        version: call.body.version,
        clientId: withdrawal.clientId,
        ...move,
      })
      await also?.(tx, withdrawal)
      return decidedAnswer(tx, call, kind, id, after)
    }),
  )
}
