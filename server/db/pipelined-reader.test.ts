import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/database.ts'
import { openDatabase, type Database } from './database.ts'
import { pipelinedRows } from './pipelined-reader.ts'
import { rows, run, sql, type Sql, transaction } from './sql.ts'

const laneConnection = 'portal-reads'
const poolConnection = 'portal-requests'

let database: Database
/** A database whose lanes have no time-outs. */
let patient: Database
beforeAll(async () => {
  const { url } = await testDatabase()
  database = openDatabase(url, () => undefined)
  patient = openDatabase(url, () => undefined, { requests: 4, jobs: 2 }, { statementMs: 600_000, silenceMs: 600_000 })
})
afterAll(async () => {
  await database.close()
  await patient.close()
})

function readRows<Row extends object>(statement: Sql, { requests } = database): Promise<Row[]> {
  return pipelinedRows<Row>(requests, statement)
}

/** Returns the type of connection that responds, optionally after some work. */
async function connectionKind(work: Sql = sql`1`, of = database): Promise<string | undefined> {
  const [found] = await readRows<{ way: string }>(sql`select ${work}, current_setting('application_name') as way`, of)
  return found?.way
}

/** Waits until a lane is open: lanes open and reopen in the background. */
async function waitForOpenLane(of = database): Promise<void> {
  await expect.poll(() => connectionKind(sql`1`, of)).toBe(laneConnection)
}

test('many concurrent short reads each return their own rows, and an invalid one fails alone', async () => {
  await waitForOpenLane()
  const wrong = readRows(sql`select 1 / ${0}::int`)
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const answers = Promise.all(
    numbers.map((number) => readRows<{ number: number }>(sql`select ${number}::int as number`)),
  )
  await expect(wrong).rejects.toMatchObject({ code: '22012' })
  expect(await answers).toEqual(numbers.map((number) => [{ number }]))
})

test('a slow read is moved to the pool, and no other read waits for it', async () => {
  await waitForOpenLane()
  let held: Promise<string | undefined> | undefined
  await transaction(database.jobs, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(1)`)
    held = connectionKind(sql`pg_advisory_xact_lock(1)`)
    // The lock is released only after these have been answered.
    for (let asked = 0; asked < 20; asked += 1) expect(await connectionKind()).toBeDefined()
    // The slow read is on the pool once PostgreSQL has cancelled it on the lane.
    await expect.poll(() => connectionsWaiting(poolConnection)).toBe(1)
  })
  expect(await held).toBe(poolConnection)
})

test('reads in progress on a lost connection are repeated on the pool, and the lane reconnects', async () => {
  await waitForOpenLane(patient)
  let lost: Promise<string | undefined> | undefined
  await transaction(patient.jobs, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(2)`)
    lost = connectionKind(sql`pg_advisory_xact_lock(2)`, patient)
    await expect.poll(() => connectionsWaiting(laneConnection)).toBe(1)
    await run(
      tx,
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = ${laneConnection}`,
    )
  })
  expect(await lost).toBe(poolConnection)
  await waitForOpenLane(patient)
})

/** Returns how many connections of a kind wait for a lock. */
async function connectionsWaiting(kind: string): Promise<number | undefined> {
  const [found] = await rows<{ waiting: number }>(
    database.requests,
    sql`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and application_name = ${kind} and wait_event_type = 'Lock'`,
  )
  return found?.waiting
}
