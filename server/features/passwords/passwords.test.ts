import { describe, expect, test } from 'vitest'
import { changePassword, newPassword, resetPassword } from '#contract/passwords.ts'
import { confirmEmail, currentUser, login } from '#contract/users-session.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { createLink, oneTimeIdOf } from '#server/auth/one-time-links.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { serverForFile } from '#tests/for-file.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { call, goodPassword, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { mailsTo, oneTimeIdIn } from '#tests/mails.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { randomLoopbackAddress, newEmail } from '#tests/registering.ts'

const server = serverForFile()

const another = 'Marble-lantern-88'
const requestReset = async (email: string, headers = {}) => {
  const reply = await call(server, resetPassword, { body: { email }, from: randomLoopbackAddress(), headers })
  await server.driver.sweep()
  return reply
}
const idFor = (client: MadeClient) => oneTimeIdIn(server, client.email, 'password-reset')
const set = (id: string, password: unknown = another) => call(server, newPassword, { body: { id, password } })
const logIn = (email: string, password: string) =>
  call(server, login, { body: { email, password }, from: randomLoopbackAddress() })
const isSessionAlive = async (token: string) => (await call(server, currentUser, { as: token })).status === 200

describe('resetting a forgotten password', () => {
  test('sends a link by email; the new password logs in, the old password and all sessions are invalid', async () => {
    const client = await makeClient(server)
    const other = await clientTokenFor(server, client)
    expect((await requestReset(client.email)).answer).toEqual({ msg: 'Please check your email.' })
    expect((await set(await idFor(client), await encryptedPassword(server, another))).status).toBe(200)
    expect((await logIn(client.email, goodPassword)).status).toBe(401)
    expect((await logIn(client.email, another)).status).toBe(200)
    expect([await isSessionAlive(client.token), await isSessionAlive(other.token)]).toEqual([false, false])
    expect((await mailsTo(server, client.email)).map(({ kind }) => kind)).toContain('password-changed')
  })

  test('is recorded in the audit log with the address that it was requested from', async () => {
    const client = await makeClient(server)
    const from = randomLoopbackAddress()
    await call(server, resetPassword, { body: { email: client.email }, from })
    while ((await server.driver.sweep()) > 0);
    const found = sql`select actor_id, address from events where client_id = ${client.id} and verb = 'sendReset'`
    expect(await rows(server.dependencies.pool, found)).toEqual([{ actor_id: null, address: from }])
  })

  test('gives the same response for an unknown address, which gets no email', async () => {
    const client = await makeClient(server)
    const unknown = newEmail()
    const [one, other] = [await requestReset(client.email), await requestReset(unknown)]
    expect(one.json).toEqual(other.json)
    expect(await mailsTo(server, unknown)).toEqual([])
    expect((await requestReset('no address')).failure.errors).toHaveProperty('email')
  })

  test('sends no email after five requests an hour, with the same response', async () => {
    const client = await makeClient(server)
    for (let turn = 0; turn < 7; turn += 1) expect((await requestReset(client.email)).status).toBe(200)
    expect(await mailsTo(server, client.email)).toHaveLength(5)
  })

  test('sends no email and stores nothing after 50 requests an hour from one IP address, with the same response', async () => {
    const [first, late] = [await makeClient(server), await makeClient(server)]
    const from = randomLoopbackAddress()
    const wish = (email: string) => call(server, resetPassword, { body: { email }, from })
    const asked = await wish(first.email)
    for (let turn = 0; turn < 49; turn += 1) await wish(newEmail())
    const counted = async () =>
      (await row<{ n: number }>(server.dependencies.pool, sql`select count(*)::int as n from rate_limits`))?.n
    const before = await counted()
    expect((await wish(late.email)).json).toEqual(asked.json)
    expect(await counted()).toBe(before)
    while ((await server.driver.sweep()) > 0);
    expect([await mailsTo(server, first.email), await mailsTo(server, late.email)]).toMatchObject([[{}], []])
  })

  test('of 20 simultaneous uses of a link, one succeeds; later uses fail (requirements 26.15)', async () => {
    const client = await makeClient(server)
    await requestReset(client.email)
    const id = await idFor(client)
    const used: ReturnType<typeof set>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
      used.push(set(id), set(id))
      await waitForBlockedConnections(server.dependencies.pool, 2)
    })
    used.push(...Array.from({ length: 18 }, () => set(id)))
    const replies = await Promise.all(used)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await set(id)).failure.code).toBe('link-used')
  })

  test('invalidates a link after a newer link, after a password change and after 30 minutes', async () => {
    const client = await makeClient(server)
    await requestReset(client.email)
    const first = await idFor(client)
    await requestReset(client.email)
    const second = await idFor(client)
    expect((await set(first)).failure.code).toBe('link-used')
    const body = { currentPassword: goodPassword, password: another }
    expect((await call(server, changePassword, { as: client, body })).status).toBe(200)
    expect((await set(second)).failure.code).toBe('link-used')
    await requestReset(client.email)
    const third = await idFor(client)
    server.clock.turn(30 * 60)
    expect((await set(third)).failure.code).toBe('link-expired')
    for (const wrong of [third.toLowerCase(), `${third}/`, third.slice(1), '../x'])
      expect((await set(wrong)).status).toBe(404)
  })

  test('stores the link’s id as a hash and builds the link on the configured address (requirements 26.16)', async () => {
    const client = await makeClient(server)
    await requestReset(client.email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    const id = await idFor(client)
    const kept = JSON.stringify(
      await rows(server.dependencies.pool, sql`select * from one_time_links where client_id = ${client.id}`),
    )
    const operations = JSON.stringify(
      await rows(server.dependencies.pool, sql`select payload from operations where client_id = ${client.id}`),
    )
    expect(kept + operations).not.toContain(id)
    expect(operations).not.toContain('evil')
  })

  test.each([
    ['five characters', 'a1b2c', 'password-short'],
    ['a common password', 'password1', 'password-common'],
    ['only spaces', '       ', 'password-common'],
    ['a NUL character', 'quince\0harbour', 'password-characters'],
    ['more than 256 characters', 'long-'.repeat(60), 'password-long'],
    ['the firm’s name', 'Calder Row', 'password-own'],
  ])('rejects %s at the field password, and the link remains valid (requirements 26.18)', async (_, password, code) => {
    const client = await makeClient(server)
    await requestReset(client.email)
    const id = await idFor(client)
    const reply = await set(id, password)
    expect(reply.failure.code).toBe(code)
    expect(Object.keys(reply.failure.errors)).toEqual(['password'])
    expect((await set(id, client.email)).failure.code).toBe('password-own')
    expect((await set(id)).status).toBe(200)
  })

  test.each(['confirm', 'setpassword', 'email-change'] as const)(
    'a link for the purpose %s does not set a password',
    async (purpose) => {
      const client = await makeClient(server)
      const link = { purpose, owner: { clientId: client.id }, lifeSeconds: 3600 }
      const made = await transaction(server.dependencies.pool, (tx) =>
        createLink(tx, server.dependencies.keys, link, server.clock.now()),
      )
      expect((await set(oneTimeIdOf(server.dependencies.keys, made))).failure.code).toBe('link-unknown')
    },
  )

  test('a password of 250 characters is not truncated: its first 249 do not log in', async () => {
    const client = await makeClient(server)
    await requestReset(client.email)
    const long = 'Ünïcode-€-'.repeat(25)
    expect((await set(await idFor(client), long)).status).toBe(200)
    expect((await logIn(client.email, long.slice(0, -1))).status).toBe(401)
    expect((await logIn(client.email, long)).status).toBe(200)
  })

  test('keeps two-factor authentication on: the new password alone gives a ticket', async () => {
    const client = await makeClient(server)
    await run(
      server.dependencies.pool,
      sql`update clients set factor_secret = ${Buffer.alloc(8)}, factor_confirmed_at = ${server.clock.now()} where id = ${client.id}`,
    )
    await requestReset(client.email)
    await set(await idFor(client))
    expect((await logIn(client.email, another)).answer).toMatchObject({ secondFactor: true })
  })
})

describe('a client invited by staff', () => {
  test('confirms with the setpassword link and gets no session, but an id to set the first password', async () => {
    const client = await makeClient(server, { state: 'registering' })
    const link = await transaction(server.dependencies.pool, (tx) =>
      createLink(
        tx,
        server.dependencies.keys,
        { purpose: 'setpassword', owner: { clientId: client.id }, lifeSeconds: 3600 },
        server.clock.now(),
      ),
    )
    const id = oneTimeIdOf(server.dependencies.keys, link)
    expect((await call(server, confirmEmail, { params: { '*': id } })).status).toBe(404)
    const confirmed = (await call(server, confirmEmail, { params: { '*': `setpassword/${id}` } })).answer
    expect(confirmed).toMatchObject({ autologin: false, token: null })
    expect((await set(confirmed.resetId ?? '')).status).toBe(200)
    expect((await logIn(client.email, another)).status).toBe(200)
    expect((await call(server, confirmEmail, { params: { '*': `setpassword/${id}` } })).answer).not.toHaveProperty(
      'resetId',
    )
  })
})

describe('changing the password in a session', () => {
  test('continues this session with a new token; its former token and the other sessions end', async () => {
    const client = await makeClient(server)
    const other = await clientTokenFor(server, client)
    const body = {
      currentPassword: await encryptedPassword(server, goodPassword),
      password: await encryptedPassword(server, another),
    }
    const { token } = (await call(server, changePassword, { as: client, body })).answer
    expect([
      await isSessionAlive(token),
      await isSessionAlive(client.token),
      await isSessionAlive(other.token),
    ]).toEqual([true, false, false])
    expect((await logIn(client.email, another)).status).toBe(200)
  })

  test('rejects a wrong current password at the field passwordincorrect and counts the attempts', async () => {
    const client = await makeClient(server)
    const change = (currentPassword: string) =>
      call(server, changePassword, { as: client, body: { currentPassword, password: another } })
    const wrong = await change('not-this-one')
    expect([wrong.status, Object.keys(wrong.failure.errors)]).toEqual([400, ['passwordincorrect']])
    const bad = await change(await encryptedPassword(server, goodPassword, { iat: 5 }))
    expect([bad.status, bad.failure.code]).toEqual([400, 'password-garbled'])
    for (let turn = 0; turn < 8; turn += 1) await change('not-this-one')
    expect((await change(goodPassword)).status).toBe(429)
  })

  test('changes nothing if a reset was completed during the change', async () => {
    const client = await makeClient(server)
    const byOwner = await hashPassword('Copper-orchard-52')
    const body = { currentPassword: goodPassword, password: another }
    const changeBy = () => call(server, changePassword, { as: client, body })
    const underWay: ReturnType<typeof changeBy>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
      underWay.push(changeBy())
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`update clients set password_hash = ${byOwner} where id = ${client.id}`)
    })
    expect((await Promise.all(underWay)).map(({ failure }) => failure.code)).toEqual(['password-incorrect'])
    expect((await logIn(client.email, another)).status).toBe(401)
  })

  test('does not continue a session that was ended during the change', async () => {
    const client = await makeClient(server)
    const changeBy = () =>
      call(server, changePassword, { as: client, body: { currentPassword: goodPassword, password: another } })
    const underWay: ReturnType<typeof changeBy>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
      underWay.push(changeBy())
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`update sessions set ended_at = ${server.clock.now()} where client_id = ${client.id}`)
    })
    expect((await Promise.all(underWay)).map(({ failure }) => failure.code)).toEqual(['session-ended'])
    expect((await logIn(client.email, another)).status).toBe(401)
  })

  test('is limited to ten attempts an hour, each of which costs several hashes (requirements 32.5)', async () => {
    const client = await makeClient(server)
    const body = { currentPassword: goodPassword, password: 'Password1' }
    const change = async () => (await call(server, changePassword, { as: client, body })).failure.code
    for (let turn = 0; turn < 10; turn += 1) expect(await change()).toBe('password-common')
    expect(await change()).toBe('too-many')
  })

  test('requires a session token', async () => {
    expect(
      (await call(server, changePassword, { body: { currentPassword: goodPassword, password: another } })).status,
    ).toBe(401)
  })
})
