import { Secret, TOTP } from 'otpauth'
import { describe, expect, test, vi } from 'vitest'
import {
  acceptInvitation,
  officeChangePassword,
  officeCurrent,
  officeLogin,
  officeLogout,
  officeSecondFactor,
  openInvitation,
} from '#contract/office/session.ts'
import { listInbox } from '#contract/office/inbox.ts'
import type { StaffRole } from '#rules/actors.ts'
import { staffPasswordLengthMin } from '#rules/constants.ts'
import type { StaffId } from '#rules/ids.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { createLink, oneTimeIdOf } from '#server/auth/one-time-links.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { serverForFile } from '../../../tests/for-file.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { call, goodPassword, makeClient, makeStaff } from '../../../tests/factories.ts'

const server = serverForFile()

const staffPassword = 'Heron-lantern-4488'

/** Invites a person; returns the person and the id in the email's link. */
async function invite(roles: readonly StaffRole[] = ['operations']) {
  const now = server.clock.now()
  const email = `invited-${Math.random().toString(36).slice(2)}@example.com`
  const made = await row<{ id: StaffId }>(
    server.dependencies.pool,
    sql`insert into staff (email, name, roles, created_at) values (${email}, 'Iris Novak', ${[...roles]}::text[], ${now}) returning id`,
  )
  if (!made) throw new Error('no one was invited')
  const link = await transaction(server.dependencies.pool, (tx) =>
    createLink(
      tx,
      server.dependencies.keys,
      { purpose: 'invitation', owner: { staffId: made.id }, lifeSeconds: 3600 },
      now,
    ),
  )
  return { id: made.id, email, link: oneTimeIdOf(server.dependencies.keys, link) }
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now().getTime() })

async function enrolStaff() {
  const invited = await invite()
  const { answer } = await call(server, acceptInvitation, { body: { id: invited.link, password: staffPassword } })
  if (!answer.enrolment) throw new Error('no factor was offered')
  const { secret } = answer.enrolment
  const signedIn = await call(server, officeSecondFactor, { body: { ticket: answer.ticket, code: codeOf(secret) } })
  return { ...invited, secret, token: signedIn.answer.token, recoveryCodes: signedIn.answer.recoveryCodes }
}

const login = (email: string, password = staffPassword, from?: string) =>
  call(server, officeLogin, { body: { email, password }, ...(from === undefined ? {} : { from }) })

describe('an invitation', () => {
  test('can be read without being used, sets the password and then the second factor, and gives access to the back office', async () => {
    const invited = await invite(['finance'])
    for (let round = 0; round < 2; round += 1) {
      const { answer } = await call(server, openInvitation, { body: { id: invited.link } })
      expect(answer).toEqual({
        name: 'Iris Novak',
        email: invited.email,
        roles: ['finance'],
        passwordLengthMin: staffPasswordLengthMin,
      })
    }
    const { answer } = await call(server, acceptInvitation, { body: { id: invited.link, password: staffPassword } })
    expect((await call(server, listInbox, { as: answer.ticket })).status).toBe(401)
    const code = codeOf(answer.enrolment?.secret ?? '')
    const { answer: signedIn } = await call(server, officeSecondFactor, { body: { ticket: answer.ticket, code } })
    expect(signedIn.recoveryCodes).toHaveLength(10)
    const { answer: current } = await call(server, officeCurrent, { as: signedIn.token })
    expect(current.staff).toMatchObject({ id: invited.id, roles: ['finance'] })
    expect(current.reads).toContain('clientMoney')
    expect(current.does).not.toContain('saveSettings')
    expect(current.passwordLengthMin).toBe(staffPasswordLengthMin)
    const kept = await row<{ state: string }>(
      server.dependencies.pool,
      sql`select state from staff where id = ${invited.id}`,
    )
    expect(kept?.state).toBe('active')
    const verbs = await rows<{ verb: string }>(
      server.dependencies.pool,
      sql`select verb from events where record = ${invited.id} order by id`,
    )
    expect(verbs.map(({ verb }) => verb)).toEqual(['acceptInvitation', 'enrol', 'logIn'])
  })

  test('can be used once', async () => {
    const { link } = await enrolStaff()
    expect((await call(server, openInvitation, { body: { id: link } })).failure.code).toBe('link-used')
    expect((await call(server, acceptInvitation, { body: { id: link, password: staffPassword } })).failure.code).toBe(
      'link-used',
    )
  })

  test('succeeds for one of several simultaneous uses', async () => {
    const { link } = await invite()
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => call(server, acceptInvitation, { body: { id: link, password: staffPassword } })),
    )
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('requires a password of at least 12 characters', async () => {
    const { link } = await invite()
    const accept = (password: string) => call(server, acceptInvitation, { body: { id: link, password } })
    expect((await accept('Heron-4488x')).failure.code).toBe('password-short')
    expect((await accept('Heron-4488xy')).status).toBe(200)
  })

  test('of a person who has been deactivated since is unknown', async () => {
    const { id, link } = await invite()
    await run(server.dependencies.pool, sql`update staff set state = 'deactivated' where id = ${id}`)
    for (const [endpoint, more] of [
      [openInvitation, {}],
      [acceptInvitation, { password: staffPassword }],
    ] as const)
      expect((await call(server, endpoint, { body: { id: link, ...more } })).failure.code).toBe('link-unknown')
  })

  test('with an invented id is unknown', async () => {
    expect((await call(server, openInvitation, { body: { id: 'nothing-like-it' } })).failure.code).toBe('link-unknown')
  })
})

describe('a staff sign-in', () => {
  test('requires password and code; a code is valid once', async () => {
    const { email, secret } = await enrolStaff()
    server.clock.turn(30)
    const first = await login(email)
    expect(first.answer.enrolment).toBeNull()
    const code = codeOf(secret)
    const { answer } = await call(server, officeSecondFactor, { body: { ticket: first.answer.ticket, code } })
    expect(answer.recoveryCodes).toBeNull()
    expect((await call(server, officeCurrent, { as: answer.token })).status).toBe(200)
    const second = await login(email)
    expect(
      (await call(server, officeSecondFactor, { body: { ticket: second.answer.ticket, code } })).failure.code,
    ).toBe('login-code-wrong')
  })

  test('accepts each recovery code once', async () => {
    const { email, recoveryCodes } = await enrolStaff()
    const code = recoveryCodes?.[0] ?? ''
    const { answer } = await login(email)
    expect((await call(server, officeSecondFactor, { body: { ticket: answer.ticket, code } })).status).toBe(200)
    const again = await login(email)
    expect((await call(server, officeSecondFactor, { body: { ticket: again.answer.ticket, code } })).failure.code).toBe(
      'login-code-wrong',
    )
  })

  test('ends its ticket after five wrong codes, which are reported by email', async () => {
    const { email, secret } = await enrolStaff()
    server.clock.turn(30)
    const { ticket } = (await login(email)).answer
    for (let round = 0; round < 5; round += 1) {
      expect((await call(server, officeSecondFactor, { body: { ticket, code: '000000' } })).failure.code).toBe(
        'login-code-wrong',
      )
    }
    expect((await call(server, officeSecondFactor, { body: { ticket, code: codeOf(secret) } })).failure.code).toBe(
      'ticket-ended',
    )
    await expect
      .poll(async () => (await mailsTo(server, email)).filter(({ kind }) => kind === 'staff-wrong-codes'))
      .toHaveLength(1)
  })

  test('gives the same error for a client, an unknown address and a wrong password', async () => {
    const client = await makeClient(server)
    const { email } = await enrolStaff()
    const answers = await Promise.all([
      login(client.email, goodPassword, '127.0.0.31'),
      login('absent@example.com', goodPassword, '127.0.0.31'),
      login(email, 'Wrong-password-12', '127.0.0.31'),
    ])
    for (const { status, failure } of answers) {
      expect(status).toBe(401)
      expect(failure.code).toBe('staff-email-or-password')
    }
  })

  test('in progress during a password change does not get a ticket', async () => {
    const person = await enrolStaff()
    const another = await hashPassword('Another-lantern-99')
    const underWay: ReturnType<typeof login>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from staff where id = ${person.id} for update`)
      underWay.push(login(person.email))
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`update staff set password_hash = ${another} where id = ${person.id}`)
    })
    expect((await Promise.all(underWay)).map(({ failure }) => failure.code)).toEqual(['staff-email-or-password'])
    const tickets = sql`select id from sessions where staff_id = ${person.id} and audience = 'office-ticket' and ended_at is null`
    expect(await rows(server.dependencies.pool, tickets)).toEqual([])
  })

  test('without a second factor leads only to setting one up', async () => {
    const { id, email } = await enrolStaff()
    await run(
      server.dependencies.pool,
      sql`update staff set factor_secret = null, factor_confirmed_at = null where id = ${id}`,
    )
    const { answer } = await login(email)
    expect(answer.enrolment?.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect((await call(server, officeCurrent, { as: answer.ticket })).status).toBe(401)
  })

  test('is refused to a deactivated person, whose token is invalid immediately', async () => {
    const { id, email, token } = await enrolStaff()
    await run(server.dependencies.pool, sql`update staff set state = 'deactivated' where id = ${id}`)
    expect((await call(server, officeCurrent, { as: token })).status).toBe(401)
    expect((await login(email)).failure.code).toBe('staff-email-or-password')
  })
})

describe('a staff session', () => {
  test('ends with the sign-out', async () => {
    const staff = await makeStaff(server, ['auditor'])
    expect((await call(server, officeLogout, { as: staff })).status).toBe(200)
    expect((await call(server, officeCurrent, { as: staff })).status).toBe(401)
  })

  test('gets a new token after half of its lifetime', async () => {
    const staff = await makeStaff(server, ['compliance'])
    expect((await call(server, officeCurrent, { as: staff })).answer.token).toBeUndefined()
    const { token } = staff
    server.clock.turn(14 * 60)
    await call(server, officeCurrent, { as: token })
    server.clock.turn(2 * 60)
    expect((await call(server, officeCurrent, { as: token })).answer.token).toBeDefined()
  })

  test('ends after 15 minutes without activity, and after eight hours at the latest', async () => {
    const current = (as: string, headers = {}) => call(server, officeCurrent, { as, headers })
    let { token } = await enrolStaff()
    for (let turn = 0; turn < 34; turn += 1) {
      server.clock.turn(14 * 60)
      token = (await current(token)).answer.token ?? token
    }
    server.clock.turn(4 * 60 - 1)
    expect((await current(token)).status).toBe(200)
    server.clock.turn(1)
    expect((await current(token)).status).toBe(401)
    const idle = await enrolStaff()
    server.clock.turn(14 * 60)
    expect((await current(idle.token, { 'x-background': '1' })).status).toBe(200)
    server.clock.turn(60)
    expect((await current(idle.token)).status).toBe(401)
  })

  test('ends when a fifth newer one begins; a sign-in with a new browser sends an email', async () => {
    const { id, email, secret, token } = await enrolStaff()
    const life = { idleSeconds: 900, lifeSeconds: 28_800, device: 'known', address: '127.0.0.1', proved: true }
    for (let turn = 0; turn < 4; turn += 1) {
      server.clock.turn(10)
      await transaction(server.dependencies.pool, (tx) =>
        beginSession(tx, { audience: 'office', staffId: id, ...life }, server.clock.now()),
      )
    }
    expect((await call(server, officeCurrent, { as: token })).status).toBe(200)
    const { ticket } = (await login(email)).answer
    const body = { ticket, code: codeOf(secret) }
    await call(server, officeSecondFactor, { body, headers: { 'user-agent': 'Firefox/121.0' } })
    expect((await call(server, officeCurrent, { as: token })).status).toBe(401)
    expect((await mailsTo(server, email)).map(({ kind }) => kind)).toEqual(['staff-new-device'])
  })

  test('from a new country sends an email, although the browser is known', async () => {
    const { id, email, secret } = await enrolStaff()
    server.clock.turn(30)
    const table = {
      builtAt: server.clock.now(),
      countryOf: (address: string) => (address === '127.9.0.1' ? 'DE' : 'PT'),
    }
    await run(server.dependencies.pool, sql`update sessions set address = '127.9.0.1' where staff_id = ${id}`)
    const spy = vi.spyOn(server.dependencies.ipLocations, 'table').mockResolvedValue(table)
    const { ticket } = (await login(email)).answer
    await call(server, officeSecondFactor, { body: { ticket, code: codeOf(secret) } })
    spy.mockRestore()
    expect(await mailsTo(server, email)).toMatchObject([{ kind: 'staff-new-device', facts: { isKnownDevice: true } }])
  })

  test('continues after its password change, which ends the others', async () => {
    const { email, secret, token } = await enrolStaff()
    server.clock.turn(30)
    const { ticket } = (await login(email)).answer
    const other = (await call(server, officeSecondFactor, { body: { ticket, code: codeOf(secret) } })).answer.token
    const wrong = await call(server, officeChangePassword, {
      as: token,
      body: { currentPassword: 'Wrong-password-12', password: 'Copper-meadow-9912' },
    })
    expect(wrong.failure.code).toBe('password-incorrect')
    const kinds = async () => (await mailsTo(server, email)).map(({ kind }) => kind)
    const before = await kinds()
    const { answer } = await call(server, officeChangePassword, {
      as: token,
      body: { currentPassword: staffPassword, password: 'Copper-meadow-9912' },
    })
    expect(await kinds()).toEqual([...before, 'staff-password-changed'])
    expect((await call(server, officeCurrent, { as: answer.token })).status).toBe(200)
    for (const ended of [token, other]) expect((await call(server, officeCurrent, { as: ended })).status).toBe(401)
    expect((await login(email)).failure.code).toBe('staff-email-or-password')
  })

  test('cannot change a password that was changed in the meantime', async () => {
    const { id, email, token } = await enrolStaff()
    const byAnother = await hashPassword('Another-lantern-99')
    const body = { currentPassword: staffPassword, password: 'Copper-meadow-9912' }
    const change = () => call(server, officeChangePassword, { as: token, body })
    const underWay: ReturnType<typeof change>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from staff where id = ${id} for update`)
      underWay.push(change())
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`update staff set password_hash = ${byAnother} where id = ${id}`)
    })
    expect((await Promise.all(underWay)).map(({ failure }) => failure.code)).toEqual(['password-incorrect'])
    expect((await login(email, 'Copper-meadow-9912')).status).toBe(401)
  })

  test('of a client gives no access to the back office', async () => {
    const client = await makeClient(server)
    expect((await call(server, officeCurrent, { as: client })).status).toBe(401)
  })
})
