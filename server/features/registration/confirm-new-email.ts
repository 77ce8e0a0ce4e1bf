/** Activates a client's new email address by the link in its email: it is the login from then on. */
import { msg } from '#contract/message.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { confirmEmail as endpoint } from '#contract/users-session.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ClientId } from '#rules/ids.ts'
import { profileChangeMachine } from '#rules/profile-changes.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, transaction, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { notifyClient, sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import type { Dependencies } from '../../dependencies.ts'
import { auditContextOf } from '../../auth/client-sessions.ts'
import { checkLink, findLink, endUnusedLinks, consumeLink } from '../../auth/one-time-links.ts'
import { translate } from '../../i18n/translate.ts'
import { emailToConfirm, type ProfileChange } from '../profile-changes/queries.ts'
import { isKnownEmail } from './queries.ts'

const words = msg`Your new email address has been confirmed. Use it to log in.`

/** Changes the address, ends every session, and notifies the old and the new address. */
export async function confirmNewEmail(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
  oneTimeId: string,
): Promise<ResponseOf<typeof endpoint>> {
  const answer = { autologin: false, token: null, msg: translate(words, context.language) }
  return transaction(dependencies.pool, async (tx) => {
    const link = await findLink(tx, oneTimeId, ['email-change'])
    if (link?.usedAt) return answer
    throwIfProblem(checkLink(link, context.now))
    if (!link || link.clientId === null) throw new Problem('link-unknown')
    const client = await clientForAction(tx, link.clientId)
    const change = await emailToConfirm(tx, client.id)
    if (!change) throw new Problem('link-used')
    if (await isKnownEmail(tx, change.to)) throw new Problem('email-taken')
    await consumeLink(tx, link.id, context.now)
    const { id, from: email, to } = change
    const of = { id, clientId: client.id }
    await applyTransition(tx, profileChangeMachine, auditContextOf(client.id, context), of, 'confirm', {
      details: { before: { email }, after: { email: to } },
    })
    await applyNewEmail(tx, change, context.now)
    return answer
  })
}

/** Activates the address and invalidates links sent to the old one. */
async function applyNewEmail(tx: Transaction, change: ProfileChange, now: Date): Promise<void> {
  const { id: record, clientId, email: old, to: email, language } = change
  await run(tx)`update clients set email = ${email}, version = version + 1 where id = ${clientId}`.catch(
    throwEmailTaken,
  )
  await endSessionsOf(tx, { clientId }, now)
  for (const purpose of ['reset', 'setpassword'] as const) await endUnusedLinks(tx, purpose, { clientId }, now)
  await redirectUnsentMails(tx, clientId, old, email)
  const subject = profileChangeMachine.name
  const facts = { at: unixSeconds(now) }
  await sendMail(tx, now, { kind: 'email-changed', to: old, language, facts, clientId, subject, record })
  const client = { id: clientId, email, language }
  const notification = {
    kind: 'profile-change-approved',
    client,
    facts: { field: 'email' },
    link: portalPaths.profile,
  } as const
  await notifyClient(tx, now, { ...notification, subject, record })
}

/**
 * Sends the client's unsent mails, and rejected ones that staff may retry, to the new address. Links, which have ended,
 * and the notice that the change was requested stay with the old one (ADR 93).
 */
async function redirectUnsentMails(tx: Transaction, clientId: ClientId, old: string, email: string): Promise<void> {
  await run(tx)`
    update operations set payload = jsonb_set(payload, '{to}', to_jsonb(${email}::text))
      where client_id = ${clientId} and kind = 'mail' and state <> 'done' and payload ->> 'to' = ${old}
        and payload ->> 'kind' <> 'email-change-asked' and not payload -> 'facts' ? 'link'`
}

const uniqueViolation = '23505'

/** Throws because another client has taken the address since it was checked. */
function throwEmailTaken(error: Error & { code?: string }): never {
  throw error.code === uniqueViolation ? new Problem('email-taken') : error
}
