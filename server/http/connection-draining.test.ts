import { connect, Server as Listener, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '#tests/factories.ts'

/** Long enough for a stop that waited for it to exceed the time limit of the test. */
const aMonthMs = 2 ** 31 - 1

/** Opens a connection, sends `text`, and waits for the first bytes of the response if there is one. */
async function openConnection(server: TestServer, text: string, answered: boolean): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await new Promise((done) => socket.once('connect', done))
  // The server has received it, too, once a later connection was answered.
  socket.write(text)
  if (answered) await new Promise((done) => socket.once('data', done))
  await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })
  return socket
}

test.each([
  ['has sent nothing', '', false],
  ['has sent half a line', 'GET /healthz HTTP/1.1\r\nho', false],
  ['is idle after a response', 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n', true],
])('a connection that %s does not delay a stop, however long responses may take', async (_, text, answered) => {
  const server = await startTestServer({ answersMsMax: aMonthMs })
  const socket = await openConnection(server, text, answered)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await server.stop()
  await closed
})

test('a stop waits for a body that never ends only as long as a response may take', async () => {
  const server = await startTestServer({ answersMsMax: 1 })
  const head =
    'POST /api/users/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'
  const socket = await openConnection(server, head, false)
  socket.on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await server.stop()
  await closed
})

test('a server that cannot open another listener still stops', async () => {
  const server = await startTestServer()
  const listen = vi.spyOn(Listener.prototype, 'listen').mockImplementation(function (this: Listener) {
    process.nextTick(() => this.emit('error', new Error('EMFILE')))
    return this
  })
  onTestFinished(() => listen.mockRestore())
  await server.stop()
  expect(listen).toHaveBeenCalled()
})
