import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { clamd } from './clamd.ts'

/** Starts a daemon on its own port, which reads a whole INSTREAM and responds with `answer`. */
async function daemon(answer: string | ((socket: Socket) => void)): Promise<{ port: number; received: () => Buffer }> {
  let received = Buffer.alloc(0)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (typeof answer === 'function') answer(socket)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (typeof answer === 'string' && received.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, received: () => received }
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Creates a scanner with a long time-out, because only the test without a response waits for it. */
function scanner(port: number, timeoutMs = 60_000): ReturnType<typeof clamd> {
  return clamd({ host: '127.0.0.1', port, timeoutMs })
}

describe('the virus scanner', () => {
  test('receives the whole file in chunks with their lengths, and a terminator', async () => {
    const { port, received } = await daemon('stream: OK\0')
    const file = Buffer.alloc(150_000, 7)
    expect(await scanner(port).scan(file)).toBe('clean')
    const sent = received()
    expect(sent.subarray(0, 10).toString()).toBe('zINSTREAM\0')
    expect(sent.length).toBe(10 + file.length + 3 * 4 + 4)
    expect(sent.readUInt32BE(10)).toBe(65_536)
  })

  test('reports the name of what it found', async () => {
    const { port } = await daemon('stream: Eicar-Test-Signature FOUND\0')
    expect(await scanner(port).scan(Buffer.from('x'))).toEqual({ infected: 'Eicar-Test-Signature' })
  })

  test.each([
    ['rejects the file for its size', 'INSTREAM size limit exceeded. ERROR\0'],
    ['sends half a response', 'stream: O'],
    ['sends a response without its terminator', 'stream: OK'],
    ['sends another response', 'stream: OKAY\0'],
    ['sends two responses', 'stream: OK\0stream: OK\0'],
    ['closes the connection immediately', (socket: Socket) => void socket.destroy()],
  ])('that %s passes no file', async (_title, answer) => {
    const { port } = await daemon(answer)
    expect(await scanner(port).scan(Buffer.from('x'))).toBe('unavailable')
  })

  test('that does not respond passes no file', async () => {
    const { port } = await daemon(() => undefined)
    expect(await scanner(port, 1).scan(Buffer.from('x'))).toBe('unavailable')
  })

  test('that cannot be reached passes no file', async () => {
    expect(await scanner(1).scan(Buffer.from('x'))).toBe('unavailable')
  })
})
