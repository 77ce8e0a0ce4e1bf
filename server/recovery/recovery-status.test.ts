/** The doctor and the metrics report the same status, with and without an open recovery. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { metricsText, serveMetrics } from '#server/log/metrics.ts'
import { operate } from '#server/operator/commands.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { makeClient, startTestServer, type TestServer } from '../../tests/factories.ts'
import { recordIdentity } from './database-identity.ts'
import { openRecovery } from './open-recovery.ts'
import { recoveryStatus } from './recovery-status.ts'

let server: TestServer
let metrics: { port: number; stop(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer()
  metrics = await serveMetrics({
    pool: server.dependencies.jobs,
    address: { port: 0, host: '127.0.0.1' },
    integrations: [],
    now: server.clock.now,
    onError: () => undefined,
  })
})
afterAll(async () => {
  await metrics.stop()
  await server.stop()
})

async function doctor(): Promise<string> {
  const lines: string[] = []
  await operate(readConfig(server.env), ['doctor'], (line) => lines.push(line), server.clock.now)
  return lines.join('\n')
}

const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()

test('without a loss both report that everything is as recorded', async () => {
  const { timeline } = await recoveryStatus(server.dependencies.pool, server.clock.now())
  const output = await doctor()
  expect(output).toContain('✓ database identity: as recorded by the servers')
  expect(output).toContain(`✓ timeline: ${timeline}, as recorded by the servers`)
  expect(output).toMatch(/✓ heartbeat: running servers: 1, the oldest heartbeat \d+ s ago/)
  expect(output).toContain('✓ replication: no asynchronous standbys')
  expect(output).toContain('✓ recovery: not open')
  const text = await scrape()
  expect(text).toContain(`\ndatabase_timeline ${Number.parseInt(timeline, 16)}\n`)
  for (const line of [
    'database_identity_known 1',
    'servers{heartbeat="fresh"} 1',
    'servers{heartbeat="late"} 0',
    'replication_asynchronous_standbys 0',
    'recovery_open{sign="restored"} 0',
    'recovery_channel_stopped{channel="accounts"} 0',
  ])
    expect(text).toContain(`\n${line}\n`)
  expect(text).toMatch(/\nserver_heartbeat_age_seconds \d/)
})

test('every line of the metrics is in Prometheus format, and other paths return 404', async () => {
  for (const line of (await scrape()).trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[a-z-]+"\})? -?[0-9.]+)$/)
  expect((await fetch(`http://127.0.0.1:${metrics.port}/`)).status).toBe(404)
})

test('during recovery both report sign, channels, items, requests and missing confirmations', async () => {
  onTestFinished(async () => {
    await endRecovery(server, [])
    await run(server.dependencies.pool, sql`delete from recovery_items`)
    await run(server.dependencies.pool, sql`delete from recovery_confirmations`)
  })
  const client = await makeClient(server)
  const now = server.clock.now()
  const { id } = await transaction(server.dependencies.pool, (tx) =>
    openRecovery(tx, { sign: 'restored', since: new Date(now.getTime() - 600_000), now }),
  )
  await run(
    server.dependencies.pool,
    sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg, found_at)
        values ('account-unknown', 'MT5', '900001', '1', 'CR-0000000Z', 100, 'EUR', ${now}, 'CR-0000000Z', '', ${now})`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into recovery_confirmations (recovery, kind, record, client_id, asked_at)
        values (${id}, 'transfer', gen_random_uuid(), ${client.id}, ${now})`,
  )
  await run(server.dependencies.pool, sql`update recovery set accounts_open_at = ${now} where id = ${id}`)
  const output = await doctor()
  expect(output).toMatch(
    /! recovery, open since .+ \(restored\).+stopped: payouts;.+action: complete it in the back office/,
  )
  expect(output).toContain('- recovery items of type account-unknown awaiting a decision by two people: 1')
  expect(output).toContain("- requests awaiting the client's confirmation: 1")
  expect(output).toContain('- missing confirmations of access and bank: 4 of 4')
  const text = await scrape()
  for (const line of [
    'recovery_open{sign="restored"} 1',
    'recovery_open{sign="batch"} 0',
    'recovery_channel_stopped{channel="accounts"} 0',
    'recovery_channel_stopped{channel="payouts"} 1',
    'recovery_items_open{kind="account-unknown"} 1',
    'recovery_items_open{kind="mismatch"} 0',
    'recovery_requests_to_confirm 1',
    'recovery_confirmations_missing 4',
  ])
    expect(text).toContain(`\n${line}\n`)
})

test('another timeline, another database and a late heartbeat are reported', async () => {
  const status = await recoveryStatus(server.dependencies.pool, server.clock.now())
  onTestFinished(async () => {
    await transaction(server.dependencies.pool, (tx) => recordIdentity(tx, server.clock.now()))
  })
  await run(server.dependencies.pool, sql`update database_identity set timeline = 'FFFFFFFF', database_oid = 1`)
  const output = await doctor()
  expect(output).toContain('! database identity: differs from the one recorded by the servers')
  expect(output).toContain(`! timeline: ${status.timeline}, recorded by the servers: FFFFFFFF`)
  expect(await scrape()).toContain('\ndatabase_identity_known 0\n')
  const later = await recoveryStatus(server.dependencies.pool, new Date(server.clock.now().getTime() + 60_000))
  expect(later.servers.map(({ isLate }) => isLate)).toEqual([true])
  expect(metricsText(later)).toContain('\nservers{heartbeat="late"} 1\n')
})

test('the doctor warns of an asynchronous standby', async () => {
  // A walsender like that of a standby; it never reads.
  const standby = new pg.Client({
    connectionString: inject('cluster').superuserUrl,
    replication: 'database',
  } as pg.ClientConfig)
  await standby.connect()
  try {
    expect(await doctor()).toContain(
      '- replication: asynchronous standbys: 1 | cause: synchronous_standby_names is empty',
    )
    expect(await scrape()).toContain('\nreplication_asynchronous_standbys 1\n')
  } finally {
    await standby.end()
  }
})
