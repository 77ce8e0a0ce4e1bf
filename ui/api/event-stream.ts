/**
 * A stream of server events, read with fetch because EventSource cannot send the bearer token; reconnects after each
 * interruption, and after silence, because a lost connection is not always reported.
 */
import { heartbeatMs } from '#rules/constants.ts'
import type { Session } from '../auth/session.ts'

const againMsMin = 1000
const againMsMax = 30_000
/** Two heartbeats of the server may be lost or late. */
const silenceMsMax = 2.5 * heartbeatMs

interface FollowOptions {
  readonly path: string
  readonly session: Pick<Session, 'token' | 'reject'>
  readonly signal: AbortSignal
  /** Called with the data of each event, parsed as JSON. */
  onEvent(data: unknown): void
  /** Called when the stream is connected; earlier events were missed. `again` after a former connection. */
  onOpen?(again: boolean): Promise<void>
}

/** Follows a stream until the signal aborts; waits longer after each failed connection. */
export async function followStream(options: FollowOptions): Promise<void> {
  const { signal } = options
  let againMs = againMsMin
  let again = false
  while (!signal.aborted) {
    const begun = Date.now()
    try {
      await connect(options, again)
    } catch {
      // An interrupted stream reconnects below.
    }
    again = true
    if (Date.now() - begun > againMsMax) againMs = againMsMin
    await pause(againMs, signal)
    againMs = Math.min(againMs * 2, againMsMax)
  }
}

/** Reads the stream until it ends, the signal aborts, or nothing has arrived for too long. */
async function connect(options: FollowOptions, again: boolean): Promise<void> {
  const connection = new AbortController()
  const end = () => connection.abort()
  options.signal.addEventListener('abort', end, { signal: connection.signal })
  let silence = setTimeout(end, silenceMsMax)
  const onArrival = () => {
    clearTimeout(silence)
    silence = setTimeout(end, silenceMsMax)
  }
  try {
    await readStream({ ...options, signal: connection.signal }, again, onArrival)
  } finally {
    clearTimeout(silence)
    end()
  }
}

async function readStream(
  { path, session, signal, onEvent, onOpen }: FollowOptions,
  again: boolean,
  onArrival: () => void,
): Promise<void> {
  const token = session.token()
  if (token === null) return
  const response = await fetch(path, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'x-background': '1' },
    signal,
  })
  // With another token it connects again.
  if (response.status === 401) await session.reject(token)
  if (!response.ok || !response.body) return
  await onOpen?.(again)
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    onArrival()
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = dataOf(event)
      if (data !== '') onEvent(JSON.parse(data))
    }
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n')
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
