/**
 * Absences of staff: who sets them, which days they may have, and where colleagues see them (requirements 24.73 on).
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endAbsence, endMyAbsence, setAbsence, setMyAbsence } from '#contract/office/absences.ts'
import { getDocumentCase, listDocumentCases } from '#contract/office/documents.ts'
import { assignItem, getInboxItem, listAssignees, listInbox, listMentionable } from '#contract/office/inbox.ts'
import { overview } from '#contract/office/overview.ts'
import { exportList } from '#contract/office/list-export.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { deactivateStaff, getStaffMember, listStaff } from '#contract/office/staff.ts'
import { transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import {
  call,
  makeClient,
  makeStaff,
  staffTokenFor,
  startTestServer,
  type MadeStaff,
} from '../../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'

/** A Friday in London, the firm's time zone, during summer time. */
const friday = new Date('2026-06-19T09:44:00Z')

const server = serverForFile({ now: friday })
const administrator = staffForFile(server, ['administrator'], { name: 'Ruth Calder' })
const clerk = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const colleague = staffForFile(server, ['operations'], { name: 'Anna Berg' })
const auditor = staffForFile(server, ['auditor'], { name: 'Greta Lund' })

const ownAccount = async (as: MadeStaff) => (await call(server, officeCurrent, { as })).answer.staff
const member = async (id: string) =>
  (await call(server, getStaffMember, { as: administrator, params: { id } })).answer.staff

/** Sets the person's own absence and removes it at the end of the test. */
async function setOwnAbsence(as: MadeStaff, from: string, until: string) {
  const { absence: before } = await ownAccount(as)
  onTestFinished(async () => {
    const { absence } = await ownAccount(as)
    if (absence) await call(server, endMyAbsence, { as, body: { before: absence } })
  })
  return call(server, setMyAbsence, { as, body: { from, until, before } })
}

describe('setting an absence', () => {
  test('is allowed to all staff for themselves, including auditors, and changes no role', async () => {
    for (const as of [clerk, auditor]) {
      expect((await setOwnAbsence(as, '2026-06-19', '2026-06-26')).status).toBe(200)
      const { absence, roles } = await ownAccount(as)
      expect(absence).toEqual({ from: '2026-06-19', until: '2026-06-26', isNow: true })
      expect(roles).toEqual(as === clerk ? ['operations'] : ['auditor'])
    }
  })

  test('for others is allowed only to administrators', async () => {
    const days = { from: '2026-06-19', until: '2026-06-22' }
    const input = { params: { id: colleague.id }, body: { ...days, before: null } }
    for (const as of [clerk, auditor])
      expect((await call(server, setAbsence, { as, ...input })).failure.code).toBe('wrong-role')
    expect((await call(server, setAbsence, { as: administrator, ...input })).status).toBe(200)
    expect((await ownAccount(colleague)).absence?.until).toBe('2026-06-22')
    const end = { params: input.params, body: { before: days } }
    expect((await call(server, endAbsence, { as: clerk, ...end })).failure.code).toBe('wrong-role')
    expect((await call(server, endAbsence, { as: administrator, ...end })).status).toBe(200)
    expect((await ownAccount(colleague)).absence).toBeNull()
  })

  test('is rejected for deactivated and unknown staff, and deactivation ends an absence', async () => {
    const leaver = await makeStaff(server, ['operations'])
    const params = { id: leaver.id }
    const days = { from: '2026-06-19', until: '2026-06-22' }
    await call(server, setAbsence, { as: administrator, params, body: { ...days, before: null } })
    await call(server, deactivateStaff, { as: administrator, params, body: { version: 1, reason: 'left' } })
    const after = await member(leaver.id)
    expect(after.absence).toBeNull()
    const body = { ...days, before: null }
    expect((await call(server, setAbsence, { as: administrator, params, body })).failure.code).toBe('wrong-state')
    expect(after.verbs.find(({ verb }) => verb === 'setAbsence')?.refusal?.code).toBe('wrong-state')
    const unknown = { as: administrator, params: { id: randomUUID() }, body }
    expect((await call(server, setAbsence, unknown)).failure.code).toBe('not-found')
  })

  test('is in the audit log with both days and the person who set it', async () => {
    await setOwnAbsence(clerk, '2026-06-20', '2026-06-21')
    const before = { from: '2026-06-20', until: '2026-06-21' }
    await call(server, endAbsence, { as: administrator, params: { id: clerk.id }, body: { before } })
    const { timeline } = (await call(server, getStaffMember, { as: auditor, params: { id: clerk.id } })).answer
    const days = { awayFrom: '2026-06-20', awayUntil: '2026-06-21' }
    expect(timeline.filter(({ verb }) => verb.endsWith('Absence')).slice(0, 2)).toMatchObject([
      { verb: 'endAbsence', actor: { name: 'Ruth Calder' }, before: days, after: { staff: 'Tom Reyes' } },
      { verb: 'setAbsence', actor: { name: 'Tom Reyes' }, before: null, after: days },
    ])
  })

  test('on a stale page changes nothing', async () => {
    await setOwnAbsence(clerk, '2026-06-20', '2026-06-21')
    for (const before of [null, { from: '2026-06-20', until: '2026-06-22' }]) {
      const body = { from: '2026-06-20', until: '2026-06-30', before }
      expect((await call(server, setMyAbsence, { as: clerk, body })).failure.code).toBe('stale-page')
      expect((await call(server, endMyAbsence, { as: clerk, body: { before } })).failure.code).toBe('stale-page')
    }
    expect((await ownAccount(clerk)).absence?.until).toBe('2026-06-21')
  })

  test('without a change, or ending an absence that does not exist, is rejected', async () => {
    await setOwnAbsence(clerk, '2026-06-20', '2026-06-21')
    expect((await setOwnAbsence(clerk, '2026-06-20', '2026-06-21')).failure.code).toBe('setting-unchanged')
    const end = { as: colleague, body: { before: null } }
    expect((await call(server, endMyAbsence, end)).failure.code).toBe('setting-unchanged')
  })

  test('does not make the administrator’s page for deactivating the person stale', async () => {
    const leaver = await makeStaff(server, ['operations'])
    const { version } = await member(leaver.id)
    const days = { from: '2026-06-20', until: '2026-06-21', before: null }
    expect((await call(server, setMyAbsence, { as: leaver, body: days })).status).toBe(200)
    const left = { params: { id: leaver.id }, body: { version, reason: 'left' } }
    expect((await call(server, deactivateStaff, { as: administrator, ...left })).status).toBe(200)
  })

  test('is limited to 30 times an hour', async () => {
    const restless = await makeStaff(server, ['auditor'])
    const replies = []
    for (let again = 0; again < 31; again += 1)
      replies.push(await call(server, endMyAbsence, { as: restless, body: { before: null } }))
    expect(replies.at(-2)?.failure.code).toBe('setting-unchanged')
    expect(replies.at(-1)?.failure.code).toBe('too-many')
  })
})

describe('the days of an absence', () => {
  test.each([
    ['2026-06-18', '2026-06-20', 'from', 'absence-past'],
    ['2026-06-20', '2026-06-19', 'until', 'absence-order'],
    ['2026-06-20', '2027-06-20', 'until', 'absence-far'],
    ['2026-02-30', '2026-06-20', 'from', 'date-invalid'],
    ['2026-06-20', '', 'until', 'date-invalid'],
  ])('from %s until %s are rejected with the error at %s', async (from, until, field, code) => {
    const { status, failure } = await setOwnAbsence(clerk, from, until)
    expect([status, failure.code, Object.keys(failure.errors)]).toEqual([400, code, [field]])
  })

  test('end with the last day in the firm’s time zone, not in UTC', async () => {
    const zoned = await startTestServer({ now: new Date('2026-06-19T22:59:59Z') })
    try {
      const person = await makeStaff(zoned, ['operations'])
      const now = async () => (await call(zoned, officeCurrent, { as: person })).answer.staff
      const body = { from: '2026-06-19', until: '2026-06-19', before: null }
      expect((await call(zoned, setMyAbsence, { as: person, body })).status).toBe(200)
      expect((await now()).absence?.isNow).toBe(true)
      // 00:00 in London.
      zoned.clock.turn(1)
      expect((await now()).absence).toBeNull()
      expect((await call(zoned, setMyAbsence, { as: person, body })).failure.code).toBe('absence-past')
      const next = { from: '2026-06-21', until: '2026-06-21', before: null }
      expect((await call(zoned, setMyAbsence, { as: person, body: next })).status).toBe(200)
      expect((await now()).absence?.isNow).toBe(false)
    } finally {
      await zoned.stop()
    }
  })

  test('keep their first day while the absence lasts', async () => {
    const later = await startTestServer({ now: friday })
    try {
      const person = await makeStaff(later, ['operations'])
      const set = async (from: string, until: string, before: object | null) => {
        const as = await staffTokenFor(later, person)
        return call(later, setMyAbsence, { as, body: { from, until, before } })
      }
      expect((await set('2026-06-19', '2026-06-26', null)).status).toBe(200)
      const before = { from: '2026-06-19', until: '2026-06-26' }
      later.clock.turn(3 * 86_400)
      expect((await set('2026-06-18', '2026-06-30', before)).failure.errors).toHaveProperty('from')
      expect((await set('2026-06-19', '2026-06-21', before)).failure.errors).toHaveProperty('until')
      expect((await set('2026-06-19', '2026-06-30', before)).status).toBe(200)
    } finally {
      await later.stop()
    }
  })
})

describe('colleagues see an absence', () => {
  /** Makes an item that is due in a number of hours, assigned to a colleague. */
  async function assigned(to: MadeStaff, hours: number) {
    const record = randomUUID()
    const q = `AWAY-${record.slice(0, 8)}`
    const dueAt = new Date(friday.getTime() + hours * 3_600_000)
    const state = { state: 'pending', dueAt, summary: { reference: q } }
    await transaction(server.dependencies.pool, (tx) => openWorkItem(tx, 'withdrawal', record, friday, state))
    const [item] = (await call(server, listInbox, { as: clerk, query: { q } })).answer.items
    const id = item?.id ?? ''
    await call(server, assignItem, { as: clerk, params: { id }, body: { to: to.id } })
    return { id, q }
  }

  test('in the menu of assignees, where absent staff are last and can still be chosen', async () => {
    await setOwnAbsence(colleague, '2026-06-19', '2026-06-26')
    await setOwnAbsence(clerk, '2026-06-19', '2026-06-19')
    await setOwnAbsence(administrator, '2026-06-20', '2026-06-21')
    const query = { kind: 'withdrawal' } as const
    const { people } = (await call(server, listAssignees, { as: clerk, query })).answer
    expect(people.map(({ name, absence }) => [name, absence?.isNow])).toEqual([
      ['Tom Reyes', true],
      ['Ruth Calder', false],
      ['Anna Berg', true],
    ])
    const { id } = await assigned(colleague, 5)
    const { item } = (await call(server, getInboxItem, { as: clerk, params: { id } })).answer
    expect(item.assignee?.id).toBe(colleague.id)
  })

  test('on the assignee’s items, with whether they are due before the return; a filter shows only these items', async () => {
    const soon = await assigned(colleague, 20)
    const late = await assigned(colleague, -20)
    const after = await assigned(colleague, 24 * 8)
    const assigneeOf = async ({ q }: { q: string }, query = {}) =>
      (await call(server, listInbox, { as: clerk, query: { q, ...query } })).answer.items[0]?.assignee
    expect((await assigneeOf(soon))?.absence).toBeNull()
    expect(await assigneeOf(soon, { assigned: 'away' })).toBeUndefined()
    await setOwnAbsence(colleague, '2026-06-19', '2026-06-26')
    const absence = { from: '2026-06-19', until: '2026-06-26', isNow: true }
    for (const [item, isDueBefore] of [
      [soon, true],
      [late, true],
      [after, false],
    ] as const) {
      expect((await assigneeOf(item, { assigned: 'away' }))?.absence).toEqual({ ...absence, isDueBefore })
      const { answer } = await call(server, getInboxItem, { as: clerk, params: { id: item.id } })
      expect(answer.item.assignee?.absence).toEqual({ ...absence, isDueBefore })
    }
    const refused = await call(server, assignItem, { as: clerk, params: { id: soon.id }, body: { to: 'away' } })
    expect(refused.failure.errors).toHaveProperty('to')
  })

  test('with due dates by the firm’s time zone', async () => {
    // 23:30 on Saturday in London is Saturday; an hour later it is Sunday there but still Saturday in UTC.
    const [saturday, sunday] = [await assigned(colleague, 36.75), await assigned(colleague, 37.75)]
    await setOwnAbsence(colleague, '2026-06-19', '2026-06-20')
    for (const [{ id }, isDueBefore] of [
      [saturday, true],
      [sunday, false],
    ] as const) {
      const { answer } = await call(server, getInboxItem, { as: clerk, params: { id } })
      expect(answer.item.assignee?.absence?.isDueBefore).toBe(isDueBefore)
    }
  })

  test('in mentions, in the team of the overview, and on the page Staff', async () => {
    await setOwnAbsence(colleague, '2026-06-19', '2026-06-26')
    const absence = { from: '2026-06-19', until: '2026-06-26', isNow: true }
    const query = { kind: 'withdrawal' } as const
    const { people } = (await call(server, listMentionable, { as: clerk, query })).answer
    expect(people.find(({ id }) => id === colleague.id)?.absence).toEqual(absence)
    const { team } = (await call(server, overview, { as: clerk })).answer
    expect(team?.find(({ staff }) => staff?.id === colleague.id)?.staff?.absence).toEqual(absence)
    expect(team?.find(({ staff }) => staff?.id === clerk.id)?.staff?.absence).toBeNull()
    const { rows } = (await call(server, listStaff, { as: auditor })).answer
    expect(rows.find(({ id }) => id === colleague.id)?.absence).toEqual(absence)
  })

  test('on the page of a record and in the list of its queue', async () => {
    const client = await makeClient(server, { state: 'pending' })
    const work = { state: 'pending_approval', dueAt: friday, clientId: client.id, summary: {} }
    await transaction(server.dependencies.pool, (tx) => openWorkItem(tx, 'document', client.id, friday, work))
    const [item] = (await call(server, listInbox, { as: administrator, query: { kind: 'document' } })).answer.items
    await call(server, assignItem, { as: administrator, params: { id: item?.id ?? '' }, body: { to: 'me' } })
    const assignees = async () => {
      const { answer } = await call(server, getDocumentCase, { as: administrator, params: { id: client.id } })
      const { rows } = (await call(server, listDocumentCases, { as: administrator })).answer
      return [answer.case.item?.assignee, rows.find((row) => row.client.id === client.id)?.assignee]
    }
    const shown = (absence: object | null) => {
      const person = { id: administrator.id, name: 'Ruth Calder', absence }
      return [person, person]
    }
    expect(await assignees()).toEqual(shown(null))
    await setOwnAbsence(administrator, '2026-06-19', '2026-06-26')
    expect(await assignees()).toEqual(shown({ from: '2026-06-19', until: '2026-06-26', isNow: true }))
  })

  test('in the export of Staff, until it has ended', async () => {
    const file = async () =>
      (await call(server, exportList, { as: administrator, params: { list: 'staff' } })).bytes.toString()
    expect(await file()).toMatch(/^Anna Berg,.*,,$/m)
    await setOwnAbsence(colleague, '2026-06-20', '2026-06-26')
    expect(await file()).toMatch(/^Anna Berg,.*,2026-06-20,2026-06-26$/m)
  })
})
