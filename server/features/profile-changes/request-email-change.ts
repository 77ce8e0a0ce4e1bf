/**
 * Staff ask for another e-mail address of somebody who is not reached under the old one. The old address is told at
 * once; nothing changes before another person has approved it and the new address has confirmed itself.
 */
import type { askEmailChange as endpoint } from '#contract/office/profile-changes.ts'
import { profileChangeLife } from '#rules/profile-changes.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clientForDeed } from '../../office/client-for-action.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { timeOf } from '../../auth/times.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { isKnownEmail } from '../registration/queries.ts'
import { whyNoEmailChange } from './queries.ts'

const { name: kind, first } = profileChangeLife

interface Subject {
  readonly client: string
  readonly hasQuestion: boolean
}

export function askEmailChange(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { email: to, reason } = call.body
    const staff = staffOf(call)
    const due = await workDueAt(parts, 'profile_change', call.now)
    return transaction(parts.pool, async (tx) => {
      const client = await clientForDeed<Subject>(
        tx,
        call.params.id,
        sql`, name || ' ' || surname as client, security_answer_hash is not null as "hasQuestion"`,
      )
      for (const address of [client.email, to]) refuseOwnRequest(staff, address)
      refuse(await whyNoEmailChange(tx, client, staff.staffId, call.now))
      if (to === client.email) throw new Problem('value-unchanged', { field: 'email' })
      if (await isKnownEmail(tx, to)) throw new Problem('client-known', { field: 'email' })
      const id = await write(tx, call, client)
      const { id: clientId, language } = client
      await record(tx, call.act, {
        kind,
        verb: 'request',
        record: id,
        clientId,
        to: first,
        reason,
        details: { field: 'email', from: client.email, to },
      })
      const summary = { client: client.client, field: 'email' }
      await openWork(tx, kind, id, { state: first, clientId, dueAt: due, summary }, call.now)
      const letter = {
        kind: 'email-change-asked',
        to: client.email,
        language,
        facts: { at: timeOf(call.now) },
      } as const
      await sendMail(tx, { ...letter, clientId, subject: kind, record: id }, call.now)
      return { id }
    })
  }
}

async function write(
  tx: Transaction,
  call: Call<typeof endpoint>,
  client: { readonly id: string; readonly email: string },
): Promise<string> {
  const { email: to, reason } = call.body
  const asked = await row<{ id: string }>(
    tx,
    sql`insert into profile_changes (client_id, field, from_value, to_value, asked_by, asked_reason, requested_at)
        values (${client.id}, 'email', ${client.email}, ${to}, ${staffOf(call).staffId}, ${reason}, ${call.now})
        returning id`,
  )
  if (!asked) throw new Error('a change of address was not written')
  return asked.id
}
