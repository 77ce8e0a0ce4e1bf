/** A reader of one of the server's streams of events. */
import { request } from 'node:http'

export interface EventStream {
  readonly status: number
  /** Waits for the data of the next event. */
  next(): Promise<string>
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  /** Closes the connection. */
  close(): void
}

/** Opens a stream with a token; resolves with the head of its response. */
export function openEventStream(url: URL, token: string | null): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const asked = request(url, { headers }, (response) => {
      let text = ''
      let wake = () => undefined as void
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        wake()
      })
      const ended = new Promise<void>((done) => response.on('close', done))
      const next = async (): Promise<string> => {
        for (;;) {
          const end = text.indexOf('\n\n')
          if (end >= 0) {
            const event = text.slice(0, end)
            text = text.slice(end + 2)
            if (event.startsWith('data:')) return event.slice(5).trim()
            continue
          }
          await new Promise<void>((done) => {
            wake = done
          })
        }
      }
      resolve({ status: response.statusCode ?? 0, next, ended, close: () => asked.destroy() })
    })
    asked.on('error', reject).end()
  })
}
