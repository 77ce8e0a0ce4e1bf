/**
 * Canaries: unique words are sent as every kind of secret in a walk through the product, and then searched for in every
 * log line, problem, mail and table (requirements 30.7; ASVS 16.2.5).
 */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeTradingPassword, requestAnAccount, revealPassword } from '#contract/accounts.ts'
import { addBankDetails } from '#contract/bank-details.ts'
import { saveDocuments } from '#contract/documents.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { approveAccount } from '#contract/office/account-requests.ts'
import { acceptInvitation, officeLogin, officeSecondFactor } from '#contract/office/session.ts'
import { approveStaffChange, inviteStaff, listStaffChanges } from '#contract/office/staff.ts'
import { changePassword, newPassword, resetPassword } from '#contract/passwords.ts'
import { confirmSecondFactor, disableSecondFactor, startSecondFactor } from '#contract/security.ts'
import { confirmEmail, login, loginSecondFactor } from '#contract/users-session.ts'
import { rows, sql, raw } from '#server/db/sql.ts'
import { type CallOptions, stepUpProofFor } from '#tests/call.ts'
import { makeJpeg, uploadTo } from '#tests/files.ts'
import { settleOperations, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { madeBank } from '#tests/bank-details.ts'
import { call, goodPassword, makeClient, makeStaff, type MadeClient, type TestServer } from '#tests/factories.ts'
import { oneTimeIdIn } from '#tests/mails.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { newEmail, registerUnconfirmed, stepAnswers } from '#tests/registering.ts'

let place: ServerWithPlatform
let server: TestServer
const lines: string[] = []
const refusals: string[] = []
/** Secrets that give access, which must not be in plain text anywhere. */
const keys: Record<string, string> = {}
/** Personal data, which belongs in the database but must not occur in logs, problems, mails or events. */
const personal: Record<string, string> = {}

beforeAll(async () => {
  place = await startServerWithPlatform({
    env: { LOG_LEVEL: 'trace' },
    logTo: { write: (line) => void lines.push(line) },
  })
  server = place.server
  await registerAndForget()
  const client = await makeClient(server)
  await sendIdentityDocuments(client)
  await openAccount(await useSecondFactor(client))
  await inviteColleague()
})
afterAll(() => place.stop())

const canary = (what: string) => `Canary-${what}-${randomUUID().slice(0, 8)}`
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now().getTime() })

/** Makes a call that must be rejected, and keeps the response. */
async function expectRejected(endpoint: Endpoint, options: CallOptions): Promise<void> {
  const reply = await call(server, endpoint, options)
  expect(reply.status, endpoint.name).toBeGreaterThanOrEqual(400)
  expect(reply.status, endpoint.name).toBeLessThan(500)
  refusals.push(reply.bytes.toString())
}

async function registerAndForget(): Promise<void> {
  const email = newEmail()
  const password = (keys['password at registration'] = canary('register'))
  keys['security answer'] = String(stepAnswers(email)['1.2']['securityAnswer']).trim()
  keys['registration token'] = await registerUnconfirmed(server, email, { password })
  const id = (keys['confirmation id'] = await oneTimeIdIn(server, email, 'confirm-email'))
  await fetch(`${server.url}/email/confirm/${id}`, { headers: { accept: 'text/html' } })
  keys['first token'] = (await call(server, confirmEmail, { params: { '*': id } })).answer.token ?? ''
  await expectRejected(confirmEmail, { params: { '*': `${id}x` } })
  const wrong = (keys['wrong password'] = canary('wrong'))
  await expectRejected(login, { body: { email, password: wrong } })
  await expectRejected(login, { body: { email, password: `${await encryptedPassword(server, wrong)}x` } })
  await expectRejected(login, { body: { email: wrong, password: wrong } })
  await expectRejected(login, { bytes: `{"email":"${email}","password":"${wrong}"` })
  await expectRejected(login, { body: { email, password: wrong, [`x${wrong.slice(0, 3)}`]: wrong } })
  await call(server, resetPassword, { body: { email } })
  await settleOperations(server)
  const reset = (keys['reset id'] = await oneTimeIdIn(server, email, 'password-reset'))
  await fetch(`${server.url}/resetpassword/${reset}`, { headers: { accept: 'text/html' } })
  await expectRejected(newPassword, { body: { id: reset, password: 'short' } })
  const next = (keys['new password'] = canary('reset'))
  expect((await call(server, newPassword, { body: { id: reset, password: next } })).status).toBe(200)
  await expectRejected(newPassword, { body: { id: reset, password: next } })
}

/** Returns the client with the token that the change of the password returned. */
async function useSecondFactor(before: MadeClient): Promise<MadeClient> {
  const password = (keys['changed password'] = canary('change'))
  await expectRejected(changePassword, { as: before, body: { currentPassword: password, password } })
  const both = { currentPassword: goodPassword, password }
  const changed = await call(server, changePassword, { as: before, body: both })
  expect(changed.status).toBe(200)
  const client = { ...before, token: changed.answer.token }
  const { secret, uri } = (await call(server, startSecondFactor, { as: client, body: { password } })).answer
  keys['second factor'] = secret
  keys['second factor as a link'] = uri
  await expectRejected(confirmSecondFactor, { as: client, body: { code: 'Canary-code' } })
  const confirmed = await call(server, confirmSecondFactor, { as: client, body: { code: codeOf(secret) } })
  const [first = '', second = ''] = confirmed.answer.recoveryCodes
  Object.assign(keys, { 'recovery code, used': first, 'recovery code': second })
  const { ticket = '' } = (await call(server, login, { body: { email: client.email, password } })).answer
  keys['ticket'] = ticket
  await expectRejected(loginSecondFactor, { body: { ticket, code: 'Canary-code' } })
  keys['token'] = (await call(server, loginSecondFactor, { body: { ticket, code: first } })).answer.token
  await expectRejected(disableSecondFactor, { as: client, body: { password: canary('off'), code: second } })
  return client
}

async function sendIdentityDocuments(client: MadeClient): Promise<void> {
  const front = (await uploadTo(server, client, await makeJpeg(40), 'passport.jpg')).json
  keys['signed link'] = new URL(front.url, server.url).search.slice(1)
  await fetch(new URL(front.url, server.url))
  await fetch(new URL(`${front.url}x`, server.url))
  const number = (personal['document number'] = `C${randomUUID().slice(0, 8).toUpperCase()}`)
  const data = { country: 'DE', documentNumber: number, expiryDay: 1, expiryMonth: 1, expiryYear: 2031 }
  await expectRejected(saveDocuments, { as: client, body: { documentType: 'passport', data } })
  const complete = { ...data, documentFront: front.filename }
  await call(server, saveDocuments, { as: client, body: { documentType: 'passport', data: complete } })
  personal['IBAN'] = madeBank.bankIBAN
  const bankData = { ...madeBank, bankAccountCurrency: 'EUR', bankPOA: front.filename }
  await expectRejected(addBankDetails, { as: client, body: { bankData: { ...bankData, bankCountry: 'FR' } } })
  const proof = (keys['proof'] =
    (await stepUpProofFor(server, addBankDetails, { as: client, body: { bankData } })) ?? '')
  const headers = { 'x-proof': proof }
  expect((await call(server, addBankDetails, { as: client, body: { bankData }, headers })).status).toBe(201)
}

async function openAccount(client: MadeClient): Promise<void> {
  const asked = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }
  const { id } = (await call(server, requestAnAccount, { as: client, body: asked })).answer
  const as = await makeStaff(server, ['operations'])
  expect((await call(server, approveAccount, { as, params: { id }, body: { version: 1 } })).status).toBe(200)
  await settleOperations(server)
  keys['first trading password'] = (
    await call(server, revealPassword, { as: client, body: { accountId: id } })
  ).answer.password
  await expectRejected(revealPassword, { as: client, body: { accountId: id } })
  const password = (keys['trading password'] = `Canary-7!${randomUUID().slice(0, 4)}`)
  await expectRejected(changeTradingPassword, { as: client, body: { accountId: id, password: 'Canary' } })
  const change = await call(server, changeTradingPassword, { as: client, body: { accountId: id, password } })
  expect(change.status).toBe(200)
}

async function inviteColleague(): Promise<void> {
  const email = newEmail()
  const [as, second] = [await makeStaff(server, ['administrator']), await makeStaff(server, ['administrator'])]
  const body = { name: 'Iris Novak', email, roles: ['operations'], language: 'en', reason: 'a new colleague' }
  expect((await call(server, inviteStaff, { as, body })).status).toBeLessThan(300)
  const [change] = (await call(server, listStaffChanges, { as: second })).answer.rows
  const approval = { params: { id: change?.id ?? '' }, body: { version: 1, note: '' } }
  expect((await call(server, approveStaffChange, { as: second, ...approval })).status).toBe(200)
  const id = (keys['invitation id'] = await oneTimeIdIn(server, email, 'staff-invitation'))
  const password = (keys['password of staff'] = canary('staff'))
  const accepted = (await call(server, acceptInvitation, { body: { id, password } })).answer
  keys['ticket of staff'] = accepted.ticket
  keys['second factor of staff'] = accepted.enrolment?.secret ?? ''
  await expectRejected(officeSecondFactor, { body: { ticket: accepted.ticket, code: 'Canary-code' } })
  await expectRejected(officeLogin, { body: { email, password: `${password}x` } })
}

/** Returns which of the words are in a text. */
function wordsIn(words: Record<string, string>, text: string): string[] {
  const lower = text.toLowerCase()
  return Object.entries(words)
    .filter(([, word]) => word !== '' && lower.includes(word.toLowerCase()))
    .map(([what]) => what)
}

test('every canary has a value, and there are log lines, problems and tables to search', async () => {
  expect(Object.entries({ ...keys, ...personal }).filter(([, word]) => word.length < 6)).toEqual([])
  expect(lines.join('')).toContain('"route":"/api/users/login"')
  expect(refusals.length).toBeGreaterThan(15)
  const places = ['bank_details: IBAN', 'documents: document number']
  expect(await tablesWith(personal)).toEqual(expect.arrayContaining(places))
})

test('no log line contains a secret, and each is one line of JSON', () => {
  expect(lines.filter((line) => wordsIn({ ...keys, ...personal }, line).length > 0)).toEqual([])
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
})

test('no error response repeats a secret', () => {
  expect(refusals.filter((text) => wordsIn({ ...keys, ...personal }, text).length > 0)).toEqual([])
})

test('no secret that gives access is stored in the database in plain text', async () => {
  expect(await tablesWith(keys)).toEqual([])
})

test('no event, mail or notification contains personal data', async () => {
  const leaked = (await tablesWith(personal)).filter((one) =>
    /^(events|operations|notices|idempotency_keys)\b/.test(one),
  )
  expect(leaked).toEqual([])
})

/** Returns "table: what" for each word that is in a row of a table. */
async function tablesWith(words: Record<string, string>): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    server.dependencies.pool,
    sql`select relname::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select')`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const all = await rows<{ text: string }>(
        server.dependencies.pool,
        sql`select t::text as text from ${raw(`public.${name}`)} t`,
      )
      return wordsIn(words, all.map(({ text }) => text).join('\n')).map((what) => `${name}: ${what}`)
    }),
  )
  return found.flat()
}
