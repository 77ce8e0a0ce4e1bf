/**
 * The same SQL without the product: with pgbench if it is installed, otherwise with a bare driver and named statements.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { measureRate } from './rate.ts'

const hasPgbench = spawnSync('pgbench', ['--version']).status === 0

export function bareRunnerName(): string {
  return hasPgbench ? 'pgbench' : 'pg alone'
}

/**
 * Returns the rounds of all statements per second. `:client_id` counts the connections from 0, as in pgbench; each
 * statement is a transaction.
 */
type Measure = (url: string, statements: readonly string[], connections: number, seconds: number) => Promise<number>

const byPgbench: Measure = async (url, statements, connections, seconds) => {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-sql-'))
  const script = join(folder, 'statements.sql')
  writeFileSync(script, statements.map((statement) => `${oneLine(statement)};\n`).join(''))
  const options = [
    '-n',
    '-M',
    'prepared',
    '-c',
    connections,
    '-j',
    1,
    '-T',
    Math.max(1, Math.round(seconds)),
    '-f',
    script,
  ]
  const reach = ['-h', host, '-p', port, '-U', user ?? '', database ?? '']
  const done = spawnSync('pgbench', [...options, ...reach].map(String), {
    encoding: 'utf8',
    env: { ...process.env, PGPASSWORD: String(password) },
  })
  rmSync(folder, { recursive: true, force: true })
  const [, rate] = /tps = ([\d.]+)/.exec(done.stdout) ?? []
  if (done.status !== 0 || rate === undefined) throw new Error(`pgbench did not measure.\n${done.stderr}`)
  return Number(rate)
}

const byDriver: Measure = async (url, statements, connections, seconds) => {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const rate = await measureRate(seconds, connections, async (place) => {
    for (const [number, statement] of statements.entries()) {
      await clients[place]?.query({
        name: `s${number}`,
        text: statement.replaceAll(':client_id', String(place)),
        values: [],
      })
    }
  })
  await Promise.all(clients.map((client) => client.end()))
  return rate
}

export const bareRate = hasPgbench ? byPgbench : byDriver

/** Returns one of our statements with its values inserted: the same text for every run. */
export function inlineValues(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]))
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  if (typeof value !== 'string') throw new Error('the bench compares statements of plain values')
  return `'${value.replaceAll("'", "''")}'`
}

function oneLine(statement: string): string {
  return statement.replace(/\s*\n\s*/g, ' ')
}
