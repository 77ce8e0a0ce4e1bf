/** A connection that hears what the database announces on some channels, and comes back on its own after every break. */
import pg from 'pg'
import { connectionTo } from './connection-config.ts'
import { aliveEveryMs, answerMs, watchConnection } from './connection-watchdog.ts'

const reconnectMs = 1_000

export interface ListenOptions {
  readonly url: string
  readonly channels: readonly ('settings' | 'keys' | 'changes')[]
  heard(payload: string, channel: string): void
  /** Called after a reconnect: notifications sent in between are lost. */
  missed(): void
  /** It broke, or could not be opened; the next try follows in a second, for as long as it takes. */
  onError(error: Error): void
  /** How often it is asked whether it still answers, and how long that may take; half a minute and 5 s unless told. */
  readonly alive?: { readonly everyMs: number; readonly answerMs: number }
}

export interface ChannelListener {
  stop(): Promise<void>
}

/** Listens until `stop`. Resolves once the first connection stands; rejects where that one cannot be opened. */
export async function listenTo(options: ListenOptions): Promise<ChannelListener> {
  const { url, channels, heard, missed, onError, alive = { everyMs: aliveEveryMs, answerMs } } = options
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let connection: pg.Client
  let unwatch = () => {}

  const open = async (): Promise<void> => {
    const own = new pg.Client({
      ...connectionTo(url),
      application_name: `portal-${channels.join('-')}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: alive.answerMs,
    })
    connection = own
    let listens = false
    const lost = (error: Error): void => {
      if (!listens) return
      listens = false
      unwatch()
      void own.end()
      onError(error)
      comeBack()
    }
    own.on('notification', ({ payload = '', channel }) => heard(payload, channel))
    own.on('error', lost)
    await own.connect()
    try {
      await own.query(channels.map((channel) => `listen ${channel}`).join('; '))
    } catch (error) {
      own.end().catch(() => undefined)
      throw error
    }
    listens = true
    unwatch = watchConnection(own, alive.everyMs, lost)
  }
  const comeBack = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      open().then(missed, (error: Error) => {
        onError(error)
        comeBack()
      })
    }, reconnectMs)
    timer.unref()
  }
  await open()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      unwatch()
      await connection.end()
    },
  }
}
