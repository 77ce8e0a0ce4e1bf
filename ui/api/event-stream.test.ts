import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followStream } from './event-stream.ts'

const session = { token: () => 'token', reject: async () => true }

/** The server's end of each connection made so far. */
let connections: ReadableStreamDefaultController<Uint8Array>[]
let following: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  connections = []
  following = new AbortController()
  vi.stubGlobal('fetch', async (_path: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({ start: (connection) => void connections.push(connection) })
    signal.addEventListener('abort', () => connections.at(-1)?.error(signal.reason))
    return new Response(body)
  })
})
afterEach(() => {
  following.abort()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a stream without a heartbeat is connected again, and its events are read on', async () => {
  const events: unknown[] = []
  void followStream({ path: '/stream', session, signal: following.signal, onEvent: (data) => events.push(data) })
  const send = (text: string) => connections.at(-1)?.enqueue(new TextEncoder().encode(text))
  await vi.advanceTimersByTimeAsync(0)
  for (let heartbeat = 0; heartbeat < 5; heartbeat += 1) {
    send(': here\n\n')
    await vi.advanceTimersByTimeAsync(20_000)
  }
  send('data: 1\n\n')
  await vi.advanceTimersByTimeAsync(49_000)
  expect({ events, connections: connections.length }).toEqual({ events: [1], connections: 1 })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(connections).toHaveLength(2)
  send('data: 2\n\n')
  await vi.advanceTimersByTimeAsync(0)
  expect(events).toEqual([1, 2])
})
