/**
 * Open connections when the server stops (ADR 193). While it drains, every response closes its connection, so that a
 * proxy opens the next one, here or elsewhere. Then the listener closes, and connections without a request in progress
 * (a browser opens spare ones, a probe sends half a line) are closed, so that they do not delay a restart; responses in
 * progress have a few seconds.
 */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'

interface DrainTimes {
  /** How long responses in progress may take. */
  readonly answersMsMax: number
  /** How long the first request may take on a connection that was opened just before the listener closed. */
  readonly firstRequestMsMax: number
}

/** Under constant load the listener closes after this number of turns, even without a quiet one. */
const turnsMax = 1_000
/** Listeners that are opened and closed first, so that the code is compiled when it counts. */
const sparesToCompile = 3

async function compileClosing(): Promise<void> {
  for (let spare = 0; spare < sparesToCompile; spare += 1) {
    const listener = new Listener().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    Listener.prototype.close.call(listener)
  }
}

/** Tracks the connections of a server that does not listen yet; from `stopping` on, responses close them. */
export function trackConnections(server: Server, stopping: AbortSignal) {
  const quiet = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  server.on('connection', (socket: Socket) => {
    quiet.add(socket)
    socket.once('close', () => quiet.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    quiet.delete(socket)
    underWay.add(response)
    if (stopping.aborted) response.shouldKeepAlive = false
    response.once('close', () => {
      underWay.delete(response)
      if (!socket.destroyed) quiet.add(socket)
    })
  })
  stopping.addEventListener('abort', () => {
    for (const response of underWay) response.shouldKeepAlive = false
  })
  let arrivals = 0
  for (const event of ['connection', 'request']) server.on(event, () => (arrivals += 1))
  /**
   * Resolves right after a turn of the event loop in which nothing arrived: the system resets connections that it
   * accepted and we did not, and a proxy may not repeat a POST that it sent on one.
   */
  const quietTurn = async (): Promise<void> => {
    for (let turn = 0, before = -1; turn < turnsMax && before !== arrivals; turn += 1) {
      before = arrivals
      await immediate()
    }
  }
  /**
   * Closes only the listener: the server's own `close` walks its connections first, and closing the first listener of
   * a process compiles that code. In the 1 to 2 ms that both take, a connection may be accepted by the system.
   */
  const closeListener = async (): Promise<void> => {
    // Without a free descriptor or a loopback address the stop continues, and the code is compiled while it closes.
    await compileClosing().catch(() => undefined)
    await quietTurn()
    Listener.prototype.close.call(server)
  }
  /** Data that has arrived and is not read yet is read first. */
  const endQuiet = () => setImmediate(() => quiet.forEach((socket) => socket.destroy()))
  return {
    /** Stops listening, runs `close`, which waits for every connection, and ensures that it ends in time. */
    async endWith(close: () => PromiseLike<unknown>, { answersMsMax, firstRequestMsMax }: DrainTimes): Promise<void> {
      await closeListener()
      const closing = close()
      const timers = [setTimeout(() => server.closeAllConnections(), Math.max(answersMsMax, firstRequestMsMax))]
      if (firstRequestMsMax > 0) timers.push(setTimeout(endQuiet, firstRequestMsMax))
      else endQuiet()
      await closing
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
