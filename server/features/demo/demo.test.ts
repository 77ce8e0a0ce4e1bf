import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/factories.ts'

const sites = {
  'one host for portal and back office': { PORTAL_URL: 'http://localhost:3000' },
  'separate hosts': { PORTAL_URL: 'https://portal.example', OFFICE_URL: 'https://office.example' },
}
const paths = ['/demo', '/demo/demo.js', '/demo/people', '/demo/font.woff2', '/%64emo/people']

describe.each(Object.entries(sites))('the demo page with %s', (_, env) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: { ...env, DEMO: 'on' } })
  })
  afterAll(() => server.stop())

  function statusAt(host: string, path: string, method = 'GET'): Promise<number> {
    const { hostname, port } = new URL(server.url)
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers: { host } }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.once('error', reject).end()
    })
  }

  test.each(['localhost:3000', 'localhost', '127.0.0.1:4000', '[::1]:3000'])('is served at %s', async (host) => {
    for (const path of paths) expect(await statusAt(host, path), path).toBe(200)
  })

  test('is served at the hosts of the portal and the back office', async () => {
    for (const url of Object.values(env)) expect(await statusAt(new URL(url).host, '/demo/people')).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.example:3000',
    'portal.example.evil',
    '10.0.0.7',
    'user@localhost',
  ])('returns 404 at "%s"', async (host) => {
    for (const path of paths) expect(await statusAt(host, path), path).toBe(404)
    expect(await statusAt(host, '/demo/switch', 'POST')).toBe(404)
  })
})

test('the demo page lists only the simulators that have switches', async () => {
  const addresses = { DEMO_MT5_SWITCHES_URL: 'http://127.0.0.1:1', DEMO_MAILBOX_URL: 'http://127.0.0.1:2' }
  const server = await startTestServer({ env: { DEMO: 'on', ...addresses } })
  onTestFinished(() => server.stop())
  const { programs } = (await (await fetch(`${server.url}/demo/people`)).json()) as { programs: string[] }
  expect(programs).toEqual(['mt5', 'mailbox'])
})
