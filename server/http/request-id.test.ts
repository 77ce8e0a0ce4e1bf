/** The id of a request as proxies know it: accepted, returned and logged (ADR 193). */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/factories.ts'
import { until } from '#tests/until.ts'

const logged: Record<string, unknown>[] = []
let server: TestServer
beforeAll(async () => {
  const logTo = { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) }
  server = await startTestServer({ env: { LOG_LEVEL: 'trace' }, logTo, workers: true })
})
afterAll(() => server.stop())

const ownIdPattern = /^[0-9A-HJKMNP-TV-Z]{8}$/

async function requestIdOf(path: string, id?: string): Promise<string> {
  const answer = await fetch(server.url + path, { headers: id === undefined ? {} : { 'x-request-id': id } })
  await answer.text()
  return answer.headers.get('x-request-id') ?? ''
}

test.each(['/healthz', '/api/settings', '/api/absent', '/%', '/brand.css'])(
  '%s returns a well-formed request id unchanged, and replaces any other with one of ours',
  async (path) => {
    for (const sent of ['0f2c7a9d41e84bb19a30c5d2e6f7a8b9', '7b0c2f9e-0c1d-4c55-9a57-2f0a3a0b9d11', 'A.b_c-12'])
      expect(await requestIdOf(path, sent)).toBe(sent)
    const malformed = [
      'short',
      'a'.repeat(65),
      '-leading-dash',
      'two words',
      '"quoted-id"',
      'a;b=c,d=e',
      '<script>1</script>',
    ]
    for (const sent of [undefined, ...malformed]) expect(await requestIdOf(path, sent)).toMatch(ownIdPattern)
  },
)

test('a log line contains both the id of the proxy and the reference shown to the user', async () => {
  const id = 'proxy-0123456789abcdef'
  await requestIdOf('/api/absent', id)
  await until(() => logged.some(({ requestId }) => requestId === id))
  const line = logged.find(({ requestId }) => requestId === id)
  expect(line).toMatchObject({ msg: 'answered', status: 404, reference: expect.stringMatching(ownIdPattern) })
})

test('a request that is not valid HTTP gets the reference in the header and the body', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname, () => socket.write('no HTTP\r\n\r\n'))
  let text = ''
  for await (const part of socket.setEncoding('utf8')) text += String(part)
  const { reference } = JSON.parse(text.split('\r\n\r\n')[1] ?? '{}') as { reference: string }
  expect(reference).toMatch(ownIdPattern)
  expect(text).toContain(`x-request-id: ${reference}\r\n`)
})

test('each log line, including those of the job runner, has version, role, host and process', async () => {
  await until(() => logged.some(({ msg }) => String(msg).startsWith('queue: ')))
  for (const line of logged)
    expect(line).toMatchObject({ version: expect.any(String), role: 'all', host: expect.any(String), pid: process.pid })
})
