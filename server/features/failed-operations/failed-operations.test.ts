import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inboxCounts } from '#contract/office/inbox.ts'
import { overview } from '#contract/office/overview.ts'
import * as office from '#contract/office/records.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeStaff } from '../../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'

const server = serverForFile()
const operations = staffForFile(server, ['operations'])
const auditor = staffForFile(server, ['auditor'])

interface OperationTraits {
  readonly state: 'waiting' | 'unknown' | 'refused'
  readonly parked?: boolean
  readonly asked?: number
  readonly askedSecondsAgo?: number
}

async function insertStuckOperation({ state, parked = true, asked = 0, askedSecondsAgo = 0 }: OperationTraits) {
  const now = server.clock.now()
  const client = await makeClient(server)
  const payload = JSON.stringify({ leg: 'withdrawal-debit', minor: '-100' })
  const made = await row<{ id: string; ref: string }>(
    server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, state, asked, asked_first_at, parked_at, next_try_at, last_error, client_id, created_at, settled_at)
        values ('balance', ${randomUUID().slice(0, 26)}, ${`MT5:${randomUUID()}`}, ${payload}::jsonb, ${state}, ${asked},
          ${new Date(now.getTime() - askedSecondsAgo * 1000)}, ${parked ? now : null}, ${now}, 'no answer', ${client.id}, ${now},
          ${state === 'refused' ? now : null}) returning id, ref`,
  )
  if (!made) throw new Error('no operation was made')
  if (parked || state === 'refused')
    await transaction(server.dependencies.pool, (tx) =>
      openWorkItem(tx, 'operation', made.id, now, { state: 'absent', dueAt: now, summary: {} }),
    )
  return made
}

const retry = (as: MadeStaff, id: string, source = 'operation') =>
  call(server, office.retryJob, { as, params: { source, id }, body: { reason: 'looked at the platform' } })
const openItems = (id: string) =>
  rows(server.dependencies.pool, sql`select 1 from work_items where record = ${id} and closed_at is null`)

test('an operation that the platform does not know, queried twice at least a minute apart, can be sent again', async () => {
  const { id, ref } = await insertStuckOperation({ state: 'unknown', asked: 2, askedSecondsAgo: 90 })
  const shown = (await call(server, office.getFailedJob, { as: auditor, params: { source: 'operation', id } })).answer
  expect(shown.job).toMatchObject({ meaning: 'withdrawal-waits', ref, refusal: { code: 'wrong-role' } })
  expect((await retry(auditor, id)).failure.code).toBe('wrong-role')
  expect((await retry(operations, id)).status).toBe(200)
  const after = await row<{ state: string; parked: boolean }>(
    server.dependencies.pool,
    sql`select state, parked_at is not null as parked from operations where id = ${id}`,
  )
  expect(after).toEqual({ state: 'waiting', parked: false })
  expect(await openItems(id)).toEqual([])
  const event = await row<{ reason: string }>(
    server.dependencies.pool,
    sql`select reason from events where kind = 'operation' and record = ${id}`,
  )
  expect(event?.reason).toBe('looked at the platform')
  expect((await retry(operations, id)).failure.code).toBe('operation-open')
})

test('an operation with an unknown outcome cannot be sent again before it has been queried twice', async () => {
  expect(
    (await retry(operations, (await insertStuckOperation({ state: 'unknown', asked: 1, parked: false })).id)).failure
      .code,
  ).toBe('resend-too-early')
  expect(
    (await retry(operations, (await insertStuckOperation({ state: 'unknown', asked: 2, askedSecondsAgo: 10 })).id))
      .failure.code,
  ).toBe('resend-too-early')
  expect(
    (await retry(operations, (await insertStuckOperation({ state: 'unknown', parked: false })).id)).failure.code,
  ).toBe('operation-open')
})

test('an operation delayed by an integration is listed with its next attempt and needs no attention', async () => {
  const { id, ref } = await insertStuckOperation({ state: 'unknown', parked: false })
  const { rows: listed } = (await call(server, office.listFailedJobs, { as: operations, query: { q: ref } })).answer
  expect(listed).toMatchObject([
    { id, meaning: 'withdrawal-waits', lastError: 'no answer', refusal: { code: 'operation-open' } },
  ])
  expect(listed[0]?.nextTryAt).toEqual(server.clock.now())
  const parked = await insertStuckOperation({ state: 'unknown', asked: 2, askedSecondsAgo: 90 })
  const shown = await call(server, office.getFailedJob, {
    as: operations,
    params: { source: 'operation', id: parked.id },
  })
  expect(shown.answer.job.nextTryAt).toBeNull()
})

test('a platform’s error is shown in the staff member’s language, with the platform’s own words quoted', async () => {
  const { id } = await insertStuckOperation({ state: 'refused', parked: false })
  await run(
    server.dependencies.pool,
    sql`update operations set last_error = 'The platform answered 10019 Not enough money', sent_at = created_at where id = ${id}`,
  )
  const read = { as: operations, params: { source: 'operation', id }, headers: { 'accept-language': 'de' } } as const
  const { job, tries } = (await call(server, office.getFailedJob, read)).answer
  const text = 'Das Konto hat nicht genug Guthaben. Antwort der Plattform: „10019 Not enough money“.'
  expect(job.lastError).toBe(text)
  expect(tries.find(({ what }) => what === 'sent')?.error).toBe(text)
})

test('a rejected operation is sent again under a new reference, once', async () => {
  const { id, ref } = await insertStuckOperation({ state: 'refused', parked: false })
  const tries = await Promise.all([retry(operations, id), retry(operations, id)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const kept = await row<{ state: string; ref: string }>(
    server.dependencies.pool,
    sql`select state, ref from operations where id = ${id}`,
  )
  expect(kept).toEqual({ state: 'refused', ref })
})

/** Makes a failed job of the queue for an operation and returns its id. */
async function makeFailedJob(operation: string): Promise<string> {
  const dead = await row<{ id: bigint }>(
    server.dependencies.pool,
    sql`select id from graphile_worker.add_job('operation', ${JSON.stringify({ id: operation })}::text::json, max_attempts => 1)`,
  )
  const id = dead?.id ?? 0n
  await run(
    server.dependencies.pool,
    sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'boom' where id = ${id}`,
  )
  return String(id)
}

test('failed jobs of the queue are listed and can be retried', async () => {
  const dead = await makeFailedJob(randomUUID())
  const { rows: listed } = (await call(server, office.listFailedJobs, { as: operations, query: { source: 'job' } }))
    .answer
  expect(listed.map(({ id, kind }) => [id, kind])).toContainEqual([dead, 'operation'])
  expect((await retry(operations, dead, 'job')).status).toBe(200)
  expect((await retry(operations, dead, 'job')).failure.code).toBe('job-gone')
})

test('the audit log names a retried job’s kind and subject, never its number in the queue', async () => {
  const client = await makeClient(server)
  const account = await makeAccount(server, client, { login: '51008888' })
  const month = '2026-05'
  await run(
    server.dependencies.pool,
    sql`insert into month_ends (account_id, month, noted_at, due_at, look_at, problem, tries)
      values (${account.id}, ${`${month}-01`}::date, now(), now(), now(), 'not-read', 3)`,
  )
  const operation = randomUUID()
  const dead = await makeFailedJob(operation)
  expect((await retry(operations, dead, 'job')).status).toBe(200)
  expect((await retry(operations, `${account.id}_${month}`, 'statement')).status).toBe(200)
  const query = { kind: 'job', verb: 'retry', actor: operations.id }
  const { rows: events } = (await call(server, office.searchAudit, { as: auditor, query })).answer
  const retries = events.map(({ record, client: of, after }) => ({ record, client: of?.id, after }))
  expect(retries.slice(0, 2)).toEqual([
    {
      record: account.id,
      client: client.id,
      after: { kind: 'draw-statement', platform: 'MT5', account: '51008888', month },
    },
    { record: operation, client: undefined, after: { kind: 'operation', operation } },
  ])
})

test('the list pages across operations and queue jobs', async () => {
  await insertStuckOperation({ state: 'waiting' })
  await insertStuckOperation({ state: 'waiting' })
  const first = (await call(server, office.listFailedJobs, { as: operations, query: { size: '1' } })).answer
  const second = (
    await call(server, office.listFailedJobs, { as: operations, query: { size: '1', cursor: first.next ?? '' } })
  ).answer
  expect(first.rows[0]?.id).not.toBe(second.rows[0]?.id)
  expect((await retry(operations, randomUUID())).status).toBe(404)
})

test('the menu and the overview count every failed operation of the list, with or without a work item', async () => {
  // One of them is waiting for an integration that does not respond: it continues without a person.
  const made = [
    await insertStuckOperation({ state: 'unknown', asked: 2 }),
    await insertStuckOperation({ state: 'unknown', parked: false }),
  ]
  const as = await makeStaff(server, ['administrator'])
  const listed = (await call(server, office.listFailedJobs, { as, query: {} })).answer
  expect(listed.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
  expect(listed.next).toBeNull()
  const counted = listed.rows.length
  expect((await call(server, inboxCounts, { as })).answer.failedOperations).toBe(counted)
  expect((await call(server, overview, { as })).answer.failedOperations).toBe(counted)
  const compliance = await makeStaff(server, ['compliance'])
  expect((await call(server, inboxCounts, { as: compliance })).answer.failedOperations).toBeNull()
})

test('an operation names its account if the account is open, and no account if its request is still pending', async () => {
  const { id } = await insertStuckOperation({ state: 'unknown', asked: 2 })
  const client = await makeClient(server)
  const account = await makeAccount(server, client, { login: '51009999' })
  await run(
    server.dependencies.pool,
    sql`update operations set kind = 'set-status', subject = 'account', record = ${account.id} where id = ${id}`,
  )
  const shown = async () =>
    (await call(server, office.getFailedJob, { as: auditor, params: { source: 'operation', id } })).answer.job.account
  expect(await shown()).toEqual({ platform: 'MT5', number: '51009999' })
  await run(
    server.dependencies.pool,
    sql`update trading_accounts set state = 'pending', login = null where id = ${account.id}`,
  )
  expect(await shown()).toBeNull()
})
