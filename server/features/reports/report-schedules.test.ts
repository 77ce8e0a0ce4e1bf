/** Reports scheduled by email (requirements 24.10, 24.56). */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { searchAudit } from '#contract/office/records.ts'
import {
  changeReportSchedule,
  listReportSchedules,
  removeReportSchedule,
  scheduleReport,
} from '#contract/office/report-schedules.ts'
import { fundingReport } from '#contract/office/reports.ts'
import { getStaffMember, listStaff } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import { run } from '#server/db/sql.ts'
import { scheduledTasks } from '#server/features.ts'
import {
  call,
  makeClient,
  makeStaff,
  applySetting,
  staffTokenFor,
  startTestServer,
  type MadeStaff,
  type TestServer,
} from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { mailsTo } from '#tests/mails.ts'

/** A Wednesday. */
const begin = new Date('2026-11-18T10:00:00Z')
const server = serverForFile({ now: begin })
beforeEach(() => server.clock.set(begin))

const weekly = { report: 'funding', frequency: 'weekly', step: 'week', asTable: true }
const schedule = (as: MadeStaff, change: object = {}) =>
  call(server, scheduleReport, { as, body: { ...weekly, ...change } })
const listed = async (as: MadeStaff) => (await call(server, listReportSchedules, { as })).answer.schedules
/** Signs the same person in again after the end of the session. */
const signInAgain = async (staff: MadeStaff) => ({ ...staff, ...(await staffTokenFor(server, staff)) })

async function runSchedulesAt(at: string, of: TestServer = server): Promise<void> {
  server.clock.set(new Date(at))
  const task = scheduledTasks(of.dependencies).find(({ name }) => name === 'mail-reports')
  await task?.run(server.clock.now())
}
const periods = async ({ email }: MadeStaff) =>
  (await mailsTo(server, email)).map(({ kind, facts }) => `${kind} ${String(facts['from'])}`)
const setRoles = ({ id }: MadeStaff, roles: readonly StaffRole[]) =>
  run(server.dependencies.pool)`update staff set roles = ${[...roles]}::text[] where id = ${id}`

test('a weekly report is emailed on the following Monday at 6:00 in the firm’s time zone, with a link to the period', async () => {
  const finance = await makeStaff(server, ['finance'])
  expect((await schedule(finance)).status).toBe(201)
  expect(await listed(finance)).toMatchObject([
    { ...weekly, from: '2026-11-09', to: '2026-11-15', nextAt: new Date('2026-11-23T06:00:00Z'), paused: false },
  ])
  await runSchedulesAt('2026-11-23T05:59:59Z')
  expect(await periods(finance)).toEqual([])
  await runSchedulesAt('2026-11-23T06:00:00Z')
  await runSchedulesAt('2026-11-23T06:01:00Z')
  const mails = await mailsTo(server, finance.email)
  expect(mails.map(({ kind, facts }) => [kind, facts])).toEqual([
    [
      'staff-report',
      {
        report: 'funding',
        frequency: 'weekly',
        from: '2026-11-16',
        to: '2026-11-22',
        query: 'report=funding&from=2026-11-16&to=2026-11-22&by=week&show=table',
      },
    ],
  ])
  const query = { from: '2026-11-16', to: '2026-11-22', by: 'week' }
  expect((await call(server, fundingReport, { as: await signInAgain(finance), query })).status).toBe(200)
  expect((await listed(await signInAgain(finance)))[0]?.nextAt).toEqual(new Date('2026-11-30T06:00:00Z'))
})

test('a monthly report is emailed on the first of the following month in the firm’s time zone', async () => {
  const firm = await server.dependencies.settings.get('firm')
  await applySetting(server, 'firm', { ...firm, timeZone: 'America/New_York' })
  onTestFinished(() => applySetting(server, 'firm', firm))
  const finance = await makeStaff(server, ['finance'])
  await schedule(finance, { frequency: 'monthly', report: 'conversion' })
  await runSchedulesAt('2026-12-01T10:59:59Z')
  expect(await periods(finance)).toEqual([])
  await runSchedulesAt('2026-12-01T11:00:00Z')
  expect(await periods(finance)).toEqual(['staff-report 2026-11-01'])
})

test('several servers email each period once, including periods during which no server ran', async () => {
  const second = await startTestServer({ beside: server })
  onTestFinished(() => second.stop())
  const finance = await makeStaff(server, ['finance'])
  await schedule(finance)
  for (let minute = 0; minute < 4; minute += 1) {
    const at = `2026-12-08T09:0${minute}:00Z`
    await Promise.all([runSchedulesAt(at), runSchedulesAt(at, second), runSchedulesAt(at), runSchedulesAt(at, second)])
  }
  expect(await periods(finance)).toEqual([
    'staff-report 2026-11-16',
    'staff-report 2026-11-23',
    'staff-report 2026-11-30',
  ])
})

test('a period emailed while the clock was ahead is not emailed again', async () => {
  const finance = await makeStaff(server, ['finance'])
  const { id } = (await schedule(finance)).answer
  await runSchedulesAt('2026-11-23T07:00:00Z')
  server.clock.set(begin)
  for (const frequency of ['monthly', 'weekly']) {
    const body = { frequency, step: 'day', asTable: false }
    expect((await call(server, changeReportSchedule, { as: finance, params: { id }, body })).status).toBe(200)
  }
  await runSchedulesAt('2026-11-23T07:00:00Z')
  await runSchedulesAt('2026-11-30T07:00:00Z')
  expect(await periods(finance)).toEqual(['staff-report 2026-11-16', 'staff-report 2026-11-23'])
})

test('the schedule of a person without permission is paused, sends nothing for that time, and resumes with the permission', async () => {
  const shown = { shown: true, documents: '', clients: '', enquiries: '', other: '' }
  const head = await makeStaff(server, ['finance'])
  const administrator = await makeStaff(server, ['administrator'])
  const off = await server.dependencies.settings.get('decisionsByPerson')
  onTestFinished(() => applySetting(server, 'decisionsByPerson', off))
  expect((await schedule(head, { report: 'approvals' })).failure.code).toBe('wrong-role')
  await applySetting(server, 'decisionsByPerson', { ...shown, money: head.email })
  const { id } = (await schedule(head, { report: 'approvals' })).answer
  await applySetting(server, 'decisionsByPerson', { ...shown, money: '' })
  expect(await listed(head)).toMatchObject([{ id, paused: true }])
  await runSchedulesAt('2026-11-23T07:00:00Z')
  await runSchedulesAt('2026-11-30T07:00:00Z')
  expect(await periods(head)).toEqual([])
  await applySetting(server, 'decisionsByPerson', { ...shown, money: head.email })
  expect(await listed(await signInAgain(head))).toMatchObject([{ id, paused: false }])
  await runSchedulesAt('2026-12-07T07:00:00Z')
  expect(await periods(head)).toEqual(['staff-report 2026-11-30'])
  const audit = await call(server, searchAudit, {
    as: await signInAgain(administrator),
    query: { kind: 'report_schedule' },
  })
  const verbs = audit.answer.rows.filter(({ record }) => record === id).map(({ verb }) => verb)
  expect(verbs.toReversed()).toEqual(['create', 'pause', 'resume', 'send'])
})

test('after a change to a role without reports a person gets no email and no report; administrators see the paused schedule', async () => {
  const staff = await makeStaff(server, ['finance'])
  await schedule(staff)
  await setRoles(staff, ['operations'])
  await runSchedulesAt('2026-11-23T07:00:00Z')
  expect(await periods(staff)).toEqual([])
  const paused = async () => {
    const as = await makeStaff(server, ['administrator'])
    const { rows } = (await call(server, listStaff, { as })).answer
    const one = (await call(server, getStaffMember, { as, params: { id: staff.id } })).answer.staff
    expect(rows.find(({ id }) => id === staff.id)?.pausedReports).toEqual(one.pausedReports)
    return one.pausedReports
  }
  expect(await paused()).toEqual([{ report: 'funding', frequency: 'weekly' }])
  const later = await signInAgain(staff)
  expect((await call(server, listReportSchedules, { as: later })).failure.code).toBe('wrong-role')
  const query = { from: '2026-11-16', to: '2026-11-22' }
  expect((await call(server, fundingReport, { as: later, query })).failure.code).toBe('wrong-role')
  await setRoles(staff, ['finance'])
  expect(await paused()).toEqual([])
})

test('the schedules of a deactivated person are deleted, even if the person is invited again', async () => {
  const staff = await makeStaff(server, ['finance'])
  await schedule(staff)
  await run(server.dependencies.pool)`update staff set state = 'deactivated' where id = ${staff.id}`
  await runSchedulesAt('2026-11-18T10:01:00Z')
  await run(server.dependencies.pool)`update staff set state = 'active' where id = ${staff.id}`
  expect(await listed(staff)).toEqual([])
  await runSchedulesAt('2026-11-23T07:00:00Z')
  expect(await periods(staff)).toEqual([])
})

test('a schedule is private to its owner, who can have one per report and frequency, change it and delete it', async () => {
  const [owner, other] = [await makeStaff(server, ['auditor']), await makeStaff(server, ['compliance'])]
  const both = await Promise.all([schedule(owner), schedule(owner)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect((await schedule(owner, { frequency: 'monthly' })).status).toBe(201)
  expect(await listed(other)).toEqual([])
  const [first, second] = await listed(owner)
  const params = { id: first?.id ?? '' }
  const body = { frequency: 'weekly', step: 'day', asTable: false }
  for (const [as, change, status] of [
    [other, body, 404],
    [owner, { ...body, frequency: 'monthly' }, 409],
    [owner, { ...body, frequency: 'daily' }, 400],
    [owner, body, 200],
  ] as const)
    expect((await call(server, changeReportSchedule, { as, params, body: change })).status).toBe(status)
  expect(await listed(owner)).toMatchObject([{ ...params, ...body }, { id: second?.id }])
  expect((await call(server, removeReportSchedule, { as: other, params })).status).toBe(404)
  expect((await call(server, removeReportSchedule, { as: owner, params })).status).toBe(200)
  expect((await call(server, removeReportSchedule, { as: owner, params })).status).toBe(404)
  expect(await listed(owner)).toMatchObject([{ id: second?.id }])
  expect((await call(server, scheduleReport, { as: await makeClient(server), body: weekly })).status).toBe(401)
  expect((await schedule(await makeStaff(server, ['operations']))).failure.code).toBe('wrong-role')
})
