/** The overview of the back office (requirements 24.1 to 24.5). */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { getClientMoneyView } from '#contract/office/accounting.ts'
import { searchClients } from '#contract/office/clients.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { exportList } from '#contract/office/list-export.ts'
import { overview } from '#contract/office/overview.ts'
import { listFailedJobs, searchAudit } from '#contract/office/records.ts'
import { clientSteps, conversionReport, decisionTimesReport, fundingReport } from '#contract/office/reports.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { dayIn, dayMs, daysAfter, instantIn, isoDay } from '#rules/dates.ts'
import { canRead } from '#rules/permissions.ts'
import type { Review } from '#rules/reviews.ts'
import { workItemAreas, type WorkItemKind } from '#rules/work-items.ts'
import { recordEvent } from '#server/db/events.ts'
import { rows, run, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { scheduledTasks } from '#server/features.ts'
import { settingDefault } from '#server/settings/defaults.ts'
import { call, makeAccount, makeClient, makeStaff, applySetting, type MadeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { makeApprovedBank } from '#tests/funded-account.ts'
import { overviewTasks } from './jobs.ts'

const hour = 3_600_000
const noon = new Date('2026-06-19T12:00:00Z')
const server = serverForFile({ now: noon })

/** Signs in again each time, because advancing the clock by hours ends sessions. */
const administrator = () => makeStaff(server, ['administrator'])
const overviewOf = async (as?: MadeStaff) =>
  (await call(server, overview, { as: as ?? (await administrator()) })).answer
const ago = (ms: number) => new Date(server.clock.now().getTime() - ms)
/** Advances the clock by an hour and runs the job. */
const runHourlyJob = async () => {
  server.clock.turn(3601)
  await runJobAt(server.clock.now())
}
/** Runs the job as of this time without advancing the clock; it runs once in an hour. */
const runJobAt = async (at: Date) =>
  scheduledTasks(server.dependencies)
    .find(({ name }) => name === 'figures')
    ?.run(at)

async function item(kind: WorkItemKind, dueInHours: number, ageHours: number) {
  const [dueAt, createdAt] = [ago(-dueInHours * hour), ago(ageHours * hour)]
  const record = randomUUID()
  await transaction(server.dependencies.pool, (tx) =>
    openWorkItem(tx, kind, record, createdAt, { state: 'pending', dueAt, summary: {} }),
  )
  return record
}

async function deposit(minor: bigint, at: Date, clientId?: string) {
  const client = clientId === undefined ? await makeClient(server) : { id: clientId, email: '' }
  const account = await makeAccount(server, client as Awaited<ReturnType<typeof makeClient>>)
  await run(server.dependencies.pool)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference, state,
        requested_at, expires_at, approved_at)
      values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', ${minor}, ${minor}, 'EUR', ${randomUUID()}, 'approved',
        ${at}, ${at}, ${at})`
}

async function withdrawal(minor: bigint, debitedAt: Date, returnedAt: Date | null = null) {
  const client = await makeClient(server)
  const account = await makeAccount(server, client)
  await run(server.dependencies.pool)`
    insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency, reference, state,
        figures, requested_at, approved_at, paid_at, returned_at)
      values (${client.id}, ${account.id}, ${await makeApprovedBank(server, client)}, '{}'::jsonb, 'wire', 'Bank Transfer', ${minor}, 0,
        'EUR', ${randomUUID()}, ${returnedAt ? 'returned' : 'approved'}, '{}'::jsonb, ${debitedAt}, ${debitedAt}, ${returnedAt && ago(0)}, ${returnedAt})`
}

async function closed(kind: WorkItemKind, closedAt: Date, tookSeconds: number, actor: 'staff' | 'client' = 'staff') {
  const by = actor === 'staff' ? (await administrator()).id : null
  await run(server.dependencies.pool)`
    insert into work_items (kind, record, state, due_at, created_at, closed_at, closed_by)
      values (${kind}, ${randomUUID()}, 'approved', ${closedAt}, ${new Date(closedAt.getTime() - tookSeconds * 1000)}, ${closedAt}, ${by})`
}

describe('queues on the overview', () => {
  test('count open and overdue items, with the oldest, the median of 7 days and the target from the settings', async () => {
    await run(server.dependencies.pool)`delete from work_items where kind = 'leverage_request'`
    await run(server.dependencies.pool)`delete from daily_figures`
    const oldest = await item('leverage_request', -1, 40)
    await item('leverage_request', 5, 10)
    for (const [took, at] of [
      [1000, 1],
      [3000, 2],
      [9000, 3],
      [90_000, 8],
    ] as const)
      await closed('leverage_request', ago(at * dayMs), took)
    // An item that a client cancels does not count as decided.
    await closed('leverage_request', ago(dayMs), 50, 'client')
    const queueOf = async () => (await overviewOf()).queues?.find(({ kind }) => kind === 'leverage_request')
    const live = await queueOf()
    expect(live).toMatchObject({
      open: 2,
      overdue: 1,
      oldest: ago(40 * hour),
      oldestRecord: oldest,
      decided: 3,
      oldestDue: ago(hour),
      target: { number: 1, unit: 'workingDays' },
    })
    expect((live?.medianSeconds ?? 0) / 3000).toBeGreaterThan(0.94)
    expect((live?.medianSeconds ?? 0) / 3000).toBeLessThan(1.06)
    // The job writes the same numbers, however often it runs.
    await runHourlyJob()
    await runHourlyJob()
    expect(await queueOf()).toMatchObject({ decided: 3, medianSeconds: live?.medianSeconds })
    const days = await rows<{ day: string }>(
      server.dependencies.pool,
    )`select day from daily_figures where figure = 'written'`
    // 61 complete days, and today as far as it is settled.
    expect(days).toHaveLength(62)
  })
})

describe('money on the overview', () => {
  test('matches the report, by day and compared with the previous period; today is included immediately', async () => {
    const { pool } = server.dependencies
    const longAgo = ago(200 * dayMs)
    await run(pool)`delete from daily_figures`
    await run(pool)`update deposits set approved_at = ${longAgo}`
    await run(pool)`update withdrawals set approved_at = ${longAgo}, returned_at = null, state = 'approved'`
    await deposit(50_000n, ago(3 * dayMs))
    await deposit(20_000n, ago(40 * dayMs))
    await withdrawal(12_000n, ago(5 * dayMs), ago(2 * dayMs))
    await runHourlyJob()
    await deposit(7_000n, ago(1000))
    const { money } = await overviewOf()
    const [euros] = money?.currencies ?? []
    expect(money?.currencies).toHaveLength(1)
    expect(euros?.sum).toEqual({
      deposits: { count: 2, amount: 57_000n },
      refunds: { count: 0, amount: 0n },
      withdrawals: { count: 1, amount: 12_000n },
      returned: { count: 1, amount: 12_000n },
      net: 57_000n,
    })
    expect(euros?.before).toMatchObject({ deposits: { count: 1, amount: 20_000n }, net: 20_000n })
    expect(euros?.days).toHaveLength(30)
    expect(euros?.days.at(-1)).toEqual({ day: '2026-06-19', in: 7_000n, out: 0n })
    const { from = '', to = '' } = money ?? {}
    const report = (await call(server, fundingReport, { as: await administrator(), query: { from, to } })).answer
    expect(report.currencies.map(({ currency, sum, before }) => [currency, sum, before])).toEqual([
      ['EUR', euros?.sum, euros?.before],
    ])
  })

  test('of a past day is read from the stored numbers, which the job updates', async () => {
    const sum = async () => (await overviewOf()).money?.currencies[0]?.sum.deposits.count ?? 0
    const before = await sum()
    await deposit(1_000n, ago(10 * dayMs))
    expect(await sum()).toBe(before)
    await runHourlyJob()
    expect(await sum()).toBe(before + 1)
  })

  const at = (minutes: number) =>
    new Date(instantIn(dayIn(server.clock.now(), 'Europe/London'), 0, 'Europe/London').getTime() + minutes * 60_000)

  test('is counted once around midnight, whether the job has stored the day or not', async () => {
    const lastDays = async () => (await overviewOf()).money?.currencies[0]?.days.slice(-2).map((day) => day.in) ?? []
    const [yesterday = 0n, today = 0n] = await lastDays()
    for (const [minor, minutes] of [
      [100n, -30],
      [200n, -2],
      [400n, 1],
      [800n, 61],
    ] as const)
      await deposit(minor, at(minutes))
    for (const minutes of [2, 62, 122]) {
      await runJobAt(at(minutes))
      expect(await lastDays()).toEqual([yesterday + 300n, today + 1200n])
    }
  })

  test('of days that the job has missed is stored when the job runs again', async () => {
    await runJobAt(at(182))
    const { pool } = server.dependencies
    const days = () => rows(pool)`select from daily_figures where figure = 'written' and day > ${ago(62 * dayMs)}::date`
    const before = await days()
    await run(pool)`delete from daily_figures where day > ${ago(45 * dayMs)}::date`
    await runJobAt(at(242))
    expect(await days()).toHaveLength(before.length)
  })
})

test('turnaround and new clients match the reports for the same days', async () => {
  const sla = settingDefault('sla', server.clock.now())
  await applySetting(server, 'sla', {
    ...sla,
    times: { ...sla.times, bank_details: { number: 3, unit: 'workingDays' } },
  })
  await closed('operation', ago(dayMs), 60)
  for (const [took, at] of [
    [600, 1],
    [7200, 3],
    [90_000, 6],
    [50, 9],
  ] as const)
    await closed('bank_details', ago(at * dayMs), took)
  const client = await makeClient(server)
  await run(server.dependencies.pool)`update clients set created_at = ${ago(5 * dayMs)} where id = ${client.id}`
  await runHourlyJob()
  const as = await administrator()
  const shown = await overviewOf(as)
  const today = shown.newClients?.to ?? ''
  const week = { from: isoDay(daysAfter(dayIn(server.clock.now(), 'Europe/London'), -6)), to: today }
  const { rows: times } = (await call(server, decisionTimesReport, { as, query: week })).answer
  const decided = shown.queues?.filter((queue) => queue.decided > 0) ?? []
  expect(decided.find(({ kind }) => kind === 'bank_details')?.target).toEqual({ number: 3, unit: 'workingDays' })
  expect(decided.find(({ kind }) => kind === 'bank_details')?.medianSeconds).toBe(7200)
  // A failed operation is due immediately.
  expect(decided.find(({ kind }) => kind === 'operation')?.target).toBeNull()
  expect(times.map(({ kind, decided: count, medianSeconds, target }) => [kind, count, medianSeconds, target])).toEqual(
    decided.map(({ kind, decided: count, medianSeconds, target }) => [kind, count, medianSeconds, target]),
  )
  const { from = '', to = '', readAt: _readAt, before, ...steps } = shown.newClients ?? {}
  const report = (await call(server, conversionReport, { as, query: { from, to } })).answer
  expect(Object.fromEntries(report.rows.map(({ step, clients }) => [step, clients]))).toEqual(steps)
  expect({
    ...report.before,
    ...Object.fromEntries(report.rows.map(({ step, before: clients }) => [step, clients])),
  }).toEqual(before)
})

test('new clients exclude superseded registrations and decoys, and each number opens the list of its clients', async () => {
  const count = async () => (await overviewOf()).newClients
  const before = await count()
  const email = `${randomUUID()}@example.com`
  for (const [decoy, at] of [
    [false, 3],
    [false, 2],
    [true, 1],
  ] as const)
    await run(server.dependencies.pool)`
      insert into registrations (email, decoy, answers, password_hash, created_at)
        values (${decoy ? `${randomUUID()}@example.com` : email}, ${decoy}, '{}'::jsonb, 'x', ${ago(at * 1000)})`
  const client = await makeClient(server)
  await run(
    server.dependencies.pool,
  )`update clients set created_at = ${ago(5000)}, registered_at = ${ago(5000)}, approved_at = ${ago(5000)},
    documents_sent_at = null where id = ${client.id}`
  await deposit(100n, ago(1000), client.id)
  // The first of two registrations was confirmed.
  const again = await makeClient(server)
  await run(server.dependencies.pool)`update clients set created_at = ${ago(4000)} where id = ${again.id}`
  for (const [clientId, at] of [
    [again.id, 4000],
    [null, 3500],
  ] as const)
    await run(server.dependencies.pool)`
      insert into registrations (email, decoy, answers, password_hash, created_at, client_id)
        values (${again.email}, false, '{}'::jsonb, 'x', ${ago(at)}, ${clientId})`
  const after = await count()
  const more = (name: 'began' | 'confirmed' | 'completed' | 'approved' | 'funded' | 'documents') =>
    (after?.[name] ?? 0) - (before?.[name] ?? 0)
  expect([more('began'), more('confirmed'), more('completed'), more('approved'), more('funded')]).toEqual([
    3, 2, 2, 2, 1,
  ])
  // Each number matches its list of clients.
  const as = await administrator()
  const days = { from: after?.from ?? '', to: after?.to ?? '', size: '100' }
  for (const reached of clientSteps) {
    const { rows: clients } = (await call(server, searchClients, { as, query: { ...days, reached } })).answer
    expect(clients.length, reached).toBe(after?.[reached])
    // Without dates the list includes every client who has ever reached the step.
    const ever = async (period: object) => {
      const listed = await call(server, searchClients, { as, query: { size: '100', reached, ...period } })
      return listed.answer.rows.map(({ client: { id } }) => id)
    }
    expect(await ever({}), reached).toEqual(await ever({ from: '2000-01-01' }))
  }
})

test('client money shows the time of its reading and since when there has been a shortfall, an excess or neither', async () => {
  await run(server.dependencies.pool)`delete from client_money_readings`
  expect((await overviewOf()).clientMoney).toEqual([])
  await runHourlyJob()
  const first = server.clock.now()
  await runHourlyJob()
  const { clientMoney } = await overviewOf()
  expect(clientMoney?.map(({ currency, since, readAt }) => [currency, since, readAt])).toEqual(
    ['EUR', 'GBP', 'USD'].map((currency) => [currency, first, server.clock.now()]),
  )
})

test('a shortfall of client money keeps its age while its amount changes, and an excess begins its own', async () => {
  await run(server.dependencies.pool)`delete from client_money_readings`
  const sinceAfter = async (difference: bigint) => {
    server.clock.turn(3601)
    const { answer } = await call(server, getClientMoneyView, { as: await administrator() })
    const currencies = answer.currencies.map((one) => ({ ...one, difference }))
    const [task] = overviewTasks(server.dependencies, () => Promise.resolve({ ...answer, currencies }))
    await task?.run(server.clock.now())
    return (await overviewOf()).clientMoney?.[0]?.since
  }
  const began = await sinceAfter(-100n)
  expect(began).toEqual(server.clock.now())
  expect(await sinceAfter(-250n)).toEqual(began)
  expect(await sinceAfter(50n)).toEqual(server.clock.now())
})

describe('integrations on the overview', () => {
  const operation = (state: string, createdAt: Date) =>
    run(server.dependencies.pool)`
      insert into operations (kind, ref, target, payload, state, created_at)
        values ('mail', ${randomUUID()}, 'mail', '{}'::jsonb, ${state}, ${createdAt})`
  const minute = (ms: number) => new Date(Math.floor(ago(ms).getTime() / 60_000) * 60_000)
  /** Stores calls in the way a server does. */
  const calls = async (agoMs: number, { answers = 0, failures = 0, ms = 0 }) => {
    const { pool } = server.dependencies
    await run(pool)`insert into integration_calls (name, minute, answers, failures, ms)
      values ('mail', ${minute(agoMs)}, ${answers}, ${failures}, ${ms})`
    await run(pool)`insert into integration_outcomes as o (name, answered_at, failed_at)
      values ('mail', ${answers > 0 ? ago(agoMs) : null}, ${failures > 0 ? ago(agoMs) : null})
      on conflict (name) do update set answered_at = greatest(o.answered_at, excluded.answered_at),
        failed_at = greatest(o.failed_at, excluded.failed_at)`
  }
  const mail = async () => (await overviewOf()).integrations?.find(({ name }) => name === 'mail')
  beforeEach(async () => {
    await run(server.dependencies.pool)`delete from integration_calls`
    await run(server.dependencies.pool)`delete from integration_outcomes`
    await run(server.dependencies.pool)`delete from operations where target = 'mail'`
  })

  test('that were never called are shown as unused', async () => {
    expect(await mail()).toMatchObject({ state: 'unused', lastAnswer: null, answers: 0, failures: 0 })
  })

  test('show the calls of 15 minutes, with their response time compared to the usual one', async () => {
    await calls(20 * 60_000, { answers: 10, ms: 2_000 })
    await calls(10 * 60_000, { answers: 3, failures: 1, ms: 900 })
    await calls(60_000, { answers: 1, ms: 100 })
    expect(await mail()).toMatchObject({
      state: 'operational',
      lastAnswer: ago(60_000),
      lastFailure: ago(10 * 60_000),
      answers: 4,
      failures: 1,
      averageMs: 250,
      usualMs: 200,
    })
  })

  test('are shown as slow if they take longer than usual or keep operations waiting', async () => {
    await calls(20 * 60_000, { answers: 10, ms: 3_000 })
    await calls(60_000, { answers: 1, ms: 2_800 })
    expect(await mail()).toMatchObject({ state: 'slow', averageMs: 2_800, usualMs: 300 })
    await calls(0, { answers: 20, ms: 2_000 })
    expect(await mail()).toMatchObject({ state: 'operational' })
    await operation('waiting', ago(400_000))
    expect(await mail()).toMatchObject({ state: 'slow', waiting: 1, oldestWaiting: ago(400_000) })
  })

  test('are shown as not responding if the latest calls failed, even without waiting operations', async () => {
    await calls(10 * 60_000, { answers: 5, ms: 500 })
    await calls(60_000, { failures: 4 })
    expect(await mail()).toMatchObject({ state: 'not-answering', waiting: 0, answers: 5, failures: 4 })
  })

  test('without a call in 15 minutes are shown as idle', async () => {
    await calls(40 * 60_000, { answers: 5, ms: 500 })
    expect(await mail()).toMatchObject({ state: 'idle', lastAnswer: ago(40 * 60_000), answers: 0 })
  })
})

test('the number of failed operations matches their list', async () => {
  const as = await administrator()
  const listed = async () => (await call(server, listFailedJobs, { as, query: { size: '100' } })).answer.rows.length
  const { failedOperations: before } = await overviewOf(as)
  expect(before).toBe(await listed())
  await run(server.dependencies.pool)`
    insert into operations (kind, ref, target, payload, state, created_at, parked_at, tries)
      select 'mail', gen_random_uuid()::text, 'mail', '{}'::jsonb, state, ${ago(hour)}, parked, tries
        from (values ('waiting', ${ago(60_000)}::timestamptz, 9), ('waiting', null, 3), ('waiting', null, 0)) o (state, parked, tries)`
  expect((await overviewOf(as)).failedOperations).toBe((before ?? 0) + 2)
  expect(await listed()).toBe((before ?? 0) + 2)
  await run(server.dependencies.pool)`delete from operations where target = 'mail'`
})

test('“needs you now” shows what this person can decide, first due first, at most five items', async () => {
  const operations = await makeStaff(server, ['operations'])
  const mine = await Promise.all([3, 1, 2, 4, 5, 6].map((due) => item('account', due - 100, 110)))
  await item('document', 0, 1)
  const { needsYou } = await overviewOf(operations)
  expect(needsYou?.items.map(({ record }) => record).slice(0, 5)).toEqual([1, 2, 0, 3, 4].map((place) => mine[place]))
  expect(needsYou?.total).toBeGreaterThanOrEqual(6)
  const { team } = await overviewOf(operations)
  expect(team?.some(({ staff }) => staff?.id === operations.id)).toBe(true)
  expect(team?.find(({ staff }) => staff === null)?.open).toBeGreaterThanOrEqual(6)
})

test('what a person has decided today opens these decisions in the audit log, and no other events', async () => {
  const [decider, as] = [await makeStaff(server, ['operations']), await administrator()]
  const auditContext = {
    now: server.clock.now(),
    identity: { kind: 'staff', id: decider.id, roles: ['operations'] },
  } as const
  await transaction(server.dependencies.pool, async (tx) => {
    const transfer = { kind: 'transfer', record: randomUUID(), from: 'pending' } as const
    await recordEvent(tx, auditContext, { ...transfer, action: 'approve', to: 'approved' })
    await recordEvent(tx, auditContext, { kind: 'client', action: 'lookUp', record: randomUUID() })
  })
  const { team } = await overviewOf(as)
  expect(team?.find(({ staff }) => staff?.id === decider.id)?.decided).toBe(1)
  const query = { actor: decider.id, decisions: 'true' } as const
  const { rows: listed } = (await call(server, searchAudit, { as, query })).answer
  expect(listed.map(({ verb }) => verb)).toEqual(['approve'])
})

test('“needs you now” omits snoozed items and shows when one returns and what is due next', async () => {
  const { pool } = server.dependencies
  // With the clock at noon, an item due in two hours is due today.
  server.clock.turn((noon.getTime() + 90 * dayMs - server.clock.now().getTime()) / 1000)
  const supervisor = await makeStaff(server, ['compliance'])
  await run(pool)`update work_items set closed_at = ${ago(0)} where closed_at is null`
  expect((await overviewOf(supervisor)).needsYou).toEqual({ total: 0, items: [], nextSnoozed: null, nextDue: null })
  const [soon, later] = [await item('professional', -1, 30), await item('professional', 2, 1)]
  await item('withdrawal', 1, 1)
  const back = ago(-3 * hour)
  await run(pool)`update work_items set snoozed_until = ${back} where record = ${soon}`
  const { needsYou, queues } = await overviewOf(supervisor)
  expect(needsYou).toMatchObject({ total: 1, nextSnoozed: back, nextDue: ago(-hour) })
  expect(needsYou?.items.map(({ record }) => record)).toEqual([later])
  // It is overdue nevertheless, but counted as snoozed: the queue's list omits it.
  expect(queues?.find(({ kind }) => kind === 'professional')).toMatchObject({ open: 2, snoozed: 1, overdue: 1 })
  const listed = await call(server, listInbox, { as: supervisor, query: { kind: 'professional', mine: 'false' } })
  expect(listed.answer.items.map(({ record }) => record)).toEqual([later])
  expect(listed.answer.groups).toMatchObject({ overdue: 0, today: 1, snoozed: { count: 1, overdue: 1 } })
  await run(pool)`update work_items set snoozed_until = ${back} where record = ${later}`
  await run(pool)`update work_items set closed_at = ${ago(0)} where kind = 'withdrawal'`
  expect((await overviewOf(supervisor)).needsYou).toMatchObject({ total: 0, items: [], nextDue: null })
  await run(pool)`update work_items set snoozed_until = ${ago(hour)} where record = ${soon}`
  await run(pool)`update work_items set snoozed_until = null where record = ${later}`
  expect((await overviewOf(supervisor)).needsYou?.items.map(({ record }) => record)).toEqual([soon, later])
})

/** Returns a connection's statements without the periodic ones of every server: heartbeats and counted calls. */
function withoutRepeated(all: readonly string[]): string[] {
  const texts = all.filter((text) => !text.includes('insert into integration_calls'))
  const at = texts.findIndex((text) => text.includes('server_heartbeats'))
  if (at < 0) return texts
  const begin = Math.max(0, texts.slice(0, at).lastIndexOf('begin'))
  const end = texts.indexOf('commit', at)
  return [...texts.slice(0, begin), ...(end < 0 ? [] : texts.slice(end + 1))]
}

test('the overview needs at most six statements in addition to those of the session', async () => {
  const as = await administrator()
  await overviewOf(as)
  const seen = new Map<pg.Client, string[]>()
  const { query } = pg.Client.prototype
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, statement: { text?: string } | string, ...more: unknown[]): unknown {
      const texts = seen.get(this) ?? []
      seen.set(this, [...texts, typeof statement === 'string' ? statement : (statement.text ?? '')])
      return Reflect.apply(query, this, [statement, ...more])
    },
  })
  try {
    await overviewOf(as)
  } finally {
    Object.assign(pg.Client.prototype, { query })
  }
  const own = [...seen.values()].flatMap(withoutRepeated).filter((text) => !/\bsessions\b/.test(text))
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(6)
  expect(own.filter((text) => /daily_figures/.test(text))).toHaveLength(1)
})

test.each(staffRoles)('%s sees the parts that the role may read, and no others', async (role: StaffRole) => {
  const as = await makeStaff(server, [role])
  const found = await overviewOf(as)
  expect(found.failed).toEqual([])
  expect(found.queues?.every(({ kind }) => canRead(workItemAreas[kind], [role]))).toBe(true)
  const parts = { needsYou: role !== 'auditor', team: role !== 'auditor', clientMoney: canRead('clientMoney', [role]) }
  for (const [part, may] of Object.entries(parts)) expect(found[part as keyof typeof parts] !== null, part).toBe(may)
  expect(found.reviews !== null).toBe(canRead('documents', [role]))
  expect(found.integrations !== null).toBe(canRead('failedJobs', [role]))
  expect(found.failedOperations !== null).toBe(canRead('failedJobs', [role]))
  expect(found.newClients !== null).toBe(canRead('reports', [role]))
})

test('a part that cannot be read is named, and the other parts are returned', async () => {
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query('alter table client_money_readings rename to hidden_readings')
  try {
    const found = await overviewOf()
    expect(found.failed).toEqual(['clientMoney'])
    expect(found.clientMoney).toBeNull()
    expect(found.queues?.length).toBeGreaterThan(5)
  } finally {
    await owner.query('alter table hidden_readings rename to client_money_readings')
    await owner.end()
  }
})

test('new clients of the previous 30 days are compared, including the steps they have taken since', async () => {
  const client = await makeClient(server)
  const began = async () => (await overviewOf()).newClients?.before
  const { pool } = server.dependencies
  await run(pool)`update clients set created_at = ${ago(100 * dayMs)}, approved_at = null where id = ${client.id}`
  await runHourlyJob()
  const before = await began()
  await run(pool)`update clients set created_at = ${ago(45 * dayMs)} where id = ${client.id}`
  await runHourlyJob()
  expect(await began()).toMatchObject({ began: (before?.began ?? 0) + 1, approved: before?.approved })
  await run(pool)`update clients set approved_at = ${ago(dayMs)} where id = ${client.id}`
  await runHourlyJob()
  expect(await began()).toMatchObject({ began: (before?.began ?? 0) + 1, approved: (before?.approved ?? 0) + 1 })
})

describe('reviews on the overview', () => {
  const compliance = () => makeStaff(server, ['compliance'])
  const reviewed = async (as: MadeStaff) => (await overviewOf(as)).reviews
  const today = () => isoDay(dayIn(server.clock.now(), 'Europe/London'))
  const dayAfter = (days: number) => isoDay(daysAfter(dayIn(server.clock.now(), 'Europe/London'), days))
  const document = (clientId: string, kind: string, state: string, expires: string) =>
    run(
      server.dependencies.pool,
    )`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
      values (${clientId}, ${kind}, ${state}, 'DE', ${randomUUID()}, ${expires}, ${ago(0)})`
  const numbers = async (as: MadeStaff) =>
    Object.fromEntries((await reviewed(as))?.rows.map(({ review, clients }) => [review, clients]) ?? [])
  const listed = async (as: MadeStaff, review: Review) =>
    (await call(server, searchClients, { as, query: { review, size: '100' } })).answer.rows.map(
      ({ client: { id } }) => id,
    )

  test('count the clients that their lists show', async () => {
    const { pool } = server.dependencies
    server.clock.turn(3601)
    const setBy = (await administrator()).id
    await run(pool)`update documents set state = 'rejected'`
    const made = async () => (await makeClient(server)).id
    const [expiring, valid, over] = [await made(), await made(), await made()]
    const [wealthy, proved] = [await made(), await made()]
    const [held, lifted, ended] = [await made(), await made(), await made()]
    await document(expiring, 'passport', 'approved', dayAfter(30))
    await document(expiring, 'id', 'approved', dayAfter(1))
    await document(valid, 'passport', 'approved', dayAfter(31))
    await document(over, 'passport', 'approved', dayAfter(5))
    await run(pool)`update clients set state = 'closed' where id = ${over}`
    await run(pool)`update clients set source_of_wealth_asked_at = ${ago(0)} where id in (${wealthy}, ${proved})`
    await document(wealthy, 'source_of_wealth', 'pending_approval', today())
    await document(proved, 'source_of_wealth', 'approved', today())
    const hold = (clientId: string, until: Date | null, liftedAt: Date | null) =>
      run(pool)`insert into payment_holds (client_id, reason, set_by, from_at, until_at, lifted_by, lifted_at)
        values (${clientId}, 'Checked', ${setBy}, ${ago(2 * hour)}, ${until}, ${liftedAt && setBy}, ${liftedAt})`
    await hold(held, null, null)
    await hold(held, ago(-48 * hour), null)
    await hold(lifted, null, ago(hour))
    await hold(ended, ago(hour), null)
    await runJobAt(server.clock.now())
    const as = await compliance()
    expect(await listed(as, 'documentsExpiring')).toEqual([expiring])
    expect(await listed(as, 'sourceOfWealth')).toEqual([wealthy])
    expect(await listed(as, 'paymentsOnHold')).toEqual([held])
    expect(await numbers(as)).toEqual({ documentsExpiring: 1, sourceOfWealth: 1, paymentsOnHold: 1 })
    expect((await reviewed(as))?.readAt).toEqual(server.clock.now())
    const csv = await call(server, exportList, { as, params: { list: 'clients' }, query: { review: 'paymentsOnHold' } })
    expect(csv.bytes.toString().trim().split('\n')).toHaveLength(2)
  })

  test('are compared with the numbers stored 30 days ago, which the hourly job does not change', async () => {
    await runHourlyJob()
    const [first] = (await reviewed(await compliance()))?.rows ?? []
    expect(first).toMatchObject({ clientsBefore: null })
    await run(server.dependencies.pool)`insert into daily_figures (figure, day, count, written_at)
      values ('documentsExpiring', ${dayAfter(-30)}, 7, ${ago(30 * dayMs)}), ('documentsExpiring', ${dayAfter(-29)}, 8, ${ago(29 * dayMs)})`
    await runJobAt(server.clock.now())
    const found = await reviewed(await compliance())
    expect(found?.before).toBe(dayAfter(-30))
    expect(found?.rows.map(({ clientsBefore }) => clientsBefore)).toEqual([7, null, null])
    expect(found?.rows[0]?.clients).toBe(first?.clients)
  })

  test('are visible to roles that may read documents', async () => {
    expect(await reviewed(await makeStaff(server, ['operations']))).toBeNull()
    expect(await reviewed(await makeStaff(server, ['finance']))).toBeNull()
    const query = { review: 'documentsExpiring' as const }
    for (const role of staffRoles) {
      const as = await makeStaff(server, [role])
      const status = canRead('documents', [role]) ? 200 : 403
      expect((await call(server, searchClients, { as, query })).status, role).toBe(status)
      expect((await call(server, exportList, { as, params: { list: 'clients' }, query })).status, role).toBe(status)
    }
  })
})
