/**
 * A substitute for pg_basebackup, which npm's PostgreSQL does not include: accepts its arguments, copies the cluster
 * between pg_backup_start and pg_backup_stop, and writes a manifest like PostgreSQL. It fails like pg_basebackup for a
 * role that may not replicate, and with the text of STAND_IN_FAILURE.
 */
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    version: { type: 'boolean' },
    pgdata: text,
    format: text,
    'wal-method': text,
    checkpoint: text,
    'manifest-checksums': text,
    'no-password': { type: 'boolean' },
    dbname: text,
  },
})

/** Copies without the files of a running cluster, and without files that disappear meanwhile. */
function copyCluster(from: string, to: string): void {
  const isLeftOut = /\/(postmaster\.(pid|opts)|pg_wal\/.+|backup_manifest|pg_internal\.init)$/
  cpSync(from, to, { recursive: true, filter: (path) => !isLeftOut.test(path) })
}

function fail(text: string): never {
  console.error(`pg_basebackup: error: ${text}`)
  process.exit(1)
}

async function backUp(url: string, to: string): Promise<void> {
  const address = new URL(url)
  if (address.password !== '') throw new Error('the password is among the arguments')
  address.password = encodeURIComponent(process.env['PGPASSWORD'] ?? '')
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  const { rows: own } = await client.query<{ may: boolean }>(
    'select rolsuper or rolreplication as may from pg_roles where rolname = current_user',
  )
  if (!own[0]?.may)
    fail(`FATAL:  permission denied to start WAL sender
DETAIL:  Only roles with the REPLICATION attribute may start a WAL sender process.`)
  if (process.env['STAND_IN_FAILURE']) fail(process.env['STAND_IN_FAILURE'])
  const { rows: places } = await client.query<{ data_directory: string }>('show data_directory')
  const from = places[0]?.data_directory ?? ''
  await client.query(`select pg_backup_start('stand-in', fast => true)`)
  copyCluster(from, to)
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  const paths = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(to, path)).isFile(),
  )
  const files = paths.map((path) => ({
    Path: path,
    'Checksum-Algorithm': values['manifest-checksums'],
    Checksum: createHash('sha256')
      .update(readFileSync(join(to, path)))
      .digest('hex'),
  }))
  rmSync(join(to, 'pg_wal'), { recursive: true, force: true })
  cpSync(join(from, 'pg_wal'), join(to, 'pg_wal'), { recursive: true })
  writeFileSync(join(to, 'backup_manifest'), JSON.stringify({ Files: files }))
}

if (values.version) console.log(`pg_basebackup (PostgreSQL) ${process.env['STAND_IN_VERSION'] ?? '18.4'}`)
else await backUp(values.dbname ?? '', values.pgdata ?? '')
