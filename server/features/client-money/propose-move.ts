/** Finance proposes to move the firm's own money, or says that a bank line is such a move; another person confirms. */
import { randomBytes } from 'node:crypto'
import type { proposeFirmMoney as endpoint } from '#contract/office/firm-money.ts'
import { checkFirmMove, firmMoneyLife } from '#rules/firm-money.ts'
import { decimalOf, money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { amountText } from '../../i18n/format.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { lockLine, surplusIn } from './queries.ts'

export function proposeMove(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { amount, currency, reason, lineId = null } = call.body
    const { referencePrefix } = await parts.settings.get('firm')
    const due = await workDueAt(parts, 'firm_money', call.now)
    const reference = referenceFrom(referencePrefix, randomBytes(5))
    return once(parts.pool, call, async (tx) => {
      await mayMove(tx, call, lineId)
      const asked = await row<{ id: string }>(
        tx,
        sql`insert into firm_money_moves (reference, amount_minor, currency, reason, bank_line, asked_by, asked_at)
            values (${reference}, ${amount}, ${currency}, ${reason}, ${lineId}::uuid, ${staffOf(call).staffId}, ${call.now})
            on conflict (bank_line) where state <> 'rejected' do nothing returning id`,
      )
      if (!asked) throw new Problem('line-not-free', { field: 'lineId' })
      const { name: kind, first } = firmMoneyLife
      const facts = { amount: decimalOf(amount), currency, reference }
      await record(tx, call.act, { kind, verb: 'ask', record: asked.id, to: first, reason, details: { after: facts } })
      await openWork(tx, kind, asked.id, { state: first, dueAt: due, summary: facts }, call.now)
      return { id: asked.id, reference }
    })
  }
}

/** A line is a fact: the firm must say what it was. What is still to be paid must be the firm's. */
async function mayMove(tx: Transaction, call: Call<typeof endpoint>, lineId: string | null): Promise<void> {
  const { amount, currency } = call.body
  if (lineId === null) return refuseMore(tx, call, money(amount, currency))
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free', { field: 'lineId' })
  if (line.amountMinor !== amount || line.currency !== currency) throw new Problem('line-differs', { field: 'amount' })
}

/** Throws `more-than-firms-own` where clients' money would leave with the firm's. */
export async function refuseMore(
  tx: Transaction,
  call: Pick<Call, 'language'>,
  amount: ReturnType<typeof money>,
): Promise<void> {
  const surplus = await surplusIn(tx, amount.currency)
  const most = amountText(money(surplus > 0n ? surplus : 0n, amount.currency), call.language)
  refuse(checkFirmMove(amount, surplus), { values: { most }, field: 'amount' })
}
