/** The page's own call confirms, once: product-decisions sections 4, 10 and 11. The client is created here. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { confirmEmail as endpoint } from '#contract/users-session.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem, refuse, type Language } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { actOf, signInClient } from '../../auth/client-sessions.ts'
import { writeConsent } from '../../auth/consents.ts'
import { checkLink, findLink, makeLink, oneTimeIdOf, useLink, type Link } from '../../auth/one-time-links.ts'
import { confirmNewEmail } from './confirm-new-email.ts'
import { holdRegistration, type Registration } from './queries.ts'

type Answer = AnswerOf<typeof endpoint>

const words = {
  confirmed: { en: 'Your e-mail address is confirmed.', de: 'Ihre E-Mail-Adresse ist bestätigt.' },
  logIn: {
    en: 'Your e-mail address is confirmed. Please log in.',
    de: 'Ihre E-Mail-Adresse ist bestätigt. Bitte melden Sie sich an.',
  },
  choose: {
    en: 'Your e-mail address is confirmed. Choose a password now.',
    de: 'Ihre E-Mail-Adresse ist bestätigt. Wählen Sie jetzt ein Passwort.',
  },
} as const satisfies Record<string, Record<Language, string>>

const withPassword = 'setpassword/'
const ofNewAddress = 'change/'

/** Confirms an address and signs in, or says to log in, or gives the id for a new password. */
export async function confirmEmail(parts: Parts, call: Call<typeof endpoint>): Promise<Answer> {
  const path = call.params['*']
  if (path.startsWith(withPassword)) return confirmAndSetPassword(parts, call, path.slice(withPassword.length))
  if (path.startsWith(ofNewAddress)) return confirmNewEmail(parts, call, path.slice(ofNewAddress.length))
  return transaction(parts.pool, async (tx) => {
    const link = await findLink(tx, path, ['confirm'])
    if (!link || link.registrationId === null) throw new Problem('link-unknown')
    const registration = await holdRegistration(tx, link.registrationId)
    if (registration.decoy) throw new Problem('link-unknown')
    if (registration.confirmedAt || link.usedAt) return logInFirst(call)
    refuse(checkLink(link, call.now))
    await useLink(tx, link.id, call.now)
    return (await createClient(tx, parts, call, registration)) ?? logInFirst(call)
  })
}

function logInFirst({ language }: Pick<Call, 'language'>): Answer {
  return { autologin: false, token: null, msg: words.logIn[language] }
}

/** Makes the registration a client; null where another registration of this address was quicker. */
async function createClient(
  tx: Transaction,
  parts: Parts,
  call: Call,
  registration: Registration,
): Promise<Answer | null> {
  const { id: registrationId, email, language, answers, passwordHash, securityAnswerHash, createdAt } = registration
  const { title, name, surname, country, termsVersion, privacyVersion } = answers['1.1']
  const made = await row<{ id: string }>(
    tx,
    sql`insert into clients (email, title, name, surname, country, language, password_hash, password_changed_at,
          security_question, security_answer_hash, created_at)
        values (${email}, ${title}, ${name}, ${surname}, ${country}, ${language}, ${passwordHash}, ${createdAt},
          ${answers['1.2']?.securityQuestion ?? null}, ${securityAnswerHash}, ${call.now})
        on conflict (email) do nothing returning id`,
  )
  if (!made) return null
  await run(
    tx,
    sql`update registrations set confirmed_at = ${call.now}, client_id = ${made.id} where id = ${registrationId}`,
  )
  const consent = { clientId: made.id, address: null }
  await writeConsent(tx, { ...consent, textKey: 'terms', version: termsVersion }, createdAt)
  await writeConsent(tx, { ...consent, textKey: 'privacy', version: privacyVersion }, createdAt)
  await record(tx, actOf(made.id, call), {
    kind: 'client',
    verb: 'confirmEmail',
    record: made.id,
    clientId: made.id,
    to: 'registering',
    details: { email },
  })
  const token = await signInClient(tx, parts, { id: made.id, email, language }, call, 'logInByConfirmation')
  return { autologin: true, token, msg: words.confirmed[call.language] }
}

/** The link of a client whom staff invited or imported: a new password is due, and no session begins. */
async function confirmAndSetPassword(parts: Parts, call: Call, oneTimeId: string): Promise<Answer> {
  const { resetMinutes } = await parts.settings.get('security')
  return transaction(parts.pool, async (tx) => {
    const link: Link | null = await findLink(tx, oneTimeId, ['setpassword'])
    if (link?.usedAt) return logInFirst(call)
    refuse(checkLink(link, call.now))
    const clientId = link?.clientId
    if (!link || !clientId) throw new Problem('link-unknown')
    await useLink(tx, link.id, call.now)
    const reset = await makeLink(
      tx,
      parts.keys,
      { purpose: 'reset', owner: { clientId }, lifeSeconds: resetMinutes * 60 },
      call.now,
    )
    await record(tx, actOf(clientId, call), { kind: 'client', verb: 'confirmEmail', record: clientId, clientId })
    return { autologin: false, token: null, msg: words.choose[call.language], resetId: oneTimeIdOf(parts.keys, reset) }
  })
}
