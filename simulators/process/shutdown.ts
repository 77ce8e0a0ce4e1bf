/** Start and shutdown of every simulator: two listeners on loopback, one announcement, no orphans. */
import { flushCompileCache } from 'node:module'
import type { Server } from 'node:net'

const loopback = '127.0.0.1'

/** Listens on PORT and SWITCH_PORT, announces both ports, and ends the process with its parent or on a signal. */
export async function listenAndAnnounce(wire: Server, switches: Server): Promise<{ port: number; switchPort: number }> {
  const port = await listen(wire, portOf('PORT'))
  const switchPort = await listen(switches, portOf('SWITCH_PORT'))
  const announcement = { ready: true, port, switchPort }
  process.stdout.write(`${JSON.stringify(announcement)}\n`)
  process.send?.(announcement)
  // Stored now: a process that is killed stores nothing, and the next one would compile everything again.
  flushCompileCache()
  for (const event of ['disconnect', 'SIGTERM', 'SIGINT']) process.once(event, () => process.exit(0))
  return { port, switchPort }
}

function portOf(name: string): number {
  const text = process.env[name] ?? '0'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} is not a port: ${text}`)
  return port
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, loopback, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('No port is bound'))
      else resolve(address.port)
    })
  })
}
