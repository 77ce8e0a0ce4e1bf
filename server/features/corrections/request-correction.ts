/** Finance asks for a correction of what is owed to an account; another person decides (issue text on money). */
import { randomBytes } from 'node:crypto'
import type { askCorrection as endpoint } from '#contract/office/accounting.ts'
import { correctionLife } from '#rules/corrections.ts'
import { decimalOf } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { correctableAccount } from './queries.ts'

export function askCorrection(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { accountId, amount, currency, reason } = call.body
    const account = await correctableAccount(parts.pool, accountId)
    if (!account) throw new Problem('account-unknown', { field: 'accountId' })
    if (account.currency !== currency) throw new Problem('other-currency', { field: 'currency' })
    refuseOwnRequest(staffOf(call), account.clientEmail)
    const due = await workDueAt(parts, 'correction', call.now)
    const { referencePrefix } = await parts.settings.get('firm')
    const reference = referenceFrom(referencePrefix, randomBytes(5))
    return once(parts.pool, call, async (tx) => {
      const asked = await row<{ id: string }>(
        tx,
        sql`insert into corrections (account_id, amount_minor, currency, reference, reason, asked_by, asked_at)
            values (${account.id}, ${amount}, ${currency}, ${reference}, ${reason}, ${staffOf(call).staffId}, ${call.now}) returning id`,
      )
      if (!asked) throw new Error('a correction was not written')
      const { name: kind, first } = correctionLife
      const facts = { amount: decimalOf(amount), currency, account: account.login, reference }
      await record(tx, call.act, {
        kind,
        verb: 'ask',
        record: asked.id,
        clientId: account.clientId,
        to: first,
        reason,
        details: { after: facts },
      })
      await openWork(
        tx,
        kind,
        asked.id,
        { state: first, dueAt: due, clientId: account.clientId, summary: facts },
        call.now,
      )
      return { id: asked.id }
    })
  }
}
