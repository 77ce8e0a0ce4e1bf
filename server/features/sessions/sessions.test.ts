import { hash } from '@node-rs/argon2'
import { SignJWT, exportSPKI } from 'jose'
import { TOTP, Secret } from 'otpauth'
import { describe, expect, test, vi } from 'vitest'
import { settings } from '#contract/settings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { networkOf } from '../../http/network.ts'
import { getClientLogins } from '#contract/office/client-tabs.ts'
import { closeClient, signOutClient, suspendClient } from '#contract/office/client-decisions.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { deactivateStaff } from '#contract/office/staff.ts'
import { changePassword, newPassword, resetPassword } from '#contract/passwords.ts'
import { currentUser, login, loginSecondFactor, logout, passwordKey, setLanguage } from '#contract/users-session.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  endSession,
  listSessions,
  startSecondFactor,
} from '#contract/security.ts'
import { signInTriesPerHour } from '#rules/constants.ts'
import { raw, row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { signToken } from '#server/http/tokens.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import {
  call,
  goodPassword,
  makeClient,
  makeStaff,
  startTestServer,
  clientTokenFor,
  type MadeClient,
} from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { mailsTo, oneTimeIdIn } from '#tests/mails.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { randomLoopbackAddress } from '#tests/registering.ts'

/** The delay of each response, in ms. */
const responseDelaysMs: number[] = []
const server = serverForFile({ pause: async (ms) => responseDelaysMs.push(ms) })
const second = serverForFile({ beside: server })

const logIn = (email: unknown, password: unknown = goodPassword, from = randomLoopbackAddress(), headers = {}) =>
  call(server, login, { body: { email, password }, from, headers })
const currentUserOf = (token: string, at = server) => call(at, currentUser, { as: token })
const seconds = () => Math.floor(server.clock.now().getTime() / 1000)

/** Turns on the client's second factor and returns its codes. */
async function turnOnFactor(client: MadeClient) {
  const { secret } = (await call(server, startSecondFactor, { as: client, body: { password: goodPassword } })).answer
  const code = (steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: server.clock.now().getTime() + steps * 30_000,
    })
  const { recoveryCodes } = (await call(server, confirmSecondFactor, { as: client, body: { code: code() } })).answer
  server.clock.turn(60)
  return { code, recoveryCodes }
}
const ticketOf = async (client: MadeClient) => (await logIn(client.email)).answer.ticket ?? ''
const sendSecondFactor = (ticket: string, code: unknown) => call(server, loginSecondFactor, { body: { ticket, code } })

describe('logging in', () => {
  test('is shown to staff with browser and address', async () => {
    const client = await makeClient(server)
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
    const from = randomLoopbackAddress()
    expect((await logIn(client.email, goodPassword, from, { 'user-agent': agent })).status).toBe(200)
    const staff = await makeStaff(server, ['compliance'])
    const logins = (await call(server, getClientLogins, { as: staff, params: { id: client.id } })).answer
    expect(logins.rows).toMatchObject([{ what: 'logIn', device: agent, address: from }])
    expect(logins.sessions.map(({ device }) => device)).toContain(agent)
  })

  test('is grouped for staff by network and browser, newest first', async () => {
    const client = await makeClient(server)
    const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
    const newer = chrome.replace('142', '143')
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'
    const [home, office] = [randomLoopbackAddress(), randomLoopbackAddress()]
    const times: Date[] = []
    for (const [from, agent] of [
      [home, chrome],
      [home, firefox],
      [office, firefox],
      [home, newer],
      [office, chrome],
    ] as const) {
      server.clock.turn(60)
      times.push(server.clock.now())
      expect((await logIn(client.email, goodPassword, from, { 'user-agent': agent })).status).toBe(200)
    }
    // A failed login is not counted.
    await logIn(client.email, 'not-the-password', randomLoopbackAddress(), { 'user-agent': chrome })
    const staff = await makeStaff(server, ['compliance'])
    const loginsOf = async (query = {}) =>
      (await call(server, getClientLogins, { as: staff, params: { id: client.id }, query })).answer
    const { places, locationTable } = await loginsOf()
    expect(locationTable).toBeNull()
    const groups = places.map(({ firstAt, lastAt, ...group }) => ({
      ...group,
      at: [firstAt, lastAt].map((at) => times.findIndex((time) => time.getTime() === new Date(at).getTime())),
    }))
    expect(groups).toEqual([
      { country: null, network: networkOf(office), device: chrome, signIns: 1, at: [4, 4] },
      { country: null, network: networkOf(home), device: newer, signIns: 2, at: [0, 3] },
      { country: null, network: networkOf(office), device: firefox, signIns: 1, at: [2, 2] },
      { country: null, network: networkOf(home), device: firefox, signIns: 1, at: [1, 1] },
    ])
  })

  test('works with a plain password and with one encrypted to the published key', async () => {
    const client = await makeClient(server)
    const { key } = (await call(server, passwordKey)).answer
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RSA-OAEP-256', use: 'enc' })
    expect(Buffer.from(key.n, 'base64url').length).toBeGreaterThanOrEqual(384)
    for (const password of [goodPassword, await encryptedPassword(server, goodPassword)]) {
      const { token } = (await logIn(client.email, password)).answer
      expect((await currentUserOf(token ?? '')).answer.user).toMatchObject({
        id: client.id,
        status: 'approved',
        acceptedDeclaration: true,
      })
    }
  })

  test('finds the email address in any case', async () => {
    const client = await makeClient(server)
    expect((await logIn(client.email.toUpperCase())).status).toBe(200)
  })

  test('gives the same response for a wrong password and an unknown address (requirements 26.8)', async () => {
    const client = await makeClient(server)
    const wrong = await logIn(client.email, 'not-the-password')
    const unknown = await logIn('absent@example.com', 'not-the-password')
    const { reference: _, ...one } = wrong.failure
    const { reference: __, ...other } = unknown.failure
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(one).toEqual(other)
    expect(Object.keys(one.errors)).toEqual(['emailorpassword'])
    expect(Object.keys(wrong.headers)).toEqual(Object.keys(unknown.headers))
  })

  test('names a missing or invalid field', async () => {
    expect((await logIn('no address')).failure.errors).toHaveProperty('email')
    expect((await logIn('a@example.com', '')).failure.errors).toHaveProperty('password')
    expect((await logIn('a@example.com', { $gt: '' })).status).toBe(400)
    expect((await logIn('a@example.com', 'x'.repeat(5000))).failure.code).toBe('password-long')
  })

  test.each(['suspended', 'closed'] as const)(
    'tells a client who is %s only with the right password',
    async (state) => {
      const client = await makeClient(server, { state })
      expect((await logIn(client.email)).failure.error).toContain('support@calder-row.example')
      expect((await logIn(client.email, 'wrong-password')).failure.code).toBe('email-or-password')
    },
  )

  test('fails with a staff member’s address and password (requirements 26.19)', async () => {
    const staff = await makeStaff(server, ['compliance'])
    expect((await logIn(staff.email)).failure.code).toBe('email-or-password')
  })

  test('from a new device sends an email; a newer version of the same browser is not a new device', async () => {
    const client = await makeClient(server)
    await logIn(client.email, goodPassword, randomLoopbackAddress(), { 'user-agent': 'Firefox/120.0' })
    expect((await mailsTo(server, client.email)).map(({ kind }) => kind)).toEqual(['new-device'])
    await logIn(client.email, goodPassword, randomLoopbackAddress(), { 'user-agent': 'Firefox/121.5' })
    expect(await mailsTo(server, client.email)).toHaveLength(1)
  })

  test('with a known browser sends an email only from a new country, not from other addresses of known ones', async () => {
    const client = await makeClient(server)
    const [home, away] = [
      ['127.9.0.1', '127.9.0.2'],
      ['127.9.0.3', '127.9.0.4'],
    ] as const
    const countries = new Map<string, string>([
      ...home.map((one) => [one, 'DE'] as const),
      ...away.map((one) => [one, 'PT'] as const),
    ])
    const table = { builtAt: server.clock.now(), countryOf: (address: string) => countries.get(address) ?? null }
    const spy = vi.spyOn(server.dependencies.ipLocations, 'table').mockResolvedValue(table)
    const from = async (address: string) => {
      await logIn(client.email, goodPassword, address, { 'user-agent': 'Firefox/120.0' })
      return (await mailsTo(server, client.email)).length
    }
    const counts: number[] = []
    for (const address of [...home, '127.9.0.9', ...away, home[0]]) counts.push(await from(address))
    spy.mockRestore()
    // The browser is new at the first one: the client's sessions were begun by another.
    expect(counts).toEqual([1, 1, 1, 2, 2, 2])
    expect((await mailsTo(server, client.email)).map(({ facts }) => facts['isKnownDevice'])).toEqual([false, true])
  })

  test('rehashes a password hash with weaker parameters after a right password only', async () => {
    const client = await makeClient(server)
    const weak = await hash(goodPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await run(server.dependencies.pool, sql`update clients set password_hash = ${weak} where id = ${client.id}`)
    const kept = async () =>
      (
        await row<{ hash: string }>(
          server.dependencies.pool,
          sql`select password_hash as hash from clients where id = ${client.id}`,
        )
      )?.hash
    expect((await logIn(client.email, 'Not-the-password-1')).status).toBe(401)
    expect(await kept()).toBe(weak)
    expect((await logIn(client.email)).status).toBe(200)
    const renewed = await kept()
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await logIn(client.email)).status).toBe(200)
    expect(await kept(), 'a current hash is not replaced').toBe(renewed)
  })

  test('with more than ten sessions ends the one that was used longest ago', async () => {
    const client = await makeClient(server)
    for (let turn = 0; turn < 10; turn += 1) {
      server.clock.turn(1)
      await logIn(client.email)
    }
    expect((await currentUserOf(client.token)).status).toBe(401)
  })
})

describe('encrypted passwords (requirements 26.1 to 26.3)', () => {
  test.each([-301, 301])('dated %i seconds from now are rejected, and no session begins', async (age) => {
    const client = await makeClient(server)
    const before = await row<{ n: number }>(server.dependencies.pool, sql`select count(*)::int as n from sessions`)
    const reply = await logIn(client.email, await encryptedPassword(server, goodPassword, { iat: seconds() + age }))
    expect(reply.status).toBe(401)
    expect(reply.failure.code).toBe('password-unreadable')
    expect(await row(server.dependencies.pool, sql`select count(*)::int as n from sessions`)).toEqual(before)
  })

  test('can be used once, also in simultaneous requests; new encryptions of the same password are accepted', async () => {
    const client = await makeClient(server)
    const sent = await encryptedPassword(server, goodPassword)
    expect((await logIn(client.email, sent)).status).toBe(200)
    expect((await logIn(client.email, sent)).failure.code).toBe('password-unreadable')
    const replies = await Promise.all(
      Array.from(
        { length: 8 },
        async () =>
          (await logIn(client.email, await encryptedPassword(server, goodPassword, { iat: seconds() + 1 }))).status,
      ),
    )
    expect(replies.every((status) => status === 200)).toBe(true)
    const again = await encryptedPassword(server, goodPassword)
    const both = await Promise.all([logIn(client.email, again), logIn(client.email, again)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('cannot be used again by changing the spare bits at the end of a base64url part', async () => {
    const client = await makeClient(server)
    const sent = await encryptedPassword(server, goodPassword)
    // The tag has 16 bytes, so its last character carries two bits of it and four spare ones.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spare = sent.slice(0, -1) + alphabet.charAt(alphabet.indexOf(sent.slice(-1)) + 1)
    expect(Buffer.from(spare.slice(-22), 'base64url')).toEqual(Buffer.from(sent.slice(-22), 'base64url'))
    expect((await logIn(client.email, sent)).status).toBe(200)
    expect((await logIn(client.email, spare)).failure.code).toBe('password-unreadable')
  })

  test('with a wrong key, algorithm or content all get the same error', async () => {
    const client = await makeClient(server)
    const good = await encryptedPassword(server, goodPassword)
    const parts = good.split('.')
    const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')
    const wrong = [
      await encryptedPassword(server, goodPassword, { kid: 'unknown' }),
      await encryptedPassword(server, goodPassword, { kid: '../../x' }),
      await encryptedPassword(server, goodPassword, { alg: 'RSA-OAEP' }),
      await encryptedPassword(server, goodPassword, { enc: 'A128CBC-HS256' }),
      await encryptedPassword(server, goodPassword, { payload: 'no json' }),
      await encryptedPassword(server, goodPassword, {
        payload: JSON.stringify({ password: goodPassword, iat: String(seconds()) }),
      }),
      await encryptedPassword(server, goodPassword, {
        payload: JSON.stringify({ password: [goodPassword], iat: seconds() }),
      }),
      [header({ alg: 'dir', enc: 'A256GCM' }), ...parts.slice(1)].join('.'),
      [header({ alg: 'RSA1_5', enc: 'A256GCM' }), ...parts.slice(1)].join('.'),
      [...parts.slice(0, 4), 'AAAAAAAAAAAAAAAAAAAAAA'].join('.'),
    ]
    const codes = new Set<string>()
    for (const sent of wrong) codes.add((await logIn(client.email, sent)).failure.code)
    expect([...codes]).toEqual(['password-unreadable'])
    expect((await logIn(client.email, good)).status).toBe(200)
  })

  test('can be made mandatory by the firm', async () => {
    const strict = await startTestServer()
    try {
      const client = await makeClient(strict)
      const security = { ...(await strict.dependencies.settings.get('security')), plainPasswords: false }
      await transaction(strict.dependencies.pool, (tx) =>
        writeSetting(tx, 'security', {
          value: security,
          version: 1,
          by: null,
          reason: 'test',
          now: strict.clock.now(),
        }),
      )
      strict.dependencies.settings.forget('security')
      const log = (password: string) => call(strict, login, { body: { email: client.email, password } })
      expect((await log(goodPassword)).failure.code).toBe('password-plain')
      expect((await log(await encryptedPassword(strict, goodPassword))).status).toBe(200)
      expect((await call(strict, settings)).answer.plainPasswords).toBe(false)
    } finally {
      await strict.stop()
    }
  })
})

describe('limits (requirements 26.11, 26.12)', () => {
  test('block an account for one IP address after ten failures; its owner can log in from another address', async () => {
    const client = await makeClient(server)
    const from = randomLoopbackAddress()
    const wrong = await Promise.all(Array.from({ length: 30 }, () => logIn(client.email, 'wrong-password', from)))
    const statuses = wrong.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect(Number(wrong.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await logIn(client.email, goodPassword, from)).status).toBe(429)
    expect((await logIn(client.email)).status).toBe(200)
    server.clock.turn(15 * 60)
    expect((await logIn(client.email, goodPassword, from)).status).toBe(200)
  })

  test('reset the failures of account and address after a success, which does not count against the address', async () => {
    const client = await makeClient(server)
    const from = randomLoopbackAddress()
    for (let turn = 0; turn < 12; turn += 1) {
      expect((await logIn(client.email, turn % 6 === 5 ? goodPassword : 'wrong-password', from)).status).not.toBe(429)
    }
  })

  test('cap successful logins of an account from one address, but not from another', async () => {
    const client = await makeClient(server)
    const from = randomLoopbackAddress()
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => logIn(client.email, goodPassword, from)))
    expect(atOnce.map(({ status }) => status)).toEqual(atOnce.map(() => 200))
    const most = sql`update rate_limits set count = ${signInTriesPerHour} where bucket like 'portal-tries:%'`
    await run(server.dependencies.pool, most)
    const over = await logIn(client.email, goodPassword, from)
    expect([over.status, Number(over.headers['retry-after']) > 15 * 60]).toEqual([429, true])
    expect((await logIn(client.email)).status).toBe(200)
    server.clock.turn(3600)
    expect((await logIn(client.email, goodPassword, from)).status).toBe(200)
  })

  test('stop one password tried on many accounts from one address, store nothing more, and ignore X-Forwarded-For', async () => {
    const from = randomLoopbackAddress()
    const statuses: number[] = []
    for (let turn = 0; turn < 52; turn += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${turn}` }
      statuses.push((await logIn(`absent-${turn}@example.com`, 'wrong-password', from, headers)).status)
    }
    expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(50)).toEqual([429, 429])
    const counted = async () => (await rows(server.dependencies.pool, sql`select from rate_limits`)).length
    const before = await counted()
    expect((await logIn('absent-else@example.com', 'wrong-password', from)).status).toBe(429)
    expect(await counted()).toBe(before)
  })
})

describe('many simultaneous logins', () => {
  test('for one account from many addresses are delayed progressively, and its owner can still log in', async () => {
    const client = await makeClient(server)
    for (let turn = 0; turn < 31; turn += 1) await logIn(client.email, 'wrong-password')
    responseDelaysMs.length = 0
    expect((await logIn(client.email)).status).toBe(200)
    for (let turn = 0; turn < 22; turn += 1) await logIn(client.email, 'wrong-password')
    expect(responseDelaysMs.slice(0, 4)).toEqual([500, 500, 750, 1000])
    expect(Math.max(...responseDelaysMs)).toBe(5_000)
  })

  test('above the capacity get a Retry-After header and delay no other request (requirements 32.5)', async () => {
    const client = await makeClient(server)
    const storm = await saturateHashing()
    const refused = await logIn(client.email)
    expect([refused.status, refused.failure.code]).toEqual([503, 'unavailable'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await currentUserOf(client.token)).status).toBe(200)
    await storm.end()
    expect((await logIn(client.email)).status).toBe(200)
  })

  test('of 200 clients cause no errors besides 401 and 503 (requirements 32.5)', async () => {
    const client = await makeClient(server)
    const storm = Array.from({ length: 200 }, (_, turn) => logIn(`absent-${turn}@example.com`, 'wrong-password'))
    expect((await currentUserOf(client.token)).status).toBe(200)
    const statuses = new Set((await Promise.all(storm)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 401 && status !== 503)).toEqual([])
  })
})

/** Occupies all hashing capacity and its queue until `end` is called: each finished request is repeated immediately. */
async function saturateHashing(): Promise<{ end(): Promise<void> }> {
  const storm = { goesOn: true, isFull: false }
  const askers: Promise<void>[] = []
  const ask = async () => {
    while (storm.goesOn) await hashPassword('any password')
  }
  while (!storm.isFull) {
    askers.push(ask().catch(() => void (storm.isFull = true)))
    await Promise.resolve()
  }
  return {
    async end() {
      storm.goesOn = false
      await Promise.all(askers)
    },
  }
}

describe('tokens and sessions (requirements 26.4 to 26.7)', () => {
  test('a new token is issued when a claim has changed or half its lifetime has passed, and not otherwise', async () => {
    const client = await makeClient(server, { state: 'pending' })
    const { token = '' } = (await logIn(client.email)).answer
    expect((await currentUserOf(token)).answer.token).toBeUndefined()
    await run(server.dependencies.pool, sql`update clients set state = 'approved' where id = ${client.id}`)
    const { token: changed = '', user } = (await currentUserOf(token)).answer
    expect(user.status).toBe('approved')
    expect((await currentUserOf(changed)).answer.token).toBeUndefined()
    server.clock.turn(15 * 60)
    expect((await currentUserOf(changed)).answer.token).toEqual(expect.any(String))
  })

  test('a session ends after 30 minutes without activity; background requests do not extend it', async () => {
    const client = await makeClient(server)
    let { token = '' } = (await logIn(client.email)).answer
    for (let turn = 0; turn < 3; turn += 1) {
      server.clock.turn(14 * 60)
      token = (await call(server, currentUser, { as: token, headers: { 'x-background': '1' } })).answer.token ?? token
      if (turn === 1) break
    }
    server.clock.turn(3 * 60)
    expect((await currentUserOf(token)).status).toBe(401)
    let { token: used = '' } = (await logIn(client.email)).answer
    for (let turn = 0; turn < 4; turn += 1) {
      server.clock.turn(14 * 60)
      used = (await currentUserOf(used)).answer.token ?? used
    }
    expect((await currentUserOf(used)).status).toBe(200)
  })

  test('a token expires after its own half hour, even if its session is active and the server has seen it before', async () => {
    const client = await makeClient(server)
    const { token: old = '' } = (await logIn(client.email)).answer
    server.clock.turn(16 * 60)
    const { token: fresh = '' } = (await currentUserOf(old)).answer
    server.clock.turn(15 * 60)
    expect([(await currentUserOf(old)).status, (await currentUserOf(fresh)).status]).toEqual([401, 200])
  })

  test('a session ends after twelve hours at the latest', async () => {
    const client = await makeClient(server)
    let { token = '' } = (await logIn(client.email)).answer
    for (let turn = 0; turn < 12 * 3 - 1; turn += 1) {
      server.clock.turn(20 * 60)
      token = (await currentUserOf(token)).answer.token ?? token
    }
    server.clock.turn(20 * 60 + 1)
    expect((await currentUserOf(token)).status).toBe(401)
  })

  test('a logout invalidates the token on every server immediately', async () => {
    const client = await makeClient(server)
    expect((await currentUserOf(client.token, second)).status).toBe(200)
    expect((await call(server, logout, { as: client })).status).toBe(200)
    expect((await currentUserOf(client.token)).status).toBe(401)
    expect((await currentUserOf(client.token, second)).status).toBe(401)
  })

  type Ending = (client: MadeClient, other: { token: string; sessionId: string }) => Promise<{ status: number }>
  const decided = async (endpoint: typeof suspendClient | typeof closeClient, client: MadeClient) => {
    const found = await row<{ version: number }>(
      server.dependencies.pool,
      sql`select version from clients where id = ${client.id}`,
    )
    const as = await makeStaff(server, ['compliance'])
    const body = { version: found?.version ?? 1, reason: 'Asked by phone.' }
    return call(server, endpoint, { as, params: { id: client.id }, body })
  }
  const endings: Record<string, Ending> = {
    'the owner ends it from another device': (client, { sessionId }) =>
      call(server, endSession, { as: client, body: { sessionId } }),
    'the password changes elsewhere': (client) =>
      call(server, changePassword, {
        as: client,
        body: { currentPassword: goodPassword, password: 'Marble-lantern-88' },
      }),
    'the password is reset': async (client) => {
      await call(server, resetPassword, { body: { email: client.email }, from: randomLoopbackAddress() })
      await server.driver.sweep()
      const id = await oneTimeIdIn(server, client.email, 'password-reset')
      return call(server, newPassword, { body: { id, password: 'Marble-lantern-88' } })
    },
    'the second factor is turned on, and off again': async (client) => {
      const { code } = await turnOnFactor(client)
      return call(server, disableSecondFactor, { as: client, body: { password: goodPassword, code: code() } })
    },
    'staff sign the client out everywhere': async (client) => {
      const as = await makeStaff(server, ['compliance'])
      return call(server, signOutClient, { as, params: { id: client.id }, body: { reason: 'Lost phone.' } })
    },
    'the client is suspended': (client) => decided(suspendClient, client),
    'the client is closed': (client) => decided(closeClient, client),
  }
  test.each(Object.entries(endings))(
    'a token is invalid on every server once %s (requirements 26.6)',
    async (_, end) => {
      const client = await makeClient(server)
      const other = await clientTokenFor(server, client)
      for (const at of [server, second]) expect((await currentUserOf(other.token, at)).status).toBe(200)
      expect((await end(client, other)).status).toBe(200)
      for (const at of [server, second])
        expect((await currentUserOf(other.token, at)).failure.code).toBe('session-ended')
    },
  )

  test.each([
    ['the password', 'password_changed_at', null],
    ['the second factor', 'factor_confirmed_at', null],
    ['the password with a second factor', 'password_changed_at', new Date(0)],
  ])('a login in progress when %s changes does not begin a session (requirements 26.6)', async (_, column, factor) => {
    const client = await makeClient(server)
    await run(server.dependencies.pool, sql`update clients set factor_confirmed_at = ${factor} where id = ${client.id}`)
    const underWay: ReturnType<typeof logIn>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
      underWay.push(logIn(client.email))
      await waitForBlockedConnections(server.dependencies.pool)
      const later = new Date(server.clock.now().getTime() + 1000)
      await run(tx, sql`update clients set ${raw(column)} = ${later} where id = ${client.id}`)
    })
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([401])
    const begun = sql`select id from sessions where client_id = ${client.id} and id <> ${client.sessionId}`
    expect(await rows(server.dependencies.pool, begun)).toEqual([])
  })

  test('simultaneous requests are answered for the right client each, and ended or forged tokens are refused', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => makeClient(server)))
    const ended = await makeClient(server)
    expect((await call(server, logout, { as: ended })).status).toBe(200)
    const forged = clients.map(({ token }) => `${token.slice(0, -8)}AAAAAAA${token.at(-1) === 'A' ? 'Q' : 'A'}`)
    for (const at of [server, second]) {
      const answers = await Promise.all([...clients, ...clients, ended].map(({ token }) => currentUserOf(token, at)))
      expect(answers.map((one) => (one.status === 200 ? one.answer.user.id : one.status))).toEqual([
        ...[...clients, ...clients].map(({ id }) => id),
        401,
      ])
      const refused = await Promise.all(forged.map((token) => currentUserOf(token, at)))
      expect(refused.map(({ status }) => status)).toEqual(forged.map(() => 401))
    }
  })

  test('a staff token is invalid on every server once the person is deactivated (requirements 26.6)', async () => {
    const [administrator, member] = [await makeStaff(server, ['administrator']), await makeStaff(server, ['finance'])]
    for (const at of [server, second]) expect((await call(at, officeCurrent, { as: member })).status).toBe(200)
    const body = { version: 1, reason: 'Has left.' }
    const ended = await call(server, deactivateStaff, { as: administrator, params: { id: member.id }, body })
    expect(ended.status).toBe(200)
    for (const at of [server, second]) expect((await call(at, officeCurrent, { as: member })).status).toBe(401)
  })

  test('a client who has been closed or suspended is refused at the next request', async () => {
    for (const state of ['closed', 'suspended']) {
      const client = await makeClient(server)
      await run(server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)
      expect((await currentUserOf(client.token)).failure.code).toBe('session-ended')
    }
  })

  test('a token that is forged, truncated, for another audience, expired or not yet valid is refused', async () => {
    const client = await makeClient(server)
    const [head = '', body = '', signature = ''] = client.token.split('.')
    const spki = await exportSPKI(server.dependencies.keys.token.current.publicKey)
    const claims = { sid: client.sessionId }
    const tokenFor = (from: number, to: number | null, audience = 'portal', typ = 'portal+jwt') => {
      const jwt = new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid: server.dependencies.keys.token.current.kid, typ })
        .setAudience(audience)
        .setIssuedAt(from)
        .setNotBefore(from)
      if (to !== null) jwt.setExpirationTime(to)
      return jwt.sign(server.dependencies.keys.token.current.key)
    }
    const hs256 = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: server.dependencies.keys.token.current.kid, typ: 'portal+jwt' })
      .setAudience('portal')
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + 60)
      .sign(new TextEncoder().encode(spki))
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'portal+jwt' })).toString('base64url')}.${body}.${signature}`
    const wrong = [
      none,
      hs256,
      `${head}.${body}.${signature.slice(0, -4)}`,
      `${head}.${body}.`,
      await tokenFor(seconds() - 1860, seconds() - 10),
      await tokenFor(seconds(), null),
      await tokenFor(seconds(), 9_999_999_999),
      await tokenFor(seconds() + 600, seconds() + 1200),
      await tokenFor(seconds(), seconds() + 60, 'office', 'office+jwt'),
      await tokenFor(seconds(), seconds() + 60, 'portal', 'office+jwt'),
    ]
    for (const token of wrong) expect((await currentUserOf(token)).status).toBe(401)
    expect((await currentUserOf(await tokenFor(seconds(), seconds() + 60))).status).toBe(200)
  })

  test('tickets and staff tokens give no access to the portal', async () => {
    const client = await makeClient(server)
    const staff = await makeStaff(server, ['administrator'])
    const { keys } = server.dependencies
    const asTicket = await signToken(keys, 'ticket', client.sessionId, {}, server.clock.now())
    const overStaff = await signToken(keys, 'portal', staff.sessionId, {}, server.clock.now())
    for (const token of [staff.token, asTicket, overStaff]) {
      expect((await currentUserOf(token)).status).toBe(401)
      expect((await call(server, listNotifications, { as: token })).status).toBe(401)
    }
  })

  test('the language of emails can be set', async () => {
    const client = await makeClient(server)
    expect((await call(server, setLanguage, { as: client, body: { language: 'de' } })).status).toBe(200)
    expect((await currentUserOf(client.token)).answer.user.language).toBe('de')
    expect((await call(server, setLanguage, { as: client, body: { language: 'fr' } })).status).toBe(400)
  })
})

describe('two-factor authentication (requirements 26.13, 26.14)', () => {
  test('the first step gives a ticket that is valid for the second step only', async () => {
    const client = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const { ticket = '', token, secondFactor } = (await logIn(client.email)).answer
    expect({ token, secondFactor }).toEqual({ token: undefined, secondFactor: true })
    expect((await currentUserOf(ticket)).status).toBe(401)
    expect(
      (await call(server, disableSecondFactor, { as: ticket, body: { password: goodPassword, code: code() } })).status,
    ).toBe(401)
    const { token: good } = (await sendSecondFactor(ticket, code())).answer
    expect((await currentUserOf(good)).answer.user.secondFactor).toBe(true)
    expect((await sendSecondFactor(ticket, code(1))).failure.code).toBe('ticket-ended')
  })

  test('a code is valid once: simultaneous, later and earlier uses are refused', async () => {
    const client = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketOf(client)))
    const now = code()
    const at = await Promise.all(tickets.map((ticket) => sendSecondFactor(ticket, now)))
    expect(at.filter(({ status }) => status === 200)).toHaveLength(1)
    const ticket = await ticketOf(client)
    expect((await sendSecondFactor(ticket, code(-1))).failure.code).toBe('login-code-wrong')
    expect((await sendSecondFactor(ticket, now)).failure.code).toBe('login-code-wrong')
  })

  test('malformed codes are wrong, and five wrong ones end the ticket', async () => {
    const client = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const ticket = await ticketOf(client)
    for (const wrong of ['000000', '12345', '1234567', 'abcdef', '      1']) {
      expect((await sendSecondFactor(ticket, wrong)).failure.code).toBe('login-code-wrong')
    }
    expect((await sendSecondFactor(ticket, code())).failure.code).toBe('ticket-ended')
    expect((await sendSecondFactor(await ticketOf(client), '٠١٢٣٤٥')).status).toBe(400)
    expect((await sendSecondFactor(await ticketOf(client), 0)).status).toBe(400)
  })

  test('of nine simultaneous wrong codes five are checked, and the ticket ends', async () => {
    const client = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const ticket = await ticketOf(client)
    const codes = await Promise.all(Array.from({ length: 9 }, () => sendSecondFactor(ticket, '000000')))
    expect(codes.map(({ failure }) => failure.code).filter((one) => one === 'login-code-wrong')).toHaveLength(5)
    expect((await sendSecondFactor(ticket, code())).failure.code).toBe('ticket-ended')
  })

  test('wrong codes are counted per person, not per ticket, and reported to the client once', async () => {
    const client = await makeClient(server)
    await turnOnFactor(client)
    const statuses: number[] = []
    for (let turn = 0; turn < 12; turn += 1)
      statuses.push((await sendSecondFactor(await ticketOf(client), '000000')).status)
    expect(statuses.slice(10)).toEqual([429, 429])
    await expect
      .poll(async () => (await mailsTo(server, client.email)).filter(({ kind }) => kind === 'wrong-codes'))
      .toMatchObject([{ language: 'en', facts: { device: expect.any(String) as string, address: '127.0.0.1' } }])
  })

  test('a ticket expires after five minutes, and another client’s code is wrong', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    const { code } = await turnOnFactor(client)
    const { code: othersCode } = await turnOnFactor(other)
    const ticket = await ticketOf(client)
    expect((await sendSecondFactor(ticket, othersCode())).failure.code).toBe('login-code-wrong')
    server.clock.turn(301)
    expect((await sendSecondFactor(ticket, code())).failure.code).toBe('ticket-ended')
  })

  test('each recovery code is valid once, whatever its formatting', async () => {
    const client = await makeClient(server)
    const { recoveryCodes } = await turnOnFactor(client)
    const [code = ''] = recoveryCodes
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await sendSecondFactor(await ticketOf(client), code.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await sendSecondFactor(await ticketOf(client), code)).failure.code).toBe('login-code-wrong')
    const kept = await rows<{ hash: Buffer }>(
      server.dependencies.pool,
      sql`select hash from recovery_codes where client_id = ${client.id}`,
    )
    expect(kept.every(({ hash }) => hash.length === 32)).toBe(true)
  })

  test('turning it on or off requires the password, ends the other sessions and sends an email', async () => {
    const client = await makeClient(server)
    const { token: other = '' } = (await logIn(client.email)).answer
    expect(
      (await call(server, startSecondFactor, { as: client, body: { password: 'wrong' } })).failure.errors,
    ).toHaveProperty('passwordincorrect')
    expect((await call(server, confirmSecondFactor, { as: client, body: { code: '123456' } })).failure.code).toBe(
      'factor-not-started',
    )
    const { code } = await turnOnFactor(client)
    expect((await currentUserOf(other)).status).toBe(401)
    expect((await currentUserOf(client.token)).status).toBe(200)
    expect((await call(server, startSecondFactor, { as: client, body: { password: goodPassword } })).failure.code).toBe(
      'factor-on',
    )
    const off = (body: object) => call(server, disableSecondFactor, { as: client, body })
    expect((await off({ password: goodPassword, code: '000000' })).failure).toMatchObject({ code: 'code-wrong' })
    expect((await off({ password: 'wrong', code: code() })).failure.errors).toHaveProperty('passwordincorrect')
    expect((await off({ password: goodPassword, code: code() })).status).toBe(200)
    expect((await off({ password: goodPassword, code: code(1) })).failure.code).toBe('factor-off')
    const kinds = (await mailsTo(server, client.email)).map(({ kind }) => kind)
    expect(kinds).toContain('second-factor-on')
    expect(kinds).toContain('second-factor-off')
    expect((await call(server, listSessions, { as: client })).answer.sessions).toHaveLength(1)
  })
})
