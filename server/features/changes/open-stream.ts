/** One open stream of changes: who hears it, and how it ends. */
import type { Writable } from 'node:stream'
import type { StaffRole } from '#rules/actors.ts'
import type { StaffCaller } from '../../http/sessions.ts'

export interface Stream {
  readonly sessionId: string
  roles: readonly StaffRole[]
  write(text: string): void
  end(): void
}

/** Somebody who reads leaves nothing lying; anyone who does not is cut off, and reads again when the page is back. */
const unreadBytesMax = 64 * 1024

/** Begins a stream over an answer, and keeps it among `streams` for as long as it may be written to. */
export function openStream(
  streams: Set<Stream>,
  answer: Writable,
  { sessionId, roles }: Pick<StaffCaller, 'sessionId' | 'roles'>,
): Stream {
  const stream: Stream = {
    sessionId,
    roles,
    write(text) {
      if (answer.writableLength > unreadBytesMax) answer.destroy()
      else answer.write(text)
    },
    // An answer that its reader does not take stays open behind its end: nothing more is written to it.
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
