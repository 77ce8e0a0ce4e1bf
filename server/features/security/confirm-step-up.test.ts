/** Endpoints for money and access require a recent confirmation of identity (step-up; ASVS 7.5, 16.3). */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { revealPassword } from '#contract/accounts.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { getClientLogins } from '#contract/office/client-tabs.ts'
import { officeChangePassword, officeConfirmStepUp, officeGetStepUpStatus } from '#contract/office/session.ts'
import { saveSetting } from '#contract/office/settings.ts'
import { releasePayoutBatch } from '#contract/office/payout-batches.ts'
import { editUser, profile } from '#contract/profile.ts'
import { confirmStepUp, getStepUpStatus } from '#contract/step-up.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  endSession,
  listSessions,
  startSecondFactor,
} from '#contract/security.ts'
import { login } from '#contract/users-session.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { isNotifiedAttempt } from '#server/auth/failed-attempts.ts'
import { createTotpSecret } from '#server/auth/totp.ts'
import { goodPassword, call, makeClient, makeStaff, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { makeCallers } from '#tests/callers.ts'
import { platformForFile } from '#tests/for-file.ts'
import { bodyKinds } from '#tests/valid-input.ts'

const { server } = platformForFile()

/** Sets the session's last confirmation to a number of minutes ago. */
async function setLastStepUp(sessionId: string, minutes: number): Promise<void> {
  const at = new Date(server.clock.now().getTime() - minutes * 60_000)
  await run(server.dependencies.pool, sql`update sessions set proved_at = ${at} where id = ${sessionId}`)
}

/** Stores the next version of the section, in a form that an older database may contain. */
async function storeSecuritySection(version: number, value: object): Promise<void> {
  await run(
    server.dependencies.pool,
    sql`insert into settings (section, version, value, from_at, by_staff, reason)
        values ('security', ${version}, ${JSON.stringify(value)}::text::jsonb, ${server.clock.now()}, null, 'test')`,
  )
  server.dependencies.settings.forget('security')
}

const confirmWith = (client: MadeClient, body: object) => call(server, confirmStepUp, { as: client, body })

async function turnOnFactor(client: MadeClient) {
  const { secret } = (await call(server, startSecondFactor, { as: client, body: { password: goodPassword } })).answer
  const code = () => codeOf(secret)
  const { recoveryCodes } = (await call(server, confirmSecondFactor, { as: client, body: { code: code() } })).answer
  server.clock.turn(60)
  return { code, recoveryCodes }
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now().getTime() })

/** Makes a staff member with an authenticator. */
async function makeFinanceWithFactor() {
  const staff = await makeStaff(server, ['finance'])
  const { sealed, secret } = createTotpSecret(
    server.dependencies.keys,
    { table: 'staff', id: staff.id },
    staff.email,
    'test',
  )
  await run(server.dependencies.pool, sql`update staff set factor_secret = ${sealed} where id = ${staff.id}`)
  return { staff, code: () => codeOf(secret) }
}

describe('an expired step-up', () => {
  const guarded = [...portalEndpoints, ...officeEndpoints].filter(({ requiresStepUp: freshProof }) => freshProof)

  test('is required again by exactly the endpoints that the contract marks', async () => {
    expect(guarded.map(({ name }) => name).toSorted()).toEqual([
      'changeTradingPassword',
      'payoutFile',
      'releasePayoutBatch',
      'revealPassword',
    ])
    const { client, staff, bearerOf } = await makeCallers(server)
    const sessions = [client.sessionId, ...Object.values(staff).map(({ sessionId }) => sessionId)]
    for (const endpoint of guarded) {
      const world = { id: randomUUID(), currency: 'EUR' }
      const [kind] = bodyKinds(endpoint, world)
      const options = { ...bearerOf(endpoint), params: world, ...(kind ? { body: kind.sound } : {}) }
      for (const sessionId of sessions) await setLastStepUp(sessionId, 4)
      const fresh = await call(server, endpoint, options)
      expect((fresh.json as { code?: string } | null)?.code, endpoint.name).not.toBe('prove-again')
      for (const sessionId of sessions) await setLastStepUp(sessionId, 5)
      const { status, failure } = await call(server, endpoint, options)
      const by = endpoint.path.startsWith('/api/backoffice/') ? 'code' : 'password'
      expect({ status, code: failure.code, values: failure.values }, endpoint.name).toEqual({
        status: 403,
        code: 'prove-again',
        values: { by },
      })
    }
  })

  test('is renewed with the password, after which the same call succeeds', async () => {
    const client = await makeClient(server)
    const reveal = async () =>
      (await call(server, revealPassword, { as: client, body: { accountId: randomUUID() } })).failure.code
    await setLastStepUp(client.sessionId, 6)
    expect(await reveal()).toBe('prove-again')
    expect((await confirmWith(client, { password: goodPassword })).answer.until).toEqual(
      new Date(server.clock.now().getTime() + 300_000),
    )
    expect(await reveal()).toBe('account-unknown')
  })

  test('includes one dated in the future, from before the clock was set back (requirements 33.10)', async () => {
    const client = await makeClient(server)
    const isAsked = async () =>
      (await call(server, revealPassword, { as: client, body: { accountId: randomUUID() } })).failure.code ===
      'prove-again'
    await setLastStepUp(client.sessionId, -1)
    expect(await isAsked()).toBe(false)
    await setLastStepUp(client.sessionId, -24 * 60)
    expect(await isAsked()).toBe(true)
  })

  test('has the age of the firm’s setting, 1 to 60 minutes; older stored settings without one mean 5', async () => {
    const client = await makeClient(server)
    const { proofMinutes, ...others } = await server.dependencies.settings.get('security')
    expect(proofMinutes).toBe(5)
    const isAskedAfter = async (minutes: number) => {
      await setLastStepUp(client.sessionId, minutes)
      const { failure } = await call(server, revealPassword, { as: client, body: { accountId: randomUUID() } })
      return failure.code === 'prove-again'
    }
    await storeSecuritySection(1, others)
    expect([await isAskedAfter(4), await isAskedAfter(5)]).toEqual([false, true])
    await storeSecuritySection(2, { ...others, proofMinutes: 30 })
    expect([await isAskedAfter(29), await isAskedAfter(30)]).toEqual([false, true])
    await storeSecuritySection(3, { ...others, proofMinutes })
    const administrator = await makeStaff(server, ['administrator'])
    for (const wrong of [0, 61, 5.5, '5']) {
      const value = { ...others, proofMinutes: wrong }
      const body = { value, reason: 'as asked', version: 3 }
      const reply = await call(server, saveSetting, { as: administrator, params: { section: 'security' }, body })
      expect(reply.failure.code, String(wrong)).toBe('setting-invalid')
    }
  })
})

describe('confirming a step-up', () => {
  test('the status shows beforehand what will be required, and until when nothing is', async () => {
    const client = await makeClient(server)
    const shown = async () => (await call(server, getStepUpStatus, { as: client })).answer
    expect((await shown()).by).toBe('password')
    expect((await shown()).until?.getTime()).toBeGreaterThan(server.clock.now().getTime())
    await run(server.dependencies.pool, sql`update sessions set proved_at = null where id = ${client.sessionId}`)
    expect(await shown()).toEqual({ by: 'password', until: null })
    await turnOnFactor(client)
    expect((await shown()).by).toBe('code')
  })

  test('with two-factor authentication it requires a code or a recovery code, each valid once, not the password', async () => {
    const client = await makeClient(server)
    const { code, recoveryCodes } = await turnOnFactor(client)
    expect((await confirmWith(client, { password: goodPassword })).failure.errors).toHaveProperty('code')
    const good = code()
    expect((await confirmWith(client, { code: good })).status).toBe(200)
    expect((await confirmWith(client, { code: good })).failure.code).toBe('code-wrong')
    expect((await confirmWith(client, { code: recoveryCodes[0] })).status).toBe(200)
    expect((await confirmWith(client, { code: recoveryCodes[0] })).failure.code).toBe('code-wrong')
  })

  test('it allows ten wrong attempts in 15 minutes, none of which renews the confirmation', async () => {
    const client = await makeClient(server)
    await setLastStepUp(client.sessionId, 6)
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => confirmWith(client, { password: 'wrong-password' })),
    )
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await confirmWith(client, { password: goodPassword })).status).toBe(429)
    const { answer } = await call(server, getStepUpStatus, { as: client })
    expect(answer.until?.getTime()).toBeLessThan(server.clock.now().getTime())
  })

  test('a right password does not reset the count of wrong codes', async () => {
    const client = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const wrong = async () => (await confirmWith(client, { code: '000000' })).failure.code
    const rightPassword = () => call(server, startSecondFactor, { as: client, body: { password: goodPassword } })
    const off = (body: object) => call(server, disableSecondFactor, { as: client, body })
    for (let turn = 0; turn < 4; turn += 1) expect(await wrong()).toBe('code-wrong')
    expect((await rightPassword()).failure.code).toBe('factor-on')
    expect((await off({ password: goodPassword, code: '000000' })).failure.code).toBe('code-wrong')
    for (let turn = 0; turn < 5; turn += 1) expect(await wrong()).toBe('code-wrong')
    expect(await wrong()).toBe('too-many')
    expect((await off({ password: goodPassword, code: code() })).failure.code).toBe('too-many')
    expect((await confirmWith(client, { code: code() })).failure.code).toBe('too-many')
  })

  test('it applies to this session only', async () => {
    const client = await makeClient(server)
    const other = await clientTokenFor(server, client)
    await setLastStepUp(client.sessionId, 6)
    await setLastStepUp(other.sessionId, 6)
    expect((await confirmWith(client, { password: goodPassword })).status).toBe(200)
    const { answer } = await call(server, getStepUpStatus, { as: other.token })
    expect(answer.until?.getTime()).toBeLessThan(server.clock.now().getTime())
  })

  test('staff confirm with a code before a payout batch is released', async () => {
    const { staff, code } = await makeFinanceWithFactor()
    await setLastStepUp(staff.sessionId, 6)
    const body = { version: 1, count: 1, total: '1.00', sha256: '0'.repeat(64) }
    const make = () => call(server, releasePayoutBatch, { as: staff, params: { id: randomUUID() }, body })
    expect((await make()).failure.code).toBe('prove-again')
    expect((await call(server, officeGetStepUpStatus, { as: staff })).answer.by).toBe('code')
    expect((await call(server, officeConfirmStepUp, { as: staff, body: {} })).failure.errors).toHaveProperty('code')
    expect((await call(server, officeConfirmStepUp, { as: staff, body: { code: '000000' } })).failure.code).toBe(
      'code-wrong',
    )
    expect((await call(server, officeConfirmStepUp, { as: staff, body: { code: code() } })).status).toBe(200)
    expect((await make()).failure.code).toBe('not-found')
  })

  test('staff have ten attempts, even with right passwords in between', async () => {
    const { staff, code } = await makeFinanceWithFactor()
    const wrong = async () =>
      (await call(server, officeConfirmStepUp, { as: staff, body: { code: '000000' } })).failure.code
    for (let turn = 0; turn < 9; turn += 1) expect(await wrong()).toBe('code-wrong')
    const body = { currentPassword: goodPassword, password: 'Short1' }
    expect((await call(server, officeChangePassword, { as: staff, body })).failure.code).toMatch(/^password-/)
    expect(await wrong()).toBe('code-wrong')
    expect((await call(server, officeConfirmStepUp, { as: staff, body: { code: code() } })).failure.code).toBe(
      'too-many',
    )
  })
})

describe('a step-up is required', () => {
  test('to end another session, but not one’s own', async () => {
    const client = await makeClient(server)
    const other = await clientTokenFor(server, client)
    await setLastStepUp(client.sessionId, 6)
    const end = (sessionId: string) => call(server, endSession, { as: client, body: { sessionId } })
    expect((await end(other.sessionId)).failure.code).toBe('prove-again')
    expect((await call(server, listSessions, { as: other.token })).status).toBe(200)
    expect((await end(client.sessionId)).status).toBe(200)
  })

  test('to change the mobile phone, but no other detail', async () => {
    const client = await makeClient(server)
    await setLastStepUp(client.sessionId, 6)
    const { user } = (await call(server, profile, { as: client, body: {} })).answer
    const { title, name, surname, birthDay, birthMonth, birthYear, mobilePhone, addressNo, address } = user
    const { postcode, county, country, nationality } = user
    const same = { title, name, surname, birthDay, birthMonth, birthYear, mobilePhone, addressNo, address, postcode }
    const edit = (changes: object) =>
      call(server, editUser, {
        as: client,
        body: { ...same, county, country, nationality, city: 'Potsdam', ...changes },
      })
    expect((await edit({ mobilePhone: '+4930901899' })).failure.code).toBe('prove-again')
    expect((await edit({})).status).toBe(200)
    expect((await confirmWith(client, { password: goodPassword })).status).toBe(200)
    expect((await edit({ mobilePhone: '+4930901899' })).status).toBe(200)
  })
})

describe('failed attempts', () => {
  test('are reported at the first, tenth, hundredth and so on in an hour', () => {
    expect([1, 2, 9, 10, 11, 99, 100, 101, 1000, 2000].filter(isNotifiedAttempt)).toEqual([1, 10, 100, 1000])
  })

  test('of a known person are in the audit log and on the client’s page, twelve of them as two entries', async () => {
    const client = await makeClient(server)
    const staff = await makeStaff(server, ['compliance'])
    for (let turn = 0; turn < 12; turn += 1) {
      const from = `127.1.${turn}.1`
      await call(server, login, { from, body: { email: client.email, password: 'wrong-password' } })
    }
    await confirmWith(client, { password: 'wrong-password' })
    const page = async () => (await call(server, getClientLogins, { as: staff, params: { id: client.id } })).answer.rows
    await expect
      .poll(async () => (await page()).map(({ what, count }) => [what, count]).toSorted())
      .toEqual([
        ['logInFailed', 1],
        ['logInFailed', 10],
        ['proofFailed', 1],
      ])
    expect((await page()).find(({ count }) => count === 10)?.address).toBe('127.1.9.1')
  })

  test('with an unknown address are not logged', async () => {
    const failedSignIns = () => rows(server.dependencies.pool, sql`select id from events where verb = 'logInFailed'`)
    const before = await failedSignIns()
    await call(server, login, { body: { email: 'absent-at-all@example.com', password: 'wrong-password' } })
    const known = await makeClient(server)
    await call(server, login, { body: { email: known.email, password: 'wrong-password' } })
    await expect.poll(failedSignIns).toHaveLength(before.length + 1)
  })
})
