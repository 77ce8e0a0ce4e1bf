/** Streams of events: their readers, and how they end with the session, the server, or a reader who is gone. */
import type { Writable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Dependencies } from '../dependencies.ts'

const lookAgainMs = 3_000
const heartbeatMs = 20_000
/**
 * A normal reader leaves nothing unread; one that exceeds this is disconnected, and its page reads again when it
 * reconnects.
 */
const unreadBytesMax = 64 * 1024

interface Writer {
  write(text: string): void
  end(): void
}

/** An open stream, with its reader's data. */
export type Stream<Reader extends { readonly sessionId: string }> = Reader & Writer

/** Starts a stream on a response, and keeps it in `streams` for as long as it is writable. */
export function openStream<Reader extends { readonly sessionId: string }>(
  streams: Set<Stream<Reader>>,
  answer: Writable,
  reader: Reader,
): Stream<Reader> {
  const stream: Stream<Reader> = {
    ...reader,
    write(text) {
      if (answer.writableLength > unreadBytesMax) answer.destroy()
      else answer.write(text)
    },
    // The response of a reader who does not read stays open after its end: nothing more is written to it.
    end() {
      streams.delete(stream)
      answer.end()
    },
  }
  streams.add(stream)
  answer.on('close', () => streams.delete(stream))
  stream.write(': open\n\n')
  return stream
}

interface StreamOptions<Reader extends { readonly sessionId: string }> {
  /** The oldest stream of a session is closed for one over this number: a closed page may be noticed late. */
  readonly perSessionMax: number
  /**
   * Checks every 3 s for all of this server's streams whether they may continue, in one statement; ends those that may
   * not.
   */
  lookAgain(streams: readonly Stream<Reader>[]): Promise<void>
}

interface EventStreams<Reader extends { readonly sessionId: string }> {
  readonly streams: ReadonlySet<Stream<Reader>>
  /** Responds to a request with a stream. */
  open(reply: FastifyReply, reader: Reader): Stream<Reader>
  endAll(): void
}

/** Creates the streams of one kind on this server and ends them when it drains. */
export function eventStreams<Reader extends { readonly sessionId: string }>(
  server: FastifyInstance,
  dependencies: Pick<Dependencies, 'config' | 'log' | 'pause' | 'stopping'>,
  { perSessionMax, lookAgain }: StreamOptions<Reader>,
): EventStreams<Reader> {
  const streams = new Set<Stream<Reader>>()
  const endAll = () => streams.forEach((stream) => stream.end())
  const { stopping, config, pause, log } = dependencies
  stopping.addEventListener('abort', () => void endSpread(streams, config.drainMs, pause))
  const look = async (): Promise<void> => {
    // Only the current streams: one that is opened while the database responds is not in its result.
    if (streams.size > 0) await lookAgain([...streams])
  }
  const clocks = [
    setInterval(
      () => void look().catch((error: unknown) => log.warn({ err: error }, 'stream sessions not checked')),
      lookAgainMs,
    ),
    setInterval(() => streams.forEach((stream) => stream.write(': here\n\n')), heartbeatMs),
  ]
  for (const clock of clocks) clock.unref()
  server.addHook('preClose', async () => {
    clocks.forEach((clock) => clearInterval(clock))
    endAll()
  })
  return {
    streams,
    endAll,
    open(reply, reader) {
      endOldest(streams, reader.sessionId, perSessionMax)
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      reply.hijack()
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      return openStream(streams, reply.raw, reader)
    },
  }
}

/**
 * Ends the streams of a draining server one by one, including those opened meanwhile: each page opens its next one on
 * another server, and not all at the same time.
 */
async function endSpread(streams: ReadonlySet<Writer>, withinMs: number, pause: Dependencies['pause']): Promise<void> {
  const eachMs = withinMs / (streams.size + 1)
  for (const stream of streams) {
    await pause(eachMs)
    stream.end()
  }
}

function endOldest(streams: ReadonlySet<Stream<{ sessionId: string }>>, sessionId: string, most: number): void {
  const own = [...streams].filter((one) => one.sessionId === sessionId)
  for (const stream of own.slice(0, Math.max(0, own.length - most + 1))) stream.end()
}
