/** A connection that receives the database's notifications on some channels. */
import { openLastingConnection, type AliveTimes, type LastingConnection } from './lasting-connection.ts'

interface ListenOptions {
  readonly url: string
  readonly channels: readonly ('settings' | 'keys' | 'changes' | 'figures' | 'streams')[]
  onNotification(payload: string, channel: string): void
  /** Called after a reconnect: notifications sent in between are lost. */
  onReconnect(): void
  /** The connection was lost, or could not be opened; the next attempt follows in a second, without a limit. */
  onError(error: Error): void
  readonly alive?: AliveTimes
}

/** Listens until `stop`. Resolves once the first connection is set up; rejects if that one cannot be opened. */
export function listenTo({
  url,
  channels,
  onNotification,
  onReconnect,
  onError,
  alive,
}: ListenOptions): Promise<LastingConnection> {
  return openLastingConnection({
    url,
    name: channels.join('-'),
    alive,
    async begin(connection) {
      connection.on('notification', ({ payload = '', channel }) => onNotification(payload, channel))
      await connection.query(channels.map((channel) => `listen ${channel}`).join('; '))
    },
    onReconnect,
    onError,
  })
}
