/**
 * Staff request another email address for a client who cannot be reached under the old one. The old address is notified
 * immediately; nothing changes before another person approves it and the new address is confirmed.
 */
import type { requestEmailChange as endpoint } from '#contract/office/profile-changes.ts'
import { profileChangeMachine } from '#rules/profile-changes.ts'
import type { ClientId, ProfileChangeId } from '#rules/ids.ts'
import { sql, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { isKnownEmail } from '../registration/queries.ts'
import { emailChangeProblem, emailToConfirm } from './queries.ts'

const kind = profileChangeMachine.name

interface Subject {
  readonly client: string
  readonly hasQuestion: boolean
}

export const requestEmailChange: Handler<typeof endpoint> = async (dependencies, context) => {
  const { email: to, reason } = context.body
  const staff = requireStaff(context)
  const dueAt = await workItemDueAt(dependencies, 'profile_change', context.now)
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<Subject>(
      tx,
      context.params.id,
      sql`, name || ' ' || surname as client, security_answer_hash is not null as "hasQuestion"`,
    )
    for (const address of [client.email, to]) assertNotOwnRequest(staff, address)
    throwIfProblem(await emailChangeProblem(tx, client, staff.staffId, context.now))
    if (to === client.email) throw new Problem('value-unchanged', { field: 'email' })
    if (await isKnownEmail(tx, to)) throw new Problem('client-known', { field: 'email' })
    const { id: clientId, language } = client
    const expired = await emailToConfirm(tx, clientId)
    if (expired) {
      const auditContext = { ...context.auditContext, identity: { kind: 'clock' } } as const
      await applyTransition(tx, profileChangeMachine, auditContext, { id: expired.id, clientId }, 'replace')
    }
    const id = await insertEmailChange(tx, context, client)
    await recordCreation(tx, profileChangeMachine, context.auditContext, { id, clientId }, 'request', {
      reason,
      details: { field: 'email', from: client.email, to },
      workItem: { dueAt, summary: { client: client.client, field: 'email' } },
    })
    const mail = {
      kind: 'email-change-asked',
      to: client.email,
      language,
      facts: { at: unixSeconds(context.now) },
    } as const
    await sendMail(tx, context.now, { ...mail, clientId, subject: kind, record: id })
    return { id }
  })
}

async function insertEmailChange(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  client: { readonly id: ClientId; readonly email: string },
): Promise<ProfileChangeId> {
  const { email: to, reason } = context.body
  const asked = await requireRow<{ id: ProfileChangeId }>(tx)`
    insert into profile_changes (client_id, field, from_value, to_value, asked_by, asked_reason, requested_at)
      values (${client.id}, 'email', ${client.email}, ${to}, ${requireStaff(context).staffId}, ${reason}, ${context.now})
      returning id`
  return asked.id
}
