/**
 * Sends requests as fast as they are answered, from a separate process and over bare sockets, so that almost only the
 * server is measured.
 */
import { fork } from 'node:child_process'
import { connect } from 'node:net'

export interface LoadOrder {
  readonly port: number
  /** Whole requests as sent; each connection takes the next. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** The pause after each response. */
  readonly pauseMs?: number
}

export interface LoadReport {
  readonly perSecond: number
  /** Responses other than 200. */
  readonly refused: number
  readonly p95Ms: number
}

/** Runs the load in a child process. */
export function httpLoad(order: LoadOrder): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['load'], { execArgv: [] })
    child.once('message', (report) => resolve(report as LoadReport))
    child.once('exit', (code) => code !== 0 && reject(new Error(`The load ended with ${code}.`)))
    child.send(order)
  })
}

/** Returns a request in the form in which it is sent. */
export function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'localhost:3000',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

async function load(order: LoadOrder): Promise<LoadReport> {
  const times: number[] = []
  let refused = 0
  let next = 0
  const begun = performance.now()
  const countsFrom = begun + order.seconds * 100
  const until = begun + order.seconds * 1000
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(order.port, '127.0.0.1')
      let received = Buffer.alloc(0)
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        if (sentAt >= until) return socket.end(resolve)
        socket.write(order.requests[next++ % order.requests.length] ?? '')
      }
      socket.setNoDelay(true)
      socket.once('connect', send)
      socket.once('error', reject)
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const text = received.toString('latin1', 0, head)
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        if (received.length < head + 4 + length) return
        received = Buffer.alloc(0)
        if (sentAt >= countsFrom) times.push(performance.now() - sentAt)
        if (!text.startsWith('HTTP/1.1 200')) refused += 1
        if (order.pauseMs === undefined) send()
        else setTimeout(send, order.pauseMs)
      })
    })
  await Promise.all(Array.from({ length: order.connections }, one))
  const sorted = times.toSorted((a, b) => a - b)
  return {
    perSecond: times.length / ((performance.now() - countsFrom) / 1000),
    refused,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  }
}

if (process.argv[1] === import.meta.filename) {
  process.once('message', (order) => {
    // Once the channel is closed, nothing keeps the process alive.
    void load(order as LoadOrder).then((report) => process.send?.(report, undefined, {}, () => process.disconnect()))
  })
}
