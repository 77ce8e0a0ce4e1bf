/** A long-lived connection, for notifications or locks, that reconnects automatically whenever it is lost. */
import { setInterval as interval, setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from './connection-config.ts'

export const reconnectMs = 1_000

/** How often the connection is checked, and how long a check may take. */
export interface AliveTimes {
  readonly everyMs: number
  readonly answerMs: number
}

interface LastingConnectionOptions {
  readonly url: string
  /** The name in the database's list of connections. */
  readonly name: string
  /** Defaults to 30 s and 5 s. */
  readonly alive?: AliveTimes | undefined
  /** Runs at the start of each connection, the first one and each reconnect. */
  begin(connection: pg.Client): Promise<void>
  /** Called after a reconnect. */
  onReconnect?(): void
  /** The connection was lost, or could not be opened; the next attempt follows in a second, without a limit. */
  onError(error: Error): void
}

export interface LastingConnection {
  stop(): Promise<void>
}

/** Keeps a connection until `stop`. Resolves once the first one is set up; rejects if that one cannot be opened. */
export async function openLastingConnection(options: LastingConnectionOptions): Promise<LastingConnection> {
  const { url, name, begin, onReconnect, onError, alive = { everyMs: 30_000, answerMs: 5_000 } } = options
  let stopped = false
  let connection: pg.Client
  let unwatch = () => {}
  const open = async (): Promise<void> => {
    const own = new pg.Client({
      ...connectionTo(url),
      application_name: `portal-${name}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: alive.answerMs,
    })
    connection = own
    let isReady = false
    const lost = (error: Error): void => {
      if (!isReady || stopped) return
      isReady = false
      unwatch()
      own.end().catch(() => undefined)
      onError(error)
      void reconnect()
    }
    own.on('error', lost)
    await own.connect()
    try {
      await begin(own)
    } catch (error) {
      own.end().catch(() => undefined)
      throw error
    }
    isReady = true
    unwatch = watchResponses(own, alive.everyMs, lost)
  }
  const reconnect = async (): Promise<void> => {
    await wait(reconnectMs, undefined, { ref: false })
    if (stopped) return
    await open().then(onReconnect, (error: Error) => {
      if (stopped) return
      onError(error)
      void reconnect()
    })
  }
  await open()
  return {
    async stop() {
      stopped = true
      unwatch()
      await connection.end()
    },
  }
}

/**
 * Calls `silent` once the connection does not respond within its `query_timeout`: a network that lost it reports
 * nothing, and the operating system checks only after two hours (requirements 33.29). Returns a function that ends the
 * watch.
 */
function watchResponses(connection: pg.Client, everyMs: number, silent: (error: Error) => void): () => void {
  const ended = new AbortController()
  const watch = async (): Promise<void> => {
    // One query at a time: pg deprecates a second one on the same connection.
    for await (const _ of interval(everyMs, undefined, { ref: false, signal: ended.signal }))
      await connection.query('select 1')
  }
  watch().catch(silent)
  return () => ended.abort()
}
