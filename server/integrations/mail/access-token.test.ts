import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Unavailable } from '../errors.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import type { OutgoingMail } from './mail-transport.ts'
import { smtpMail, type SmtpOptions } from './smtp.ts'

const mailboxAddress = 'portal@firm.example'
let mailbox: RunningSimulator
let now: Date
let number = 0

beforeAll(async () => {
  mailbox = await startSimulator('mailbox', { MAILBOX: mailboxAddress })
})
afterEach(() => mailbox.turn('reset'))
afterAll(() => mailbox.stop())

function connected(change: Partial<SmtpOptions> = {}, client: Partial<SmtpOptions['oauth'] & object> = {}) {
  now = new Date('2026-11-23T08:00:00Z')
  const oauth = {
    tokenUrl: `http://127.0.0.1:${mailbox.switchPort}/oauth2/v2.0/token`,
    clientId: 'portal',
    clientSecret: 'simulator-client-secret',
    scope: 'https://outlook.office365.com/.default',
    user: mailboxAddress,
    ...client,
  }
  const url = `smtp://127.0.0.1:${mailbox.port}`
  return smtpMail({ url, from: mailboxAddress, oauth, now: () => now, ...change })
}

function mail(): OutgoingMail {
  number += 1
  const messageId = `<mail-${number}@firm.example>`
  return { to: `client${number}@example.com`, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', messageId }
}

const arrived = async (to: string) => (await mailbox.read<unknown[]>(`mails?to=${to}`)).length
const counts = () => mailbox.read<{ granted: number; signIns: number }>('tokens')

/** Returns how many tokens were granted and sign-ins attempted during a step. */
async function countsDuring(step: () => Promise<unknown>): Promise<{ granted: number; signIns: number }> {
  const before = await counts()
  await step()
  const after = await counts()
  return { granted: after.granted - before.granted, signIns: after.signIns - before.signIns }
}

async function refusal(promise: Promise<unknown>): Promise<Error> {
  const thrown: unknown = await promise.catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Unavailable)
  return thrown as Error
}

test('an email is sent with an access token, which is reused until two minutes before it expires', async () => {
  const transport = connected()
  const first = mail()
  expect(await countsDuring(() => transport.send(first))).toEqual({ granted: 1, signIns: 1 })
  expect(await arrived(first.to)).toBe(1)
  now = new Date(now.getTime() + (3599 - 120) * 1000 - 1)
  expect(await countsDuring(() => transport.send(mail()))).toEqual({ granted: 0, signIns: 1 })
  now = new Date(now.getTime() + 1)
  expect(await countsDuring(() => transport.send(mail()))).toEqual({ granted: 1, signIns: 1 })
  await transport.health()
})

test('emails sent at the same time share one token request', async () => {
  const transport = connected()
  const mails = [mail(), mail(), mail()]
  expect(await countsDuring(() => Promise.all(mails.map((one) => transport.send(one))))).toEqual({
    granted: 1,
    signIns: 3,
  })
})

test('a revoked token is replaced once, and the email arrives once', async () => {
  const transport = connected()
  await transport.health()
  await mailbox.turn('token-expired')
  const sent = mail()
  expect(await countsDuring(() => transport.send(sent))).toEqual({ granted: 1, signIns: 2 })
  expect(await arrived(sent.to)).toBe(1)
})

test('a sign-in that is still rejected leaves the email to be retried and names the remedy', async () => {
  const transport = connected()
  await mailbox.turn('token-expired', { count: 0 })
  const tried = await countsDuring(async () => {
    const { message } = await refusal(transport.send(mail()))
    expect(message).toBe(
      `The mail server rejected our sign-in (535 5.7.3). Allow the client to send by the mailbox ${mailboxAddress}, and check SMTP_OAUTH_SCOPE.`,
    )
  })
  expect(tried).toEqual({ granted: 2, signIns: 2 })
  await mailbox.turn('reset')
  await transport.send(mail())
})

test.each([
  { client: { clientSecret: 'old' }, reason: '401 invalid_client AADSTS7000215', remedy: 'SMTP_OAUTH_CLIENT_SECRET' },
  { client: { scope: null }, reason: '400 invalid_scope AADSTS70011', remedy: 'SMTP_OAUTH_SCOPE' },
])(
  'the error $reason of the token endpoint is reported with its remedy before the mail server is contacted',
  async (row) => {
    const transport = connected({}, row.client)
    const tried = await countsDuring(async () => {
      const { message } = await refusal(transport.health())
      expect(message).toContain(`gave no access token (${row.reason}). `)
      expect(message).toContain(row.remedy)
    })
    expect(tried).toEqual({ granted: 0, signIns: 0 })
  },
)

test('a token endpoint that rejects, hangs or is unreachable leaves the email to be sent later', async () => {
  await mailbox.turn('token-refused')
  const refused = connected()
  const sent = mail()
  await refusal(refused.send(sent))
  await refused.send(sent)
  expect(await arrived(sent.to)).toBe(1)
  await mailbox.turn('slow', { ms: 60_000, path: '/oauth2' })
  const slow = await refusal(connected({ timeoutMs: 200, greetingMs: 60_000 }).send(mail()))
  expect(slow.message).toMatch(/^No response from the token endpoint .*Check SMTP_OAUTH_TOKEN_URL\.$/)
  await refusal(connected({}, { tokenUrl: 'http://127.0.0.1:1/token' }).send(mail()))
})

test.each([
  ['text that is not JSON', 200, 'so be it'],
  ['another type of token', 200, JSON.stringify({ token_type: 'mac', access_token: 'abc', expires_in: 3600 })],
  [
    'a token that contains further fields',
    200,
    JSON.stringify({ token_type: 'Bearer', access_token: 'a\u0001user=b' }),
  ],
  ['an error', 503, ''],
])('a token endpoint that returns %s gives no access token', async (_, status, body) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  const { message } = await refusal(connected({}, { tokenUrl }).send(mail()))
  expect(message).toContain(`gave no access token (${status})`)
  server.close()
})

test('a mailbox that may not send as MAIL_FROM is an error on our side, although Microsoft reports it after the message like a bounce', async () => {
  const denied = 'The mail server answered 554 5.2.252: the mailbox may not send as MAIL_FROM. Allow it to ("Send as").'
  expect(await refusal(connected({ from: 'noreply@firm.example' }).send(mail()))).toHaveProperty('message', denied)
  expect(await refusal(connected({ returnPath: 'returns@firm.example' }).send(mail()))).toHaveProperty(
    'message',
    denied,
  )
})
