/** A database of its own for one test file: a copy of the migrated template, made in some tenths of a second. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** The server's own role. */
  readonly url: string
  /** The role that owns the tables. */
  readonly ownerUrl: string
}

/** Makes the database. It ends with the cluster; the file closes its own pools. */
export function testDatabase(): Promise<TestDatabase> {
  return copyOf(inject('cluster').template)
}

/** One without a table, as a firm has it on its first day. */
export function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template0')
}

/** A copy of a database that servers are on, as it is now: what a backup would hold. Their connections break and come back. */
export async function copiedDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  const name = new URL(url).pathname.slice(1)
  const superuser = new pg.Client({ connectionString: inject('cluster').superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(`alter database ${name} allow_connections false`)
    await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    return await copyOf(name)
  } finally {
    await superuser.query(`alter database ${name} allow_connections true`)
    await superuser.end()
  }
}

async function copyOf(template: string): Promise<TestDatabase> {
  const cluster = inject('cluster')
  const name = `test_${randomBytes(8).toString('hex')}`
  const superuser = new pg.Client({ connectionString: cluster.superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(`create database ${name} template ${template} strategy file_copy owner portal_owner`)
  } finally {
    await superuser.end()
  }
  return { url: onDatabase(cluster.serverUrl, name), ownerUrl: onDatabase(cluster.ownerUrl, name) }
}

function onDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}
