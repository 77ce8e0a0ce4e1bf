/** A connection that hears what the database announces on some channels. */
import { keepConnection, type AliveTimes, type LastingConnection } from './lasting-connection.ts'

interface ListenOptions {
  readonly url: string
  readonly channels: readonly ('settings' | 'keys' | 'changes' | 'figures')[]
  heard(payload: string, channel: string): void
  /** Called after a reconnect: notifications sent in between are lost. */
  missed(): void
  /** It broke, or could not be opened; the next try follows in a second, for as long as it takes. */
  onError(error: Error): void
  readonly alive?: AliveTimes
}

/** Listens until `stop`. Resolves once the first connection stands; rejects where that one cannot be opened. */
export function listenTo({ url, channels, heard, missed, onError, alive }: ListenOptions): Promise<LastingConnection> {
  return keepConnection({
    url,
    name: channels.join('-'),
    alive,
    async begin(connection) {
      connection.on('notification', ({ payload = '', channel }) => heard(payload, channel))
      await connection.query(channels.map((channel) => `listen ${channel}`).join('; '))
    },
    cameBack: missed,
    onError,
  })
}
