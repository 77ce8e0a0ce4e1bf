/**
 * The event log's seals after a recovery: a new epoch contains the last known hash, and verification succeeds (ADR
 * 148).
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import pg from 'pg'
import { verifyAudit } from '#contract/office/records.ts'
import { readConfig } from '#server/config/config.ts'
import { findUnchainedEvent } from '#server/features/audit/queries.ts'
import { operate } from '#server/operator/commands.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { call, makeClient, makeStaff, startTestServer, type TestServer } from '../../tests/factories.ts'
import { chainAllEvents } from '../../tests/chain-all-events.ts'
import { recordEvent } from './events.ts'
import { chainEpochs } from './chain-epochs.ts'
import { verifyChain } from './audit-chain.ts'
import { row, sql, transaction } from './sql.ts'

let server: TestServer
let owner: pg.Client
// Each test has its own chain, which it may break.
beforeEach(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
})
afterEach(async () => {
  await owner.end()
  await server.stop()
})

const recordTestEvent = (verb: string) =>
  transaction(server.dependencies.pool, (tx) =>
    recordEvent(tx, { identity: { kind: 'clock' }, now: server.clock.now() }, { kind: 'client', action: verb }),
  )
const recover = () => {
  const now = server.clock.now()
  return transaction(server.dependencies.pool, (tx) => openRecovery(tx, { sign: 'restored', since: now, now }))
}
const lastChainEntry = () =>
  row<{ number: bigint; hash: Buffer }>(
    server.dependencies.pool,
    sql`select number, hash from event_seals order by number desc limit 1`,
  )

test('a recovery begins an epoch with the last known number and hash, and the log still verifies', async () => {
  await recordTestEvent('before')
  await chainAllEvents(server)
  const known = await lastChainEntry()
  const { id } = await recover()
  await recordTestEvent('after')
  await chainAllEvents(server)
  const epochs = await chainEpochs(server.dependencies.pool)
  expect(epochs).toMatchObject([{ epoch: 2, recovery: id, afterNumber: known?.number, afterHash: known?.hash }])
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject({ whole: true, waiting: 0n, epochs })
  await recordTestEvent('later')
  await chainAllEvents(server)
  expect(await chainEpochs(server.dependencies.pool)).toHaveLength(1)

  const lines: string[] = []
  await operate(readConfig(server.env), ['verify'], (line) => lines.push(line), server.clock.now)
  expect(lines[1]).toContain(`epoch 2 began with the recovery of`)
  expect(lines[1]).toContain(`after number ${known?.number}, hash ${known?.hash.toString('hex')}`)
  const auditor = await makeStaff(server, ['auditor'])
  const { answer } = await call(server, verifyAudit, { as: auditor })
  expect(answer).toMatchObject({ whole: true, epochs: [{ epoch: 2, afterNumber: Number(known?.number) }] })
})

test('sealing continues in a copy on another cluster whose transaction numbers start again', async () => {
  await recordTestEvent('sealed in the old cluster')
  await chainAllEvents(server)
  await owner.query('alter table events disable trigger events_append_only')
  // As in a logical copy, the old cluster's transaction numbers are higher than all of this one, both for sealed events
  // and for some that are not sealed yet.
  await owner.query(`update events set transaction_id = (transaction_id::text::bigint + 1000000000000)::text::xid8`)
  await recordTestEvent('not sealed in the old cluster')
  await owner.query(
    `update events set transaction_id = (transaction_id::text::bigint + 1000000000000)::text::xid8
     where verb = 'not sealed in the old cluster'`,
  )
  await owner.query('alter table events enable trigger events_append_only')
  await recover()
  await recordTestEvent('in the new cluster')
  await chainAllEvents(server)
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject({ whole: true, waiting: 0n })
  expect(await findUnchainedEvent(server.dependencies.jobs)).toBeNull()
  await makeClient(server)
  await recordTestEvent('once more')
  await chainAllEvents(server)
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject({ whole: true, waiting: 0n })
  const forged = await owner.query<{ id: string }>(
    "insert into events (at, kind, verb, actor, transaction_id) values (now(), 'client', 'forged', 'staff', '1') returning id",
  )
  expect(String(await findUnchainedEvent(server.dependencies.jobs))).toBe(String(forged.rows[0]?.id))
  await owner.query('alter table events disable trigger events_append_only')
  await owner.query('delete from events where id = $1', [forged.rows[0]?.id])
  await owner.query('alter table events enable trigger events_append_only')
})

test('an epoch that is altered or deleted is detected', async () => {
  await recordTestEvent('before')
  await chainAllEvents(server)
  await recover()
  await recordTestEvent('after')
  await chainAllEvents(server)
  await owner.query('alter table seal_epochs disable trigger seal_epochs_append_only')
  const [first] = await chainEpochs(server.dependencies.pool)
  const altered = { whole: false, number: (first?.afterNumber ?? 0n) + 1n, wrong: 'altered' }
  await owner.query(`update seal_epochs set after_hash = decode(repeat('00', 32), 'hex') where epoch = 2`)
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject(altered)
  await owner.query('update seal_epochs set after_hash = $1 where epoch = 2', [first?.afterHash])
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject({ whole: true })
  await owner.query('delete from seal_epochs where epoch = 2')
  expect(await verifyChain(server.dependencies.jobs)).toMatchObject(altered)
})
