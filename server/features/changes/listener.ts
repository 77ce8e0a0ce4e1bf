/** One connection per server that hears what the database announces, and tells it to whoever listens. */
import pg from 'pg'
import * as z from 'zod/mini'

const reconnectMs = 1_000

export interface Change {
  readonly kind: string
  readonly id: string
}

const change = z.object({ kind: z.string(), id: z.string() })

export interface ChangesListener {
  /** Hears every change until the answered function is called. */
  hear(listener: (change: Change) => void): () => void
  stop(): Promise<void>
}

/** Connects at the first listener. After a break whoever listens is told `missed`, for changes in between are lost. */
export function listenToChanges(url: string, missed: () => void, onError: (error: Error) => void): ChangesListener {
  const listeners = new Set<(change: Change) => void>()
  let connection: Promise<pg.Client> | null = null
  let stopped = false

  const again = (error: Error): void => {
    onError(error)
    connection = null
    missed()
    if (!stopped && listeners.size > 0) setTimeout(() => void connect(), reconnectMs).unref()
  }
  const connect = async (): Promise<void> => {
    if (connection !== null || stopped) return
    connection = open()
    await connection.catch(again)
  }
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, application_name: 'portal-changes', keepAlive: true })
    client.on('notification', ({ payload = '' }) => {
      const parsed = change.safeParse(JSON.parse(payload))
      if (parsed.success) for (const listener of listeners) listener(parsed.data)
    })
    client.on('error', again)
    await client.connect()
    await client.query('listen changes')
    return client
  }
  return {
    hear(listener) {
      listeners.add(listener)
      void connect()
      return () => void listeners.delete(listener)
    },
    async stop() {
      stopped = true
      const open = await connection?.catch(() => null)
      await open?.end()
    },
  }
}
