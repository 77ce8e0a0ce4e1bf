/** Confirms an address once, by the page's own call (requirements 3.16, 3.17), and creates the client. */
import { msg } from '#contract/message.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { confirmEmail as endpoint } from '#contract/users-session.ts'
import { fieldsOfStep, pick } from '#rules/profile-fields.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordClientEvent } from '../../db/events.ts'
import { profileInsert } from '../../db/profile-columns.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { auditContextOf, signInClient } from '../../auth/client-sessions.ts'
import { writeConsent } from '../../auth/consents.ts'
import { checkLink, findLink, createLink, oneTimeIdOf, consumeLink, type Link } from '../../auth/one-time-links.ts'
import { translate } from '../../i18n/translate.ts'
import { confirmNewEmail } from './confirm-new-email.ts'
import { lockRegistration, type Registration } from './queries.ts'

type Answer = ResponseOf<typeof endpoint>

const words = {
  confirmed: msg`Your email address has been confirmed.`,
  logIn: msg`Your email address has been confirmed. Log in.`,
  choose: msg`Your email address has been confirmed. Choose a password.`,
}

const withPassword = 'setpassword/'
const ofNewAddress = 'change/'

/** Confirms an address and signs in, requests a login, or returns the id for a new password. */
export const confirmEmail: Handler<typeof endpoint> = async (dependencies, context) => {
  const path = context.params['*']
  if (path.startsWith(withPassword))
    return confirmAndSetPassword(dependencies, context, path.slice(withPassword.length))
  if (path.startsWith(ofNewAddress)) return confirmNewEmail(dependencies, context, path.slice(ofNewAddress.length))
  return transaction(dependencies.pool, async (tx) => {
    const link = await findLink(tx, path, ['confirm'])
    if (!link || link.registrationId === null) throw new Problem('link-unknown')
    const registration = await lockRegistration(tx, link.registrationId)
    if (registration.decoy) throw new Problem('link-unknown')
    if (registration.confirmedAt || link.usedAt) return logInFirst(context)
    throwIfProblem(checkLink(link, context.now))
    await consumeLink(tx, link.id, context.now)
    return (await createClient(tx, dependencies, context, registration)) ?? logInFirst(context)
  })
}

function logInFirst({ language }: Pick<RequestContext, 'language'>): Answer {
  return { autologin: false, token: null, msg: translate(words.logIn, language) }
}

/** Converts the registration into a client; returns null if another registration of this address was faster. */
async function createClient(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext,
  registration: Registration,
): Promise<Answer | null> {
  const { id: registrationId, email, language, answers, passwordHash, securityAnswerHash, createdAt } = registration
  const { termsVersion, privacyVersion, acceptedAt, acceptedFrom: address = null } = answers['1.1']
  const profile = profileInsert(pick(answers['1.1'], fieldsOfStep('1.1')))
  const made = await row<{ id: ClientId }>(tx)`
    insert into clients (email, ${profile.columns}, language, password_hash, password_changed_at, security_question,
        security_answer_hash, created_at)
      values (${email}, ${profile.values}, ${language}, ${passwordHash}, ${createdAt},
        ${answers['1.2']?.securityQuestion ?? null}, ${securityAnswerHash}, ${context.now})
      on conflict (email) do nothing returning id`
  if (!made) return null
  await run(tx)`
    update registrations set confirmed_at = ${context.now}, client_id = ${made.id} where id = ${registrationId}`
  const consent = { clientId: made.id, address }
  const consentedAt = acceptedAt === undefined ? createdAt : new Date(acceptedAt)
  await writeConsent(tx, { ...consent, textKey: 'terms', version: termsVersion }, consentedAt)
  await writeConsent(tx, { ...consent, textKey: 'privacy', version: privacyVersion }, consentedAt)
  await recordClientEvent(tx, auditContextOf(made.id, context), made.id, {
    action: 'confirmEmail',
    to: 'registering',
    details: { email },
  })
  const token = await signInClient(tx, dependencies, { id: made.id, email, language }, context, 'logInByConfirmation')
  return { autologin: true, token, msg: translate(words.confirmed, context.language) }
}

/** Confirms the address of an invited or imported client: a new password is required, and no session begins. */
async function confirmAndSetPassword(
  dependencies: Dependencies,
  context: RequestContext,
  oneTimeId: string,
): Promise<Answer> {
  const { resetMinutes } = await dependencies.settings.get('security')
  return transaction(dependencies.pool, async (tx) => {
    const link: Link | null = await findLink(tx, oneTimeId, ['setpassword'])
    if (link?.usedAt) return logInFirst(context)
    throwIfProblem(checkLink(link, context.now))
    const clientId = link?.clientId
    if (!link || !clientId) throw new Problem('link-unknown')
    await consumeLink(tx, link.id, context.now)
    const reset = await createLink(
      tx,
      dependencies.keys,
      { purpose: 'reset', owner: { clientId }, lifeSeconds: resetMinutes * 60 },
      context.now,
    )
    await recordClientEvent(tx, auditContextOf(clientId, context), clientId, { action: 'confirmEmail' })
    return {
      autologin: false,
      token: null,
      msg: translate(words.choose, context.language),
      resetId: oneTimeIdOf(dependencies.keys, reset),
    }
  })
}
