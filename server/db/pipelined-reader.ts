/**
 * Connections for short reads, each with several statements in progress (PostgreSQL's pipelining): under load the two
 * sides wake each other less often, and a server answers a third more reads than with a connection for each. Reads that
 * a lane does not answer in time go to the pool; only speed depends on a lane.
 */
import pg from 'pg'
import { connectionTo } from './connection-config.ts'
import { prepared, rows, type Connection, type Sql } from './sql.ts'
import { isConnectionError, isTransientError } from './connection-errors.ts'

/** One is enough for a server; the other takes over if it is delayed. */
const lanesOfPool = 2
/** The maximum number of statements in progress on a lane. */
const underWayMax = 16
/** No statement is queued behind one that takes longer. */
const briefMs = 20
export interface LaneTimeouts {
  /** After this time PostgreSQL cancels a statement, so that those behind it can continue. */
  readonly statementMs: number
  /** If not even the cancellation arrives in this time, the connection is lost. */
  readonly silenceMs: number
}

const defaultLaneTimeouts: LaneTimeouts = { statementMs: 1_000, silenceMs: 1_500 }
const connectMs = 5_000
const reopenMs = 1_000

class Lane {
  readonly #config: pg.ClientConfig
  readonly #onError: (error: Error) => void
  #connection: pg.Client | null = null
  #isOpening = false
  #opensFrom = 0
  /** When the statement in front became the first. */
  #frontSince = 0
  #underWay = 0

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config
    this.#onError = onError
  }

  /**
   * Returns whether a statement would be answered soon. Opens the lane if it is not open; the pool is used meanwhile.
   */
  hasRoom(now: number): boolean {
    if (this.#connection)
      return this.#underWay === 0 || (this.#underWay < underWayMax && now - this.#frontSince < briefMs)
    if (!this.#isOpening && now >= this.#opensFrom) void this.#open()
    return false
  }

  async query<Row extends object>(statement: pg.QueryConfig, now: number): Promise<Row[]> {
    if (!this.#connection) throw new Error('the reader is not open')
    if (this.#underWay === 0) this.#frontSince = now
    this.#underWay += 1
    try {
      const result = await this.#connection.query<Row & pg.QueryResultRow>(statement)
      return result.rows
    } finally {
      this.#underWay -= 1
      this.#frontSince = performance.now()
    }
  }

  async #open(): Promise<void> {
    this.#isOpening = true
    const connection = new pg.Client(this.#config)
    connection.on('error', (error) => {
      if (this.#connection !== connection) return
      this.#lose()
      this.#onError(error)
    })
    connection.on('end', () => {
      if (this.#connection === connection) this.#lose()
    })
    try {
      await connection.connect()
      this.#connection = connection
    } catch (error) {
      // The pool also detects an outage and reports it.
      if (!isConnectionError(error)) this.#onError(error as Error)
      this.#lose()
    }
    this.#isOpening = false
    if (this.#opensFrom === Infinity) await this.close()
  }

  #lose(): void {
    this.#connection = null
    this.#opensFrom = Math.max(this.#opensFrom, performance.now() + reopenMs)
  }

  async close(): Promise<void> {
    this.#opensFrom = Infinity
    const connection = this.#connection
    this.#connection = null
    await connection?.end()
  }
}

const lanesOf = new WeakMap<Connection, readonly Lane[]>()

/** Creates a pool's lanes, which open when they are first needed. */
export function openPipelinedReader(
  pool: pg.Pool,
  url: string,
  onError: (error: Error) => void,
  { statementMs, silenceMs }: LaneTimeouts = defaultLaneTimeouts,
): { close(): Promise<unknown> } {
  const config: pg.ClientConfig = {
    ...connectionTo(url),
    application_name: 'portal-reads',
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: silenceMs,
  }
  const lanes = Array.from({ length: lanesOfPool }, () => new Lane(config, onError))
  lanesOf.set(pool, lanes)
  return { close: () => Promise.all(lanes.map((lane) => lane.close())) }
}

/**
 * Returns all rows of a short read, by a pipelined connection of the pool if one has room. Use `rows` inside
 * transactions and for everything else.
 */
export async function pipelinedRows<Row extends object>(connection: Connection, statement: Sql): Promise<Row[]> {
  const now = performance.now()
  const lane = lanesOf.get(connection)?.find((one) => one.hasRoom(now))
  if (!lane) return rows(connection, statement)
  try {
    return await lane.query<Row>(prepared(statement), now)
  } catch (error) {
    if (isTransientError(error)) return rows(connection, statement)
    throw error
  }
}
