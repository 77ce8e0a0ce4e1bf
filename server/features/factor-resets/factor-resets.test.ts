/**
 * Reset of a client's lost second factor: after the security answer, by two people, with a notification (ASVS 6.4.4).
 */
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { checkSecurityAnswer } from '#contract/office/client-decisions.ts'
import { getOfficeClient, isActionAllowed } from '#contract/office/clients.ts'
import {
  approveFactorReset,
  requestFactorReset,
  cancelFactorReset,
  rejectFactorReset,
} from '#contract/office/factor-resets.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { confirmSecondFactor, startSecondFactor } from '#contract/security.ts'
import { currentUser, login } from '#contract/users-session.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { normalizeSecurityAnswer, hashPassword } from '#server/auth/password-hash.ts'
import {
  call,
  goodPassword,
  makeClient,
  makeStaff,
  clientTokenFor,
  type MadeClient,
  type MadeStaff,
} from '#tests/factories.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile()
const requester = staffForFile(server, ['compliance'], { name: 'Ines Albrecht' })
const decider = staffForFile(server, ['administrator'], { name: 'Ruth Calder' })

/** Makes a client with a second factor and a security question. */
async function makeClientWithFactor(): Promise<MadeClient> {
  const client = await makeClient(server)
  const { secret } = (await call(server, startSecondFactor, { as: client, body: { password: goodPassword } })).answer
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now().getTime() })
  await call(server, confirmSecondFactor, { as: client, body: { code } })
  const hash = await hashPassword(normalizeSecurityAnswer('Lindenhof'))
  await run(
    server.dependencies.pool,
    sql`update clients set security_question = 'first-school', security_answer_hash = ${hash} where id = ${client.id}`,
  )
  return client
}

const checkAnswer = (client: MadeClient, as = requester, answer = 'lindenhof') =>
  call(server, checkSecurityAnswer, { as, params: { id: client.id }, body: { answer } })
const requestReset = (client: MadeClient, as = requester) =>
  call(server, requestFactorReset, { as, params: { id: client.id }, body: { reason: 'Phone stolen; called back.' } })
const page = async (client: MadeClient, as = requester) =>
  (await call(server, getOfficeClient, { as, params: { id: client.id } })).answer.client
const approve = (client: MadeClient, as: MadeStaff, version = 1) =>
  call(server, approveFactorReset, { as, params: { id: client.id }, body: { version } })
const logIn = async (client: MadeClient) =>
  (await call(server, login, { body: { email: client.email, password: goodPassword } })).answer
const mailKindsTo = async (client: MadeClient) =>
  (
    await rows<{ kind: string }>(
      server.dependencies.pool,
      sql`select payload->>'kind' as kind from operations where kind = 'mail' and client_id = ${client.id} order by id`,
    )
  ).map(({ kind }) => kind)

describe('requesting a reset of a client’s second factor', () => {
  test('requires a right security answer recorded by the same person within the last 15 minutes', async () => {
    const client = await makeClientWithFactor()
    expect((await requestReset(client)).failure.code).toBe('answer-first')
    await checkAnswer(client, requester, 'wrong')
    expect((await requestReset(client)).failure.code).toBe('answer-first')
    await checkAnswer(client, decider)
    expect((await requestReset(client)).failure.code).toBe('answer-first')
    await checkAnswer(client)
    expect(isActionAllowed(await page(client), 'askFactorReset')).toBe(true)
    expect((await requestReset(client)).status).toBe(201)
    expect((await requestReset(client)).failure.code).toBe('factor-reset-waits')
    expect(await mailKindsTo(client)).toContain('second-factor-reset-asked')
  })

  test('requires a reason, the role compliance or administrator, and another person who has a second factor', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    const params = { id: client.id }
    expect((await call(server, requestFactorReset, { as: requester, params, body: { reason: ' ' } })).status).toBe(400)
    for (const role of ['operations', 'finance', 'auditor'] as const) {
      expect((await requestReset(client, await makeStaff(server, [role]))).status, role).toBe(403)
    }
    expect((await requestReset(await makeClient(server))).failure.code).toBe('factor-off')
    const own = await makeStaff(server, ['compliance'], { email: client.email })
    await checkAnswer(client, own)
    expect((await requestReset(client, own)).failure.code).toBe('own-request')
  })
})

describe('deciding a reset request', () => {
  test('approval by another person ends all sessions, voids the codes and notifies the client; the password then suffices', async () => {
    const client = await makeClientWithFactor()
    const elsewhere = await clientTokenFor(server, client)
    await checkAnswer(client)
    await requestReset(client)
    expect((await approve(client, requester)).failure.code).toBe('own-act')
    expect((await logIn(client)).secondFactor).toBe(true)
    const { items } = (await call(server, listInbox, { as: decider, query: { kind: 'factor_reset' } })).answer
    expect(items.some(({ record }) => record === client.id)).toBe(true)
    expect((await approve(client, decider)).answer.state).toBe('approved')
    for (const { token } of [client, elsewhere]) {
      expect((await call(server, currentUser, { as: token })).status).toBe(401)
    }
    expect((await logIn(client)).token).toEqual(expect.any(String))
    expect(await mailKindsTo(client)).toContain('second-factor-reset')
    expect(
      await rows(server.dependencies.pool, sql`select from recovery_codes where client_id = ${client.id}`),
    ).toEqual([])
    const events = await rows<{ verb: string; actor_id: string }>(
      server.dependencies.pool,
      sql`select verb, actor_id from events where client_id = ${client.id} and verb in ('ask', 'approve', 'resetFactor') order by id`,
    )
    expect(events).toEqual([
      { verb: 'ask', actor_id: requester.id },
      { verb: 'approve', actor_id: decider.id },
      { verb: 'resetFactor', actor_id: decider.id },
    ])
  })

  test('rejection requires a reason, leaves the second factor on and allows a new request', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    await requestReset(client)
    const reject = (reason: string) =>
      call(server, rejectFactorReset, { as: decider, params: { id: client.id }, body: { version: 1, reason } })
    expect((await reject('')).status).toBe(400)
    expect((await reject('The voice was not the client’s.')).answer.state).toBe('rejected')
    expect((await logIn(client)).secondFactor).toBe(true)
    expect((await page(client)).factorReset).toBeNull()
    expect((await requestReset(client)).status).toBe(201)
  })

  test('approval changes nothing if the client has disabled the second factor in the meantime', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    await requestReset(client)
    await run(server.dependencies.pool, sql`update clients set factor_confirmed_at = null where id = ${client.id}`)
    expect((await approve(client, decider)).failure.code).toBe('factor-off')
    expect((await call(server, currentUser, { as: client })).status).toBe(200)
  })

  test('approval is refused, and the page says so, if the client set up the second factor after the request', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    await requestReset(client)
    const later = new Date(server.clock.now().getTime() + 1000)
    await run(server.dependencies.pool, sql`update clients set factor_confirmed_at = ${later} where id = ${client.id}`)
    const { verbs = [] } = (await page(client, decider)).factorReset ?? {}
    expect(verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('factor-newer')
    expect((await approve(client, decider)).failure.code).toBe('factor-newer')
    expect((await call(server, currentUser, { as: client })).status).toBe(200)
    const body = { version: 1, reason: 'The client has set it up again.' }
    expect((await call(server, rejectFactorReset, { as: decider, params: { id: client.id }, body })).status).toBe(200)
  })

  test('only the person who made the request can cancel it', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    await requestReset(client)
    const cancel = (as: MadeStaff) =>
      call(server, cancelFactorReset, { as, params: { id: client.id }, body: { version: 1 } })
    expect((await cancel(decider)).failure.code).toBe('not-your-act')
    expect((await cancel(requester)).answer.state).toBe('cancelled')
    expect((await approve(client, decider, 2)).status).toBe(409)
  })

  test('of two simultaneous approvals, one succeeds and the other gets a conflict', async () => {
    const client = await makeClientWithFactor()
    await checkAnswer(client)
    await requestReset(client)
    const third = await makeStaff(server, ['compliance'])
    const both = await Promise.all([approve(client, decider), approve(client, third)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await mailKindsTo(client)).filter((kind) => kind === 'second-factor-reset')).toHaveLength(1)
  })
})
