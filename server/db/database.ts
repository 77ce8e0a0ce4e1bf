/** The connection pools and their settings. Requests, jobs and the listener have separate pools (requirements 22.3). */
import pg from 'pg'
import { connectionTo } from './connection-config.ts'
import { BadConfig } from '../config/read-variable.ts'
import { openPipelinedReader, type LaneTimeouts } from './pipelined-reader.ts'
import { readTimestamp } from './timestamps.ts'
import { isConnectionError } from './connection-errors.ts'

const int8 = 20
const date = 1082
const timestamptz = 1184

pg.types.setTypeParser(int8, BigInt)
// A calendar day has no time zone, so its text is kept.
pg.types.setTypeParser(date, (value: string) => value)
pg.types.setTypeParser(timestamptz, readTimestamp)

const reachMs = 5_000

/** Throws one sentence if PostgreSQL does not respond at the address, or rejects the sign-in. */
export async function assertDatabaseReachable(
  url: string,
  variable: 'DATABASE_URL' | 'DATABASE_OWNER_URL',
): Promise<void> {
  const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: reachMs, query_timeout: reachMs })
  client.on('error', () => undefined)
  const where = `PostgreSQL at ${client.host}:${client.port}`
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (isConnectionError(error))
      throw new BadConfig(`${where} is not responding (${code ?? message}). Start it, or check ${variable}.`)
    throw new BadConfig(`${where} rejected the sign-in: ${message}. Check ${variable}.`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

export interface Database {
  /** For requests. */
  readonly requests: pg.Pool
  /** For jobs and sweeps: neither jobs nor requests can use up the other's connections. */
  readonly jobs: pg.Pool
  /**
   * For settings only: they are also read within transactions, which must not wait for a connection of their own pool.
   */
  readonly settings: pg.Pool
  close(): Promise<void>
}

/** PostgreSQL cancels a statement after this time. */
const statementMs = 15_000
/** A database that hangs cancels nothing itself: after this time the call is abandoned, with its connection. */
const silenceMs = 17_000

interface PoolSizes {
  requests: number
  jobs: number
}

/** Opens the pools. A broken idle connection is logged and replaced; it does not crash the process. */
export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  sizes: PoolSizes = { requests: 16, jobs: 10 },
  patience?: LaneTimeouts,
): Database {
  const requests = openPool(url, sizes.requests, 'requests', onError)
  const jobs = openPool(url, sizes.jobs, 'jobs', onError)
  const settings = openPool(url, 1, 'settings', onError)
  const lanes = openPipelinedReader(requests, url, onError, patience)
  return {
    requests,
    jobs,
    settings,
    async close() {
      await Promise.all([requests.end(), jobs.end(), settings.end(), lanes.close()])
    },
  }
}

function openPool(url: string, max: number, name: string, onError: (error: Error) => void): pg.Pool {
  const made = new pg.Pool({
    ...connectionTo(url),
    max,
    application_name: `portal-${name}`,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    query_timeout: silenceMs,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  made.on('error', onError)
  made.on('connect', (connection) => connection.on('error', onError))
  return made
}
