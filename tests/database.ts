/** A separate database for a test file: a copy of the migrated template, made within several tenths of a second. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** The server's own role. */
  readonly url: string
  /** The role that owns the tables. */
  readonly ownerUrl: string
  /** The master key of a database that has keys. */
  readonly masterKeyFile?: string
}

/** Creates the database. It is removed with the cluster; the file closes its own pools. */
export async function testDatabase(): Promise<TestDatabase> {
  const { template, masterKeyFile } = inject('cluster')
  return { ...(await copyTemplate(template)), masterKeyFile }
}

/** Creates one without tables, as a firm has on its first day. */
export function emptyDatabase(): Promise<TestDatabase> {
  return copyTemplate('template0')
}

/** Copies a database in use in its current state, as a backup would. The servers' connections are lost and reopened. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  const name = new URL(url).pathname.slice(1)
  const superuser = new pg.Client({ connectionString: inject('cluster').superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(`alter database ${name} allow_connections false`)
    await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    return await copyTemplate(name)
  } finally {
    await superuser.query(`alter database ${name} allow_connections true`)
    await superuser.end()
  }
}

async function copyTemplate(template: string): Promise<TestDatabase> {
  const cluster = inject('cluster')
  const name = `test_${randomBytes(8).toString('hex')}`
  const superuser = new pg.Client({ connectionString: cluster.superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(`create database ${name} template ${template} strategy file_copy owner portal_owner`)
  } finally {
    await superuser.end()
  }
  return { url: withDatabaseName(cluster.serverUrl, name), ownerUrl: withDatabaseName(cluster.ownerUrl, name) }
}

function withDatabaseName(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}
