/** Streams of events: their readers, and their end with the session, the server or a disconnected reader. */
import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { heartbeatMs } from '#rules/constants.ts'
import { run } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'

const recheckMs = 3_000
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
  onEnd: () => void = () => undefined,
): Stream<Reader> {
  const forget = () => {
    if (streams.delete(stream)) onEnd()
  }
  const stream: Stream<Reader> = {
    ...reader,
    write(text) {
      if (answer.writableLength > unreadBytesMax) answer.destroy()
      else answer.write(text)
    },
    // The response of a reader who does not read stays open after its end: nothing more is written to it.
    end() {
      forget()
      answer.end()
    },
  }
  streams.add(stream)
  answer.on('close', forget)
  stream.write(': open\n\n')
  return stream
}

/** A stream that was opened, or streams that were closed, on any server; the notification's payload. */
const announcement = z.union([
  z.object({ kind: z.string(), opened: z.string(), session: z.string() }),
  z.object({ kind: z.string(), closed: z.array(z.string()) }),
])
type Announcement = z.infer<typeof announcement>
/** A notification has at most 8,000 bytes. */
const closedAtOnce = 100
/** A server that ends does not wait longer to announce its streams: without a database it would wait for each batch. */
const lastAnnouncementsMs = 1_000

interface ClosedStream {
  readonly id: string
  /**
   * Settles once its opening was announced. Its end is announced after that; otherwise others would count it for ever.
   */
  readonly opened: Promise<unknown>
}

interface StreamOptions<Reader extends { readonly sessionId: string }> {
  /** The streams of one kind, the same on every server. */
  readonly kind: string
  /**
   * The oldest stream of a session is closed for one over this number, on whichever servers they are: a closed page may
   * be noticed late.
   */
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
  /** Receives what the servers notify each other on the channel `streams`, this one included. */
  onNotification(payload: string): void
  endAll(): void
}

/** Creates the streams of one kind on this server and ends them when it drains. */
export function createEventStreams<Reader extends { readonly sessionId: string }>(
  server: FastifyInstance,
  dependencies: Pick<Dependencies, 'config' | 'log' | 'pause' | 'pool' | 'stopping'>,
  { kind, perSessionMax, lookAgain }: StreamOptions<Reader>,
): EventStreams<Reader> {
  const streams = new Set<Stream<Reader>>()
  const places = new Map<string, SessionStream>()
  const announcements = createAnnouncer(kind, dependencies.pause, (announced) =>
    run(dependencies.pool)`select pg_notify('streams', ${JSON.stringify(announced)})`.catch((error: unknown) =>
      log.warn({ err: error }, 'event streams not announced'),
    ),
  )
  const endAll = () => streams.forEach((stream) => stream.end())
  const { stopping, config, pause, log } = dependencies
  stopping.addEventListener('abort', () => void endGradually(streams, config.drainMs, pause))
  const look = async (): Promise<void> => {
    // Only the current streams: one that is opened while the database responds is not in its result.
    if (streams.size > 0) await lookAgain([...streams])
  }
  const clocks = [
    setInterval(
      () => void look().catch((error: unknown) => log.warn({ err: error }, 'sessions of event streams not checked')),
      recheckMs,
    ),
    setInterval(() => streams.forEach((stream) => stream.write(': here\n\n')), heartbeatMs),
  ]
  for (const clock of clocks) clock.unref()
  server.addHook('preClose', async () => {
    clocks.forEach((clock) => clearInterval(clock))
    endAll()
    await announcements.end()
  })
  return {
    streams,
    endAll,
    onNotification(payload) {
      const parsed = announcement.safeParse(JSON.parse(payload))
      if (parsed.success && parsed.data.kind === kind) applyAnnouncement(places, parsed.data, perSessionMax)
    },
    open(reply, reader) {
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      reply.hijack()
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      const id = randomUUID()
      const announceEnd = announcements.opened(id, reader.sessionId)
      const stream = openStream(streams, reply.raw, reader, () => {
        places.delete(id)
        announceEnd()
      })
      places.set(id, { sessionId: reader.sessionId, newer: new Set(), isAnnounced: false, end: () => stream.end() })
      return stream
    },
  }
}

/** Announces streams of one kind to all servers; `send` must not fail. */
export function createAnnouncer(
  kind: string,
  pause: Dependencies['pause'],
  send: (announced: Announcement) => Promise<unknown>,
) {
  const closed: ClosedStream[] = []
  const announceClosed = async (): Promise<void> => {
    while (closed.length > 0) {
      const batch = closed.splice(0, closedAtOnce)
      await Promise.all(batch.map(({ opened }) => opened))
      await send({ kind, closed: batch.map(({ id }) => id) })
    }
  }
  return {
    /** Announces an opened stream; returns the function that announces its end. */
    opened(id: string, session: string): () => void {
      const opened = send({ kind, opened: id, session })
      return () => {
        // Those that end together are announced together.
        if (closed.push({ id, opened }) === 1) setImmediate(() => void announceClosed())
      }
    },
    /** Announces the remaining ends, as far as the time allows. */
    async end(): Promise<void> {
      if (closed.length > 0) await Promise.race([announceClosed(), pause(lastAnnouncementsMs)])
      closed.length = 0
    },
  }
}

/** A stream of this server among those of its session on all servers. */
export interface SessionStream {
  readonly sessionId: string
  /** The open streams of the session that were announced after it. */
  readonly newer: Set<string>
  /** Its own announcement was received: those that follow are newer. */
  isAnnounced: boolean
  end(): void
}

/**
 * Applies an announcement to this server's streams. The database delivers all of them in one order to every server, so
 * that each knows the number of newer streams of its own ones; the stream with too many is the oldest, and ends.
 */
export function applyAnnouncement(
  places: ReadonlyMap<string, SessionStream>,
  announced: Announcement,
  perSessionMax: number,
): void {
  if ('closed' in announced) {
    for (const { newer } of places.values()) for (const id of announced.closed) newer.delete(id)
    return
  }
  const own = places.get(announced.opened)
  for (const place of places.values()) {
    if (place === own || place.sessionId !== announced.session || !place.isAnnounced) continue
    place.newer.add(announced.opened)
    if (place.newer.size >= perSessionMax) place.end()
  }
  if (own) own.isAnnounced = true
}

/**
 * Ends the streams of a draining server one by one, including those opened meanwhile: each page opens its next one on
 * another server, and not all at the same time.
 */
async function endGradually(
  streams: ReadonlySet<Writer>,
  withinMs: number,
  pause: Dependencies['pause'],
): Promise<void> {
  const eachMs = withinMs / (streams.size + 1)
  for (const stream of streams) {
    await pause(eachMs)
    stream.end()
  }
}
