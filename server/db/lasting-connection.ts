/** A connection that waits for long, to hear or to hold something, and comes back on its own after every break. */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from './connection-config.ts'

export const reconnectMs = 1_000

/** How often it is asked whether it still answers, and how long that may take. */
export interface AliveTimes {
  readonly everyMs: number
  readonly answerMs: number
}

interface LastingConnectionOptions {
  readonly url: string
  /** Named in the database's list of connections. */
  readonly name: string
  /** Half a minute and 5 s unless told. */
  readonly alive?: AliveTimes | undefined
  /** What each connection begins with, the first one and those that come back. */
  begin(connection: pg.Client): Promise<void>
  /** Called after a reconnect. */
  cameBack?(): void
  /** It broke, or could not be opened; the next try follows in a second, for as long as it takes. */
  onError(error: Error): void
}

export interface LastingConnection {
  stop(): Promise<void>
}

/** Keeps a connection until `stop`. Resolves once the first one has begun; rejects where that one cannot be opened. */
export async function keepConnection(options: LastingConnectionOptions): Promise<LastingConnection> {
  const { url, name, begin, cameBack, onError, alive = { everyMs: 30_000, answerMs: 5_000 } } = options
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
    let stands = false
    const lost = (error: Error): void => {
      if (!stands || stopped) return
      stands = false
      unwatch()
      own.end().catch(() => undefined)
      onError(error)
      void comeBack()
    }
    own.on('error', lost)
    await own.connect()
    try {
      await begin(own)
    } catch (error) {
      own.end().catch(() => undefined)
      throw error
    }
    stands = true
    unwatch = watch(own, alive.everyMs, lost)
  }
  const comeBack = async (): Promise<void> => {
    await wait(reconnectMs, undefined, { ref: false })
    if (stopped) return
    await open().then(cameBack, (error: Error) => {
      if (stopped) return
      onError(error)
      void comeBack()
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
 * Calls `silent` once the connection gives no answer within its `query_timeout`: a network that lost it tells no one, and
 * the system itself asks after two hours (requirements 33.29). Answers how the watch ends.
 */
function watch(connection: pg.Client, everyMs: number, silent: (error: Error) => void): () => void {
  const timer = setInterval(() => void connection.query('select 1').catch(silent), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
