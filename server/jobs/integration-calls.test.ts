/** The calls to integrations are counted, stored for all servers, and read by doctor, metrics and overview alike. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { minuteMs } from '#rules/dates.ts'
import { overview } from '#contract/office/overview.ts'
import { readConfig } from '#server/config/config.ts'
import { rows, run } from '#server/db/sql.ts'
import { CallCounts } from '#server/integrations/call-counts.ts'
import { serveMetrics } from '#server/log/metrics.ts'
import { operate } from '#server/operator/commands.ts'
import { call, makeClient, makeStaff } from '../../tests/factories.ts'
import { platformForFile } from '../../tests/for-file.ts'
import { makeFundedAccount } from '../../tests/funded-account.ts'
import { configuredIntegrations, integrationHealth, storeCalls } from './integration-calls.ts'
import { readPlatforms } from './platform-days.ts'

const place = platformForFile()

const mt5 = async () => {
  await place.server.storeCalls()
  const as = await makeStaff(place.server, ['operations'])
  return (await call(place.server, overview, { as })).answer.integrations?.find(({ name }) => name === 'MT5')
}
/** Returns the doctor's row and the metrics. */
const reportedStatus = async () => {
  const { server } = place
  const lines: string[] = []
  await operate(readConfig(server.env), ['doctor'], (line) => lines.push(line), server.clock.now)
  const metrics = await serveMetrics({
    pool: server.dependencies.jobs,
    address: { port: 0, host: '127.0.0.1' },
    integrations: configuredIntegrations(server.dependencies.config),
    now: server.clock.now,
    onError: () => undefined,
  })
  try {
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
    return { doctor: lines.find((line) => line.includes('MT5 as called')), metrics: text }
  } finally {
    await metrics.stop()
  }
}

test('a platform that does not respond is shown as such, even if no operation is pending', async () => {
  const { server, platform } = place
  await makeFundedAccount(server, await makeClient(server), 0n)
  await readPlatforms(server.dependencies)
  const operational = await mt5()
  expect(operational).toMatchObject({ state: 'operational', failures: 0, lastAnswer: server.clock.now() })
  expect(operational?.answers).toBeGreaterThan(0)
  expect((await reportedStatus()).metrics).toContain('integration_state{integration="MT5",state="operational"} 1\n')

  server.clock.turn(21 * 60)
  expect(await mt5()).toMatchObject({
    state: 'out-of-date',
    answers: 0,
    failures: 0,
    lastAnswer: operational?.lastAnswer,
  })
  await platform.stop()
  await readPlatforms(server.dependencies)
  const silent = await mt5()
  expect(silent).toMatchObject({ state: 'not-answering', waiting: 0, lastAnswer: operational?.lastAnswer })
  expect(silent?.failures).toBeGreaterThan(0)
  const { doctor, metrics } = await reportedStatus()
  expect(doctor).toContain('! MT5 as called by the servers: not responding')
  expect(doctor).toContain(`${silent?.answers} succeeded, ${silent?.failures} failed`)
  expect(metrics).toContain('integration_state{integration="MT5",state="not-answering"} 1\n')
  expect(metrics).toContain(`integration_failures{integration="MT5"} ${silent?.failures}\n`)
})

test('an integration that failed once is reported as such for 15 minutes, and longer only while an operation is pending', async () => {
  const { server } = place
  const { jobs } = server.dependencies
  const stateAt = async (minutes: number) => {
    const now = new Date(server.clock.now().getTime() + minutes * minuteMs)
    return (await integrationHealth(jobs, ['mail'], now)).map(({ state }) => state)
  }
  expect(await stateAt(0)).toEqual(['unused'])
  const counts = new CallCounts(server.clock.now)
  counts.of('mail').failed()
  await storeCalls(jobs, counts)
  expect(await stateAt(15)).toEqual(['not-answering'])
  expect(await stateAt(16)).toEqual(['idle'])
  await run(jobs)`insert into operations (kind, ref, target, subject, record, payload, state, created_at, next_try_at)
    values ('mail', 'pending', 'mail', 'deposit', ${randomUUID()}, '{}', 'waiting', ${server.clock.now()}, null)`
  expect(await stateAt(60)).toEqual(['not-answering'])
  await run(jobs)`delete from operations where ref = 'pending'`
})

test('a refund shows the card provider as slow until it is sent, not while it is open there', async () => {
  const { server } = place
  const { jobs, pool } = server.dependencies
  const created = server.clock.now()
  const counts = new CallCounts(() => new Date(created.getTime() + 3 * minuteMs))
  counts.of('card').answered(10)
  await storeCalls(jobs, counts)
  await run(pool)`insert into operations (kind, ref, target, subject, record, payload, state, created_at, next_try_at)
    values ('card-refund', 'open', 'card', 'recovery_item', ${randomUUID()}, '{}', 'waiting', ${created}, null)`
  const health = async () =>
    (await integrationHealth(jobs, ['card'], new Date(created.getTime() + 3 * minuteMs))).map(({ state, waiting }) => [
      state,
      waiting,
    ])
  expect(await health()).toEqual([['slow', 1]])
  await run(pool)`update operations set sent_at = ${created} where ref = 'open'`
  expect(await health()).toEqual([['operational', 0]])
  await run(pool)`delete from operations where ref = 'open'`
  await run(jobs)`delete from integration_calls where name = 'card'`
})

test('the calls of all servers are added up and kept for a day', async () => {
  const { server } = place
  const at = (minutes: number) => new Date(server.clock.now().getTime() + minutes * minuteMs)
  const kept = () =>
    rows<{ minute: Date; answers: number; failures: number; ms: bigint }>(server.dependencies.jobs)`
      select minute, answers, failures, ms from integration_calls where name = 'card' order by minute`
  let now = at(0)
  const [one, other] = [new CallCounts(() => now), new CallCounts(() => now)]
  one.of('card').answered(20.4)
  one.of('card').failed()
  other.of('card').answered(30)
  await storeCalls(server.dependencies.jobs, one)
  await storeCalls(server.dependencies.jobs, other)
  await storeCalls(server.dependencies.jobs, other)
  expect(await kept()).toMatchObject([{ answers: 2, failures: 1, ms: 50n }])
  now = at(25 * 60)
  one.of('card').answered(10)
  await storeCalls(server.dependencies.jobs, one)
  expect(await kept()).toMatchObject([{ answers: 1, failures: 0, ms: 10n }])
})
