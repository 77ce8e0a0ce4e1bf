/** Somebody who has just heard the right security answer asks for the reset; the client is told at once. */
import type { askFactorReset as endpoint } from '#contract/office/factor-resets.ts'
import { factorResetLife } from '#rules/factor-resets.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { timeOf } from '../../auth/times.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { lockSubject } from './lock-subject.ts'
import { whyNoFactorReset } from './queries.ts'

const { name: kind, first } = factorResetLife

export function askFactorReset(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { reason } = call.body
    const { staffId } = staffOf(call)
    const due = await workDueAt(parts, 'factor_reset', call.now)
    return transaction(parts.pool, async (tx) => {
      const client = await lockSubject(tx, call.params.id)
      if (!client) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), client.email)
      refuse(await whyNoFactorReset(tx, client, staffId, call.now))
      // What became of an earlier wish stands in the audit log.
      await run(tx, sql`delete from factor_resets where id = ${client.id}`)
      await run(
        tx,
        sql`insert into factor_resets (id, reason, asked_by, asked_at) values (${client.id}, ${reason}, ${staffId}, ${call.now})`,
      )
      await record(tx, call.act, { kind, verb: 'ask', record: client.id, clientId: client.id, to: first, reason })
      await openWork(tx, kind, client.id, { state: first, dueAt: due, clientId: client.id, summary: {} }, call.now)
      const { id, email: to, language } = client
      const facts = { at: timeOf(call.now) }
      await sendMail(tx, { kind: 'second-factor-reset-asked', to, language, facts, clientId: id }, call.now)
      return { id }
    })
  }
}
