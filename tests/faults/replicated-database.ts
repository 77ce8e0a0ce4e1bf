/** A PostgreSQL with a standby that follows it by streaming, and replaces it under the same address. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { startDatabase } from '#scripts/embedded-database.ts'
import type { TestDatabase } from '../database.ts'
import { until } from '../until.ts'
import { clusterOf, copyFolder, newFolder, writeClusterFile, writeSettings } from './copied-cluster.ts'
import { linkSocketFolder, withSocketHost } from './stoppable-database.ts'

export interface ReplicatedDatabase extends TestDatabase {
  /** The standby has everything committed so far, and nothing that is committed from now on. */
  stopReplication(): Promise<void>
  /**
   * Sends SIGKILL to the primary's postmaster immediately; the standby is promoted after `whileAway`, and has the same
   * address.
   */
  failOver(whileAway?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

const queryRow = async <Row extends pg.QueryResultRow>(url: string, question: string): Promise<Row | undefined> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(question)).rows[0]
  } finally {
    await client.end()
  }
}

/** Starts both, migrated. Synchronous: no commit of the primary ends before the standby has it. */
export async function startReplicatedDatabase(how: 'synchronous' | 'asynchronous'): Promise<ReplicatedDatabase> {
  const dataDir = newFolder()
  const primary = await startDatabase({ dataDir })
  await migrate(primary.ownerUrl)
  const copy = await copyFolder(primary, dataDir)
  const reach = new URL(primary.superuserUrl)
  const conninfo = [
    `host=${reach.searchParams.get('host')}`,
    `port=${reach.port}`,
    `user=postgres`,
    `password=${reach.password}`,
    `application_name=standby`,
  ].join(' ')
  writeClusterFile(copy, 'standby.signal', '')
  writeSettings(copy, { primary_conninfo: conninfo })
  const standby = await startDatabase({ dataDir: copy })
  const streams = () => queryRow(primary.superuserUrl, `select 1 from pg_stat_replication where state = 'streaming'`)
  await until(async () => (await streams()) !== undefined)
  if (how === 'synchronous') {
    await queryRow(primary.superuserUrl, `alter system set synchronous_standby_names = 'standby'`)
    await queryRow(primary.superuserUrl, 'select pg_reload_conf()')
    const confirms = () => queryRow(primary.superuserUrl, `select 1 from pg_stat_replication where sync_state = 'sync'`)
    await until(async () => (await confirms()) !== undefined)
  }
  const address = join(newFolder(), 'socket')
  linkSocketFolder(address, primary)
  return {
    url: withSocketHost(primary.serverUrl, address),
    ownerUrl: withSocketHost(primary.ownerUrl, address),
    async stopReplication() {
      const written = await queryRow<{ at: string }>(primary.superuserUrl, 'select pg_current_wal_lsn()::text as at')
      const replayed = `select 1 from pg_stat_replication where replay_lsn >= '${written?.at}'`
      await until(async () => (await queryRow(primary.superuserUrl, replayed)) !== undefined)
      await queryRow(standby.superuserUrl, `alter system set primary_conninfo = ''`)
      await queryRow(standby.superuserUrl, 'select pg_reload_conf()')
      await until(async () => (await streams()) === undefined)
    },
    async failOver(whileAway) {
      const postmaster = Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(postmaster, 'SIGKILL')
      // Stopped immediately, so that this intended crash is not followed by an automatic restart.
      await primary.stop()
      await whileAway?.()
      await queryRow(standby.superuserUrl, 'select pg_promote()')
      linkSocketFolder(address, standby)
    },
    async stop() {
      await primary.stop()
      await standby.stop()
      for (const folder of [dataDir, copy]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
