/**
 * What is open when the server stops: connections on which nothing is being answered (a browser opens spare ones, a
 * probe sends half a line) end at once, so that they hold up no restart; answers under way have a few seconds (K2).
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Watches the connections of a server that has not begun to listen. */
export function trackConnections(server: Server) {
  const quiet = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    quiet.add(socket)
    socket.once('close', () => quiet.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    quiet.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) quiet.add(socket)
    })
  })
  return {
    /** Runs `close`, which waits for every connection, and sees to it that it ends after at most so many ms. */
    async endWith(close: () => PromiseLike<unknown>, answersMsMax: number): Promise<void> {
      const closing = close()
      for (const socket of quiet) socket.destroy()
      const late = setTimeout(() => server.closeAllConnections(), answersMsMax)
      await closing
      clearTimeout(late)
    },
  }
}
