/** A connection that hears what the database announces on some channels, and comes back by itself after every break. */
import pg from 'pg'

const reconnectMs = 1_000

export interface ListenOptions {
  readonly url: string
  readonly channels: readonly ('settings' | 'keys' | 'changes')[]
  heard(payload: string, channel: string): void
  /** The connection came back: what was announced in between is lost. */
  missed(): void
  /** It broke, or could not be opened; the next try follows in a second, for as long as it takes. */
  onError(error: Error): void
}

export interface ChannelListener {
  stop(): Promise<void>
}

/** Listens until `stop`. Resolves once the first connection stands; rejects where that one cannot be opened. */
export async function listenTo(options: ListenOptions): Promise<ChannelListener> {
  const { url, channels, heard, missed, onError } = options
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let connection: pg.Client

  const open = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: url,
      application_name: `portal-${channels.join('-')}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    connection = own
    let listens = false
    own.on('notification', ({ payload = '', channel }) => heard(payload, channel))
    own.on('error', (error) => {
      if (!listens) return
      listens = false
      onError(error)
      comeBack()
    })
    await own.connect()
    try {
      await own.query(channels.map((channel) => `listen ${channel}`).join('; '))
    } catch (error) {
      own.end().catch(() => undefined)
      throw error
    }
    listens = true
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
      await connection.end()
    },
  }
}
