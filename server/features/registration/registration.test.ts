import type { ClientId } from '#rules/ids.ts'
import { describe, expect, test } from 'vitest'
import { problems } from '#contract/problems.ts'
import { inviteClient } from '#contract/office/client-decisions.ts'
import { changeRegistrationEmail, checkUserRegister, registerWeb, resendConfirmation } from '#contract/registration.ts'
import { newPassword, resetPassword } from '#contract/passwords.ts'
import { confirmEmail, currentUser, login } from '#contract/users-session.ts'
import { profile } from '#contract/profile.ts'
import { registrationSteps } from '#rules/registration.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { isCorrectPassword } from '#server/auth/password-hash.ts'
import { call, goodPassword, makeClient, makeStaff, clientTokenFor } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { mailsTo, oneTimeIdIn } from '#tests/mails.ts'
import {
  randomLoopbackAddress,
  finishRegistration,
  newEmail,
  registerAndConfirm,
  registerUnconfirmed,
  sendStep,
  registrationStep,
  stepAnswers,
} from '#tests/registering.ts'

const server = serverForFile()

const confirmBy = (id: string, headers = {}) => call(server, confirmEmail, { params: { '*': id }, headers })
const kindsTo = async (email: string) => (await mailsTo(server, email)).map(({ kind }) => kind)

test('a changed address counts as a registration from its network, because it is sent an email', async () => {
  const token = await registerUnconfirmed(server, newEmail())
  server.clock.turn(61)
  const { pool } = server.dependencies
  await call(server, changeRegistrationEmail, { as: token, body: { email: newEmail() } })
  server.clock.turn(61)
  await run(pool, sql`update rate_limits set count = 10000 where bucket like 'registrations:%'`)
  const email = newEmail()
  const changed = await call(server, changeRegistrationEmail, { as: token, body: { email } })
  expect([changed.status, changed.failure.code]).toEqual([429, 'too-many'])
  const saved = await sendStep(server, '1.1', { ...stepAnswers(email)['1.1'] }, token)
  expect(saved.status).toBe(429)
  expect(await kindsTo(email)).toEqual([])
  await run(pool, sql`delete from rate_limits where bucket like 'registrations:%'`)
  expect((await call(server, changeRegistrationEmail, { as: token, body: { email } })).status).toBe(200)
})

describe('the whole registration', () => {
  test('leads a visitor through confirmation and all steps to the state pending, with an email and no work item before documents', async () => {
    const email = newEmail()
    const first = await registerUnconfirmed(server, email)
    expect(await registrationStep(server, first)).toMatchObject({
      step: 1,
      subStep: 3,
      completed: false,
      emailConfirmed: false,
      email,
    })
    const id = await oneTimeIdIn(server, email, 'confirm-email')
    const confirmed = (await confirmBy(id)).answer
    expect(confirmed).toMatchObject({ autologin: true, msg: 'Your email address has been confirmed.' })
    const token = await finishRegistration(server, email, confirmed.token ?? '')
    const { user } = (await call(server, currentUser, { as: token })).answer
    expect(user).toMatchObject({
      email,
      status: 'pending',
      registered: true,
      continueRegistration: false,
      nationality: 'PT',
      birthYear: 1984,
    })
    expect(await kindsTo(email)).toEqual(['confirm-email', 'registration-received'])
    const item = await row<{ state: string }>(
      server.dependencies.pool,
      sql`select state from work_items where kind = 'client' and record = ${user.id}`,
    )
    expect(item).toBeNull()
    const consents = await rows(
      server.dependencies.pool,
      sql`select text_key from consents where client_id = ${user.id}`,
    )
    expect(consents).toHaveLength(5)
    const { answers, completed } = await registrationStep(server, token)
    expect(completed).toBe(true)
    expect(Object.keys(answers)).toEqual([...registrationSteps])
    expect(answers['2.6']).toEqual(stepAnswers(email)['2.6'])
    expect(JSON.stringify(answers)).not.toContain('Bella')
  })

  test('returns the next step with each response; steps can be repeated, not skipped', async () => {
    const email = newEmail()
    const token = await registerAndConfirm(server, email)
    const answers = stepAnswers(email)
    expect((await sendStep(server, '2.2', answers['2.2'], token)).failure.code).toBe('step-skipped')
    expect((await sendStep(server, '1.3', {}, token)).answer.data).toEqual({ step: 2, subStep: 1 })
    expect((await sendStep(server, '2.1', answers['2.1'], token)).answer.data).toEqual({ step: 2, subStep: 2 })
    expect((await sendStep(server, '2.1', { mobilePhone: '+351 912345678' }, token)).answer.data).toEqual({
      step: 2,
      subStep: 2,
    })
    expect((await sendStep(server, '1.2', answers['1.2'], token)).failure.code).toBe('step-closed')
    const status = await registrationStep(server, token)
    expect(status).toMatchObject({ step: 2, subStep: 2 })
    expect(status.answers['2.1']).toEqual({ mobilePhone: '+351912345678' })
  })

  test('continues where it stopped after a login on another device', async () => {
    const email = newEmail()
    await sendStep(server, '1.3', {}, await registerAndConfirm(server, email))
    const { token } = (await call(server, login, { body: { email, password: goodPassword } })).answer
    expect(await registrationStep(server, token ?? '')).toMatchObject({ step: 2, subStep: 1, emailConfirmed: true })
    const { user } = (await call(server, currentUser, { as: token ?? '' })).answer
    expect(user).toMatchObject({ continueRegistration: true, registered: false })
  })

  test('accepts no step after its end', async () => {
    const client = await makeClient(server, { state: 'pending' })
    expect((await sendStep(server, '2.1', { mobilePhone: '+4930901820' }, client.token)).failure.code).toBe(
      'registration-over',
    )
  })
})

describe('rules of the steps', () => {
  test.each([
    ['an unavailable country', { country: 'KP' }, 'country', 'country-unavailable'],
    ['a short password', { password: 'a2345' }, 'password', 'password-short'],
    ['a common password', { password: 'Password1' }, 'password', 'password-common'],
    ['only spaces', { password: '        ' }, 'password', 'password-common'],
    ['the person’s own name', { password: 'Almeida12' }, 'password', 'password-own'],
    ['a NUL character', { password: 'quince\0harbour' }, 'password', 'password-characters'],
    ['an unknown title', { title: 'Lord' }, 'title', 'unknown-value'],
    ['terms not accepted', { acceptTerms: false }, 'acceptTerms', 'must-accept'],
    ['terms of another version', { termsVersion: 7 }, 'termsVersion', 'text-replaced'],
    ['an email address with a line break', { email: 'a@example.com\n' }, 'email', 'email-invalid'],
    ['two email addresses', { email: 'a@example.com,b@example.com' }, 'email', 'email-invalid'],
    ['an email address as a list', { email: ['a@example.com'] }, 'email', 'required'],
    ['an email address of 10,000 characters', { email: `${'a'.repeat(10_000)}@example.com` }, 'email', 'email-invalid'],
    ['a field that no caller may send', { status: 'approved' }, 'status', 'unknown-field'],
  ])('step 1.1 rejects %s', async (_, change, field, code) => {
    const reply = await sendStep(
      server,
      '1.1',
      { ...stepAnswers(newEmail())['1.1'], ...change },
      undefined,
      randomLoopbackAddress(),
    )
    expect(reply.status === 400 || reply.status === 409).toBe(true)
    expect(Object.keys(reply.failure.errors)).toEqual([field])
    expect(reply.failure.code).toBe(code)
  })

  test('the birth date must exist and be at least 18 years ago, to the day', async () => {
    const token = await registerAndConfirm(server, newEmail())
    await sendStep(server, '1.3', {}, token)
    await sendStep(server, '2.1', { mobilePhone: '+4930901820' }, token)
    const born = (birthYear: number, birthMonth: number, birthDay: number) =>
      sendStep(server, '2.2', { birthDay, birthMonth, birthYear }, token)
    const bornBefore18Years = (day: Date) => born(day.getUTCFullYear() - 18, day.getUTCMonth() + 1, day.getUTCDate())
    const today = server.clock.now()
    const tomorrow = new Date(today.getTime() + 24 * 3_600_000)
    expect((await bornBefore18Years(tomorrow)).failure).toMatchObject({
      code: 'under-age',
      errors: { birthYear: 'You must be 18 or older.' },
    })
    expect((await born(1984, 2, 30)).failure.code).toBe('date-invalid')
    expect((await sendStep(server, '2.2', {}, token)).failure.errors['birthDay']).toBe('Please, set your birth date.')
    expect((await bornBefore18Years(today)).status).toBe(200)
  })

  test('the country of residence is checked again with the address, and a new token carries it', async () => {
    const email = newEmail()
    const token = await registerAndConfirm(server, email)
    const answers = stepAnswers(email)
    for (const step of ['1.3', '2.1', '2.2'] as const) await sendStep(server, step, answers[step], token)
    expect((await sendStep(server, '2.3', { ...answers['2.3'], country: 'IR' }, token)).failure.errors).toHaveProperty(
      'country',
    )
    const short = await sendStep(server, '2.3', { ...answers['2.3'], postcode: '10' }, token)
    expect(short.failure.errors).toEqual({ postcode: problems['postcode-length'].text.message })
    const moved = await sendStep(server, '2.3', { ...answers['2.3'], country: 'PT' }, token)
    expect(moved.answer.data.token).toEqual(expect.any(String))
  })

  test('the security answer is stored as a hash of its normalised form', async () => {
    const email = newEmail()
    await registerAndConfirm(server, email)
    const kept = await row<{ hash: string }>(
      server.dependencies.pool,
      sql`select security_answer_hash as hash from clients where email = ${email}`,
    )
    expect(await isCorrectPassword(kept?.hash ?? null, 'bella the cat')).toBe(true)
  })

  test('registrations from one IP address are limited to 20 attempts', async () => {
    const from = randomLoopbackAddress()
    const replies = []
    for (let turn = 0; turn < 21; turn += 1) {
      const reply = await sendStep(
        server,
        '1.1',
        { ...stepAnswers(newEmail())['1.1'], password: 'short' },
        undefined,
        from,
      )
      replies.push(reply.status)
    }
    expect(replies.slice(0, 20).every((status) => status === 400)).toBe(true)
    expect(replies[20]).toBe(429)
  })
})

test('steps whose answers are hashed are limited to 20 an hour per person (requirements 32.5)', async () => {
  const email = newEmail()
  const token = await registerUnconfirmed(server, email)
  const again = async (answers: object) => (await sendStep(server, '1.2', answers, token)).status
  const strange = { ...stepAnswers(email)['1.2'], securityQuestion: 'none-of-ours' }
  for (let turn = 0; turn < 19; turn += 1) expect(await again(strange)).toBe(400)
  expect(await again(stepAnswers(email)['1.2'])).toBe(429)
  expect((await sendStep(server, '1.1', stepAnswers(email)['1.1'], token)).status).toBe(429)
})

describe('registering with a known address (requirements 26.9)', () => {
  test('gives the same response as a new address, notifies the client, and its token gives no access to the client', async () => {
    const client = await makeClient(server)
    const unknown = newEmail()
    const first = (email: string) =>
      sendStep(server, '1.1', stepAnswers(email)['1.1'], undefined, randomLoopbackAddress())
    const [known, fresh] = [await first(client.email), await first(unknown)]
    expect(known.status).toBe(fresh.status)
    expect(Object.keys(known.answer.data)).toEqual(Object.keys(fresh.answer.data))
    const token = known.answer.data.token ?? ''
    expect((await sendStep(server, '1.2', stepAnswers('')['1.2'], token)).answer.data).toEqual({ step: 1, subStep: 3 })
    expect(await kindsTo(client.email)).toEqual(['known-address'])
    expect((await call(server, profile, { as: token, body: {} })).status).toBe(401)
    const status = await registrationStep(server, token)
    expect(status).toMatchObject({ emailConfirmed: false, answers: { '1.1': { name: 'Ines' } } })
    expect((await sendStep(server, '1.3', {}, token)).failure.code).toBe('email-not-confirmed')
  })

  test('recognises the address in another case', async () => {
    const client = await makeClient(server, { email: newEmail() })
    await registerUnconfirmed(server, client.email.toUpperCase())
    expect(await kindsTo(client.email)).toEqual(['known-address'])
  })

  test('becomes an ordinary registration with an unknown address, and a decoy again with the known one', async () => {
    const client = await makeClient(server)
    const token = await registerUnconfirmed(server, client.email)
    const other = newEmail()
    expect((await call(server, changeRegistrationEmail, { as: token, body: { email: other } })).failure).toMatchObject({
      code: 'resend-wait',
      values: { seconds: 60 },
    })
    server.clock.turn(60)
    expect((await call(server, changeRegistrationEmail, { as: token, body: { email: other } })).answer).toEqual({
      resendInSeconds: 60,
    })
    const id = await oneTimeIdIn(server, other, 'confirm-email')
    server.clock.turn(60)
    expect((await call(server, changeRegistrationEmail, { as: token, body: { email: client.email } })).status).toBe(200)
    expect((await confirmBy(id)).failure.code).toBe('link-unknown')
  })
})

describe('confirming the address', () => {
  test('requires a request for JSON alone; navigation, */*, no Accept header and HEAD get the page (requirements 26.17)', async () => {
    const email = newEmail()
    await registerUnconfirmed(server, email)
    const id = await oneTimeIdIn(server, email, 'confirm-email')
    for (const accept of ['text/html,application/xhtml+xml', '*/*', 'text/html, application/json', '']) {
      const reply = await confirmBy(id, { accept })
      expect(reply.json === null || 'code' in (reply.json as object)).toBe(true)
    }
    expect((await call(server, { ...confirmEmail, method: 'HEAD' as 'GET' }, { params: { '*': id } })).json).toBeNull()
    const clients = await rows(server.dependencies.pool, sql`select id from clients where email = ${email}`)
    expect(clients).toEqual([])
    expect((await confirmBy(id)).answer.autologin).toBe(true)
  })

  test('records when and from which address the texts were accepted: at the last save of step 1.1', async () => {
    const email = newEmail()
    const token = await registerUnconfirmed(server, email)
    server.clock.turn(600)
    const acceptedAt = server.clock.now()
    const from = randomLoopbackAddress()
    expect((await sendStep(server, '1.1', stepAnswers(email)['1.1'], token, from)).status).toBe(200)
    const { answers } = await registrationStep(server, token)
    expect(Object.keys(answers['1.1'] ?? {})).not.toContain('acceptedFrom')
    server.clock.turn(600)
    expect((await confirmBy(await oneTimeIdIn(server, email, 'confirm-email'))).status).toBe(200)
    const consents = await rows(
      server.dependencies.pool,
      sql`select text_key, at, address from consents where client_id = (select id from clients where email = ${email})
        order by text_key`,
    )
    expect(consents).toEqual([
      { text_key: 'privacy', at: acceptedAt, address: from },
      { text_key: 'terms', at: acceptedAt, address: from },
    ])
  })

  test('succeeds for 20 simultaneous calls, of which one is logged in; a later call must log in', async () => {
    const email = newEmail()
    await registerUnconfirmed(server, email)
    const id = await oneTimeIdIn(server, email, 'confirm-email')
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await confirmBy(id)).answer))
    expect(answers.filter(({ autologin }) => autologin)).toHaveLength(1)
    expect((await confirmBy(id)).answer).toEqual({
      autologin: false,
      token: null,
      msg: 'Your email address has been confirmed. Log in.',
    })
  })

  test('fails with a truncated, extended or foreign id, and with an expired one', async () => {
    const email = newEmail()
    await registerUnconfirmed(server, email)
    const id = await oneTimeIdIn(server, email, 'confirm-email')
    for (const wrong of [id.slice(1), `${id}/`, id.toUpperCase(), `setpassword/${id}`, 'a/b/c', '%2F']) {
      expect((await confirmBy(wrong)).failure.code).toBe('link-unknown')
    }
    server.clock.turn(24 * 3600)
    expect((await confirmBy(id)).failure.code).toBe('link-expired')
  })

  test('of several registrations for one address lets the first confirmed one win; the other must log in', async () => {
    const email = newEmail()
    await registerUnconfirmed(server, email)
    const one = await oneTimeIdIn(server, email, 'confirm-email')
    await registerUnconfirmed(server, email, { name: 'Somebody' })
    const two = await oneTimeIdIn(server, email, 'confirm-email')
    expect((await confirmBy(two)).answer.autologin).toBe(true)
    expect((await confirmBy(one)).answer.autologin).toBe(false)
    const found = await rows<{ name: string }>(
      server.dependencies.pool,
      sql`select name from clients where email = ${email}`,
    )
    expect(found).toEqual([{ name: 'Somebody' }])
  })

  test('gives the browser waiting at step 1.3 a client’s token, once', async () => {
    const email = newEmail()
    const waiting = await registerUnconfirmed(server, email)
    await confirmBy(await oneTimeIdIn(server, email, 'confirm-email'))
    const asked = await Promise.all(Array.from({ length: 10 }, () => call(server, checkUserRegister, { as: waiting })))
    const confirmed = asked.filter((reply) => reply.status === 200 && reply.answer.data.confirmed === true)
    expect(confirmed).toHaveLength(1)
    const token = confirmed[0]?.answer.data.token ?? ''
    expect((await call(server, currentUser, { as: token })).answer.user.email).toBe(email)
    expect((await call(server, checkUserRegister, { as: waiting })).status).toBe(401)
  })

  test('gives the browser waiting at step 1.3 no token after a password reset (requirements 26.15)', async () => {
    const email = newEmail()
    const waiting = await registerUnconfirmed(server, email)
    await confirmBy(await oneTimeIdIn(server, email, 'confirm-email'))
    await call(server, resetPassword, { body: { email }, from: randomLoopbackAddress() })
    await server.driver.sweep()
    const id = await oneTimeIdIn(server, email, 'password-reset')
    expect((await call(server, newPassword, { body: { id, password: 'Marble-lantern-88' } })).status).toBe(200)
    const asked = await call(server, checkUserRegister, { as: waiting })
    expect(asked.answer.data).not.toHaveProperty('token')
    expect(asked.answer.data).not.toHaveProperty('confirmed')
  })

  test('uses a link on the configured address, whatever the request’s Host header (requirements 26.16)', async () => {
    const email = newEmail()
    const body = { step: 1, subStep: 1, ...stepAnswers(email)['1.1'] }
    const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const { data } = (await call(server, registerWeb, { body, headers: evil, from: randomLoopbackAddress() })).answer
    await call(server, registerWeb, {
      body: { step: 1, subStep: 2, ...stepAnswers(email)['1.2'] },
      headers: evil,
      as: data.token ?? '',
    })
    expect(JSON.stringify(await mailsTo(server, email))).not.toContain('evil')
  })
})

describe('confirmation emails', () => {
  test('can be resent 60 seconds after the previous one, whose link then becomes invalid', async () => {
    const email = newEmail()
    const token = await registerUnconfirmed(server, email)
    const early = await oneTimeIdIn(server, email, 'confirm-email')
    const refused = await call(server, resendConfirmation, { as: token })
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    server.clock.turn(60)
    expect((await call(server, resendConfirmation, { as: token })).answer.resendInSeconds).toBe(60)
    expect((await confirmBy(early)).failure.code).toBe('link-used')
    expect((await confirmBy(await oneTimeIdIn(server, email, 'confirm-email'))).status).toBe(200)
  })

  test('are limited to five an hour per mailbox, with the same responses (requirements 32.6)', async () => {
    const email = newEmail()
    for (let turn = 0; turn < 7; turn += 1) await registerUnconfirmed(server, email)
    expect(await mailsTo(server, email)).toHaveLength(5)
  })

  test('are in the language of the registration', async () => {
    const email = newEmail()
    const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }
    const body = { step: 1, subStep: 1, ...stepAnswers(email)['1.1'] }
    const { data } = (await call(server, registerWeb, { body, headers, from: randomLoopbackAddress() })).answer
    await sendStep(server, '1.2', stepAnswers(email)['1.2'], data.token)
    expect(await mailsTo(server, email)).toMatchObject([{ kind: 'confirm-email', language: 'de' }])
  })
})

test('a client invited by staff begins at the security question and accepts the texts there', async () => {
  const officer = await makeStaff(server, ['compliance'])
  const email = newEmail()
  const person = { title: 'Dr.', name: 'Nora', surname: 'Lind', email, country: 'DE', language: 'de' }
  const { id } = (await call(server, inviteClient, { as: officer, body: person })).answer
  const { token } = await clientTokenFor(server, { id: id as ClientId })
  expect(await registrationStep(server, token)).toMatchObject({ step: 1, subStep: 2, emailConfirmed: true })
  const answers = stepAnswers(email)
  const { termsVersion, privacyVersion } = answers['1.1']
  expect((await sendStep(server, '1.3', {}, token)).failure.code).toBe('step-skipped')
  expect((await sendStep(server, '1.1', answers['1.1'], token)).failure.code).toBe('step-closed')
  const refused = await sendStep(server, '1.2', { ...answers['1.2'], acceptTerms: true, termsVersion }, token)
  expect(refused.failure).toMatchObject({ code: 'must-accept' })
  const accepted = { acceptTerms: true, acceptPrivacy: true, termsVersion, privacyVersion }
  expect((await sendStep(server, '1.2', { ...answers['1.2'], ...accepted }, token)).answer.data).toMatchObject({
    step: 1,
    subStep: 3,
  })
  const consents = await rows<{ key: string }>(
    server.dependencies.pool,
    sql`select text_key as key from consents where client_id = ${id} order by text_key`,
  )
  expect(consents.map(({ key }) => key)).toEqual(['privacy', 'terms'])
  expect((await sendStep(server, '1.3', {}, token)).status).toBe(200)
  expect((await sendStep(server, '1.2', { ...answers['1.2'], ...accepted }, token)).failure.code).toBe('step-closed')
})
