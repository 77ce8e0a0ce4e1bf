import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { assignItem, listInbox } from '#contract/office/inbox.ts'
import { officeCurrent, officeLogin, openInvitation } from '#contract/office/session.ts'
import * as office from '#contract/office/staff.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { oneTimeIdOf } from '#server/auth/one-time-links.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { unixSeconds } from '#server/mail/send-mail.ts'
import { call, goodPassword, makeStaff, startTestServer, type MadeStaff } from '../../../tests/factories.ts'

const server = serverForFile()
const first = staffForFile(server, ['administrator'], { name: 'Ada First' })
const second = staffForFile(server, ['administrator'], { name: 'Sam Second' })
const clerk = staffForFile(server, ['operations'])
const auditor = staffForFile(server, ['auditor'])

const versionOf = async (id: string) =>
  (await row<{ version: number }>(server.dependencies.pool, sql`select version from staff where id = ${id}`))
    ?.version ?? 0

function invitation(roles: readonly StaffRole[]) {
  const email = `new-${Math.random().toString(36).slice(2)}@example.com`
  return { name: 'Noor Haddad', email, roles, language: 'de', reason: 'joins the team' }
}

const invite = (as: MadeStaff, roles: readonly StaffRole[]) =>
  call(server, office.inviteStaff, { as, body: invitation(roles) })
const requestRoleChange = async (as: MadeStaff, id: string, roles: readonly StaffRole[]) =>
  call(server, office.changeRoles, {
    as,
    params: { id },
    body: { roles, reason: 'new duties', version: await versionOf(id) },
  })
const approve = (as: MadeStaff, id: string, version = 1) =>
  call(server, office.approveStaffChange, { as, params: { id }, body: { version, note: '' } })

/** The pending change of a person, as the second administrator reads it. */
const pendingOf = async (id: string) =>
  (await call(server, office.getStaffMember, { as: second, params: { id } })).answer.staff.pending
const inviteAgain = async (id: string) =>
  call(server, office.inviteStaffAgain, { as: first, params: { id }, body: { version: await versionOf(id), note: '' } })

async function mailTo(staffId: string) {
  return row<{ link: string }>(
    server.dependencies.pool,
    sql`select payload -> 'facts' ->> 'link' as link from operations where kind = 'mail' and record = ${staffId} order by created_at desc, id desc limit 1`,
  )
}

describe('an invitation', () => {
  test('that a second administrator has approved sends an email with a valid link', async () => {
    const { id } = (await invite(first, ['compliance'])).answer
    expect((await approve(second, (await pendingOf(id))?.id ?? '')).answer.state).toBe('approved')
    const mail = await mailTo(id)
    const { answer } = await call(server, openInvitation, {
      body: { id: oneTimeIdOf(server.dependencies.keys, mail?.link ?? '') },
    })
    expect(answer.roles).toEqual(['compliance'])
    const life = await row(
      server.dependencies.pool,
      sql`select extract(epoch from expires_at - created_at)::int / 3600 as hours from one_time_links where staff_id = ${id}`,
    )
    expect(life).toEqual({ hours: 72 })
  })

  test.each(staffRoles)('of the role %s has no link before a second administrator approves it', async (role) => {
    const { id } = (await invite(first, [role])).answer
    expect(await mailTo(id)).toBeNull()
    expect((await inviteAgain(id)).failure.code).toBe('change-waits')
    const [change] = (await call(server, office.listStaffChanges, { as: second })).answer.rows.filter(
      ({ staff }) => staff.id === id,
    )
    const { staff } = (await call(server, office.getStaffMember, { as: second, params: { id } })).answer
    expect(change).toMatchObject({ from: [], to: [role], invites: staff.email })
    const { items } = (await call(server, listInbox, { as: second, query: { kind: 'staff_change' } })).answer
    const summary = { staff: 'Noor Haddad', email: staff.email, to: role }
    expect(items.find(({ record }) => record === change?.id)).toMatchObject({ mine: true, summary })
    expect((await approve(first, change?.id ?? '')).failure.code).toBe('own-act')
    expect(await mailTo(id)).toBeNull()
    expect((await approve(second, change?.id ?? '')).answer.state).toBe('approved')
    expect(await mailTo(id)).not.toBeNull()
    expect((await inviteAgain(id)).answer.state).toBe('invited')
  })

  test('that is rejected or cancelled has no effect, and a new one requires two administrators again', async () => {
    const { id } = (await invite(first, ['operations'])).answer
    const reject = { params: { id: (await pendingOf(id))?.id ?? '' }, body: { version: 1, reason: 'not agreed' } }
    expect((await call(server, office.rejectStaffChange, { as: second, ...reject })).status).toBe(200)
    const stateOf = async () =>
      (await call(server, office.getStaffMember, { as: second, params: { id } })).answer.staff.state
    expect(await stateOf()).toBe('deactivated')
    expect((await inviteAgain(id)).answer.state).toBe('invited')
    const cancel = { params: { id: (await pendingOf(id))?.id ?? '' }, body: { version: 1, note: '' } }
    expect((await call(server, office.cancelStaffChange, { as: second, ...cancel })).failure.code).toBe('not-your-act')
    expect((await call(server, office.cancelStaffChange, { as: first, ...cancel })).status).toBe(200)
    expect(await stateOf()).toBe('deactivated')
    expect((await inviteAgain(id)).answer.state).toBe('invited')
    expect(await mailTo(id)).toBeNull()
    expect((await approve(second, (await pendingOf(id))?.id ?? '')).status).toBe(200)
    expect(await mailTo(id)).not.toBeNull()
  })

  test('of a deactivated person requires a second administrator, and the earlier password opens nothing', async () => {
    const person = await makeStaff(server, ['operations'])
    const leave = { params: { id: person.id }, body: { version: await versionOf(person.id), reason: 'left' } }
    expect((await call(server, office.deactivateStaff, { as: first, ...leave })).status).toBe(200)
    expect((await inviteAgain(person.id)).answer.state).toBe('invited')
    expect(await mailTo(person.id)).toBeNull()
    const login = { body: { email: person.email, password: goodPassword } }
    expect((await call(server, officeLogin, login)).failure.code).toBe('staff-email-or-password')
    expect((await pendingOf(person.id))?.invites).toBe(person.email)
  })

  test('locks the administrators before the person, like every other change, so that two changes cannot deadlock', async () => {
    const person = await makeStaff(server, ['operations'])
    const leave = { params: { id: person.id }, body: { version: await versionOf(person.id), reason: 'left' } }
    await call(server, office.deactivateStaff, { as: first, ...leave })
    let again: ReturnType<typeof inviteAgain> | undefined
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from staff where id = ${first.id} for update`)
      again = inviteAgain(person.id)
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`select 1 from staff where id = ${person.id} for update nowait`)
    })
    expect((await again)?.answer.state).toBe('invited')
  })

  test('is rejected while there is no second administrator', async () => {
    const alone = await startTestServer()
    try {
      const only = await makeStaff(alone, ['administrator'])
      const left = await makeStaff(alone, ['operations'])
      const leave = { params: { id: left.id }, body: { version: 1, reason: 'left' } }
      await call(alone, office.deactivateStaff, { as: only, ...leave })
      const again = { params: { id: left.id }, body: { version: 2, note: '' } }
      const refusals = [
        await call(alone, office.inviteStaff, { as: only, body: invitation(['operations']) }),
        await call(alone, office.inviteStaffAgain, { as: only, ...again }),
      ]
      expect(refusals.map(({ failure }) => failure.code)).toEqual(Array(2).fill('second-administrator-missing'))
      const { staff } = (await call(alone, office.getStaffMember, { as: only, params: { id: left.id } })).answer
      const shown = staff.verbs.find(({ verb }) => verb === 'inviteAgain')
      expect(shown?.refusal?.code).toBe('second-administrator-missing')
    } finally {
      await alone.stop()
    }
  })

  test('is rejected for existing staff, for an auditor with a second role, and from other roles', async () => {
    const known = { ...invitation(['operations']), email: clerk.email }
    expect((await call(server, office.inviteStaff, { as: first, body: known })).failure.code).toBe('staff-known')
    expect((await invite(first, ['auditor', 'finance'])).failure.code).toBe('auditor-alone')
    expect((await invite(clerk, ['operations'])).failure.code).toBe('wrong-role')
    expect((await invite(auditor, ['operations'])).failure.code).toBe('wrong-role')
  })
})

describe('a change of roles', () => {
  test('takes effect at the next request, once another administrator has approved it', async () => {
    const staff = await makeStaff(server, ['operations'])
    const { changeId } = (await requestRoleChange(first, staff.id, ['finance'])).answer
    expect((await call(server, officeCurrent, { as: staff })).answer.staff.roles).toEqual(['operations'])
    const { items } = (await call(server, listInbox, { as: second, query: { kind: 'staff_change' } })).answer
    expect(items.find(({ record }) => record === changeId)?.mine).toBe(true)
    expect((await approve(second, changeId)).answer.state).toBe('approved')
    expect((await call(server, officeCurrent, { as: staff })).answer.staff.roles).toEqual(['finance'])
  })

  test('cannot be decided by the person who requested it, by the person it concerns, or twice', async () => {
    const { changeId } = (await requestRoleChange(first, second.id, ['finance'])).answer
    expect((await approve(first, changeId)).failure.code).toBe('own-act')
    expect((await approve(second, changeId)).failure.code).toBe('own-roles')
    expect(
      (await call(server, office.cancelStaffChange, { as: second, params: { id: changeId }, body: { version: 1 } }))
        .failure.code,
    ).toBe('not-your-act')
    await call(server, office.cancelStaffChange, { as: first, params: { id: changeId }, body: { version: 1 } })
    const third = await makeStaff(server, ['administrator'])
    expect((await approve(third, changeId)).status).toBe(409)
    await run(server.dependencies.pool, sql`update staff set state = 'deactivated' where id = ${third.id}`)
  })

  test('is rejected for one’s own roles, without a change, on a stale page, and while another change is pending', async () => {
    const staff = await makeStaff(server, ['operations'])
    expect((await requestRoleChange(first, first.id, ['finance'])).failure.code).toBe('own-roles')
    expect((await requestRoleChange(first, staff.id, ['operations'])).failure.code).toBe('setting-unchanged')
    const stale = { roles: ['finance'], reason: 'x', version: 7 }
    expect(
      (await call(server, office.changeRoles, { as: first, params: { id: staff.id }, body: stale })).failure.code,
    ).toBe('stale-page')
    await requestRoleChange(first, staff.id, ['finance'])
    expect((await requestRoleChange(second, staff.id, ['compliance'])).failure.code).toBe('change-waits')
    expect((await requestRoleChange(clerk, staff.id, ['compliance'])).failure.code).toBe('wrong-role')
  })

  test('succeeds for one of two simultaneous approvals', async () => {
    const staff = await makeStaff(server, ['operations'])
    const third = await makeStaff(server, ['administrator'])
    const { changeId } = (await requestRoleChange(first, staff.id, ['finance'])).answer
    const tries = await Promise.all([approve(second, changeId), approve(third, changeId)])
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await run(server.dependencies.pool, sql`update staff set state = 'deactivated' where id = ${third.id}`)
  })
})

test('invitations that one person approves at the same time are all sent', async () => {
  const ids = await Promise.all(staffRoles.map(async (role) => (await invite(first, [role])).answer.id))
  const changes = await Promise.all(ids.map(pendingOf))
  const underWay: ReturnType<typeof approve>[] = []
  await transaction(server.dependencies.jobs, async (tx) => {
    await run(tx, sql`select 1 from staff for update`)
    underWay.push(...changes.map((change) => approve(second, change?.id ?? '')))
    await waitForBlockedConnections(server.dependencies.pool, underWay.length)
  })
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual(ids.map(() => 200))
})

describe('access of staff', () => {
  test('ends immediately when the person is deactivated', async () => {
    const staff = await makeStaff(server, ['finance'])
    const body = { version: await versionOf(staff.id), reason: 'left' }
    expect(
      (await call(server, office.deactivateStaff, { as: clerk, params: { id: staff.id }, body })).failure.code,
    ).toBe('wrong-role')
    expect(
      (await call(server, office.deactivateStaff, { as: first, params: { id: staff.id }, body })).answer.state,
    ).toBe('deactivated')
    expect((await call(server, officeCurrent, { as: staff })).status).toBe(401)
  })

  test('loses second factor and sessions with a reset by another administrator', async () => {
    const staff = await makeStaff(server, ['finance'])
    const body = { version: await versionOf(staff.id), reason: 'phone lost' }
    expect((await call(server, office.resetFactor, { as: first, params: { id: first.id }, body })).failure.code).toBe(
      'own-account',
    )
    await call(server, office.resetFactor, { as: first, params: { id: staff.id }, body })
    expect(await mailsTo(server, staff.email)).toMatchObject([
      { kind: 'staff-second-factor-reset', facts: { by: 'Ada First', at: unixSeconds(server.clock.now()) } },
    ])
    expect((await call(server, officeCurrent, { as: staff })).status).toBe(401)
    expect(
      (await call(server, office.getStaffMember, { as: first, params: { id: staff.id } })).answer.staff.secondFactor,
    ).toBe(false)
    expect((await call(server, office.resetFactor, { as: first, params: { id: staff.id }, body })).failure.code).toBe(
      'stale-page',
    )
    expect(await mailsTo(server, staff.email)).toHaveLength(1)
  })

  test('remains for the last administrator when two deactivate each other', async () => {
    const alone = await startTestServer()
    try {
      const only = await makeStaff(alone, ['administrator'])
      const other = await makeStaff(alone, ['administrator'])
      const deactivate = (as: MadeStaff, { id }: MadeStaff) =>
        call(alone, office.deactivateStaff, { as, params: { id }, body: { version: 1, reason: 'x' } })
      const underWay: ReturnType<typeof deactivate>[] = []
      await transaction(alone.dependencies.jobs, async (tx) => {
        await run(tx, sql`select 1 from staff for update`)
        underWay.push(deactivate(only, other), deactivate(other, only))
        // Both requests are authorized, but neither has been decided.
        await waitForBlockedConnections(alone.dependencies.pool, 2)
      })
      const tries = await Promise.all(underWay)
      expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(tries.find(({ status }) => status === 409)?.failure.code).toBe('last-administrator')
      const left = await row<{ count: number }>(
        alone.dependencies.pool,
        sql`select count(*)::int as count from staff where state = 'active'`,
      )
      expect(left?.count).toBe(1)
    } finally {
      await alone.stop()
    }
  })

  test('remains for the last administrator when two approve changes of each other’s roles', async () => {
    const alone = await startTestServer()
    try {
      const asker = await makeStaff(alone, ['administrator'])
      const pair = [await makeStaff(alone, ['administrator']), await makeStaff(alone, ['administrator'])] as const
      const asked = await Promise.all(
        pair.map(({ id }) =>
          call(alone, office.changeRoles, {
            as: asker,
            params: { id },
            body: { roles: ['finance'], reason: 'new duties', version: 1 },
          }),
        ),
      )
      await run(alone.dependencies.pool, sql`update staff set state = 'deactivated' where id = ${asker.id}`)
      const approvals = await Promise.all(
        asked.map(({ answer }, place) =>
          call(alone, office.approveStaffChange, {
            as: pair[1 - place],
            params: { id: answer.changeId },
            body: { version: 1, note: '' },
          }),
        ),
      )
      expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await row<{ count: number }>(
        alone.dependencies.pool,
        sql`select count(*)::int as count from staff where state = 'active' and 'administrator' = any (roles)`,
      )
      expect(left?.count).toBe(1)
    } finally {
      await alone.stop()
    }
  })

  test('that is removed unassigns the items that the person can no longer decide', async () => {
    const person = await makeStaff(server, ['operations', 'finance'])
    const now = server.clock.now()
    const records = { correction: randomUUID(), transfer: randomUUID() }
    for (const [kind, record] of Object.entries(records))
      await transaction(server.dependencies.pool, (tx) =>
        openWorkItem(tx, kind, record, now, { state: 'pending', dueAt: now, summary: {} }),
      )
    const items = async () => {
      const { items: all } = (await call(server, listInbox, { as: first })).answer
      return Object.values(records).map((record) => all.find((one) => one.record === record))
    }
    for (const one of await items())
      await call(server, assignItem, { as: first, params: { id: one?.id ?? '' }, body: { to: person.id } })
    expect((await items()).map((one) => one?.assignee?.id)).toEqual([person.id, person.id])
    const { changeId } = (await requestRoleChange(first, person.id, ['operations'])).answer
    expect((await approve(second, changeId)).status).toBe(200)
    expect((await items()).map((one) => one?.assignee?.id)).toEqual([undefined, person.id])
  })

  test('is visible to the auditor, with every action refused', async () => {
    const { rows } = (await call(server, office.listStaff, { as: auditor })).answer
    expect(rows.flatMap(({ verbs }) => verbs).every(({ refusal }) => refusal !== null)).toBe(true)
    expect((await call(server, office.listStaff, { as: clerk })).failure.code).toBe('wrong-role')
  })
})
