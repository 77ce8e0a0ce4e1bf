/**
 * Connections for brief reads, each with several statements under way (PostgreSQL's pipelining): under load one side has
 * to wake the other less often, and a server answers a third more reads than with a connection for each. What a lane
 * does not give in time, the pool gives; nothing but time depends on a lane.
 */
import pg from 'pg'
import { connectionTo } from './connection-config.ts'
import { prepared, rows, type Connection, type Sql } from './sql.ts'
import { isConnectionError, isTransientError } from './connection-errors.ts'

/** One is enough for a server; the other takes over where it is held up. */
const lanesOfPool = 2
/** More do not wait behind each other. */
const underWayMax = 16
/** No one gets behind a statement that takes longer. */
const briefMs = 20
export interface LanePatience {
  /** PostgreSQL gives a statement up, for the sake of those behind it. */
  readonly statementMs: number
  /** One that does not even say so has lost its connection. */
  readonly silenceMs: number
}

const usualPatience: LanePatience = { statementMs: 1_000, silenceMs: 1_500 }
const connectMs = 5_000
const reopenMs = 1_000

class Lane {
  readonly #config: pg.ClientConfig
  readonly #onError: (error: Error) => void
  #connection: pg.Client | null = null
  #isOpening = false
  #opensFrom = 0
  /** When the statement in front got there. */
  #frontSince = 0
  #underWay = 0

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config
    this.#onError = onError
  }

  /**
   * Returns whether a statement would be answered soon. Opens the lane where it is not open; the pool serves meanwhile.
   */
  hasRoom(now: number): boolean {
    if (this.#connection)
      return this.#underWay === 0 || (this.#underWay < underWayMax && now - this.#frontSince < briefMs)
    if (!this.#isOpening && now >= this.#opensFrom) void this.#open()
    return false
  }

  async query<Row extends object>(statement: pg.QueryConfig, now: number): Promise<Row[]> {
    if (!this.#connection) throw new Error('a lane was used that is not open')
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
      // The pool meets an outage too, and reports it.
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

/** Gives a pool its lanes, which open when they are first needed. */
export function openPipelinedReader(
  pool: pg.Pool,
  url: string,
  onError: (error: Error) => void,
  { statementMs, silenceMs }: LanePatience = usualPatience,
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
