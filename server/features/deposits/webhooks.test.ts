import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type RunningSimulator } from '#server/integrations/start-simulator.ts'
import { cardEnv } from '../../../tests/card-provider.ts'
import { startServerWithPlatform, type ServerWithPlatform } from '../../../tests/funded-account.ts'
import type { TestServer } from '../../../tests/factories.ts'

let place: ServerWithPlatform
let server: TestServer
let cards: RunningSimulator

beforeAll(async () => {
  cards = await startSimulator('card-provider')
  place = await startServerWithPlatform({ env: cardEnv(cards) })
  server = place.server
})
afterAll(async () => {
  await place.stop()
  await cards.stop()
})

const address = () => `${server.url}/api/webhooks/card`

function verified(value?: string): Promise<Response> {
  return fetch(address(), value === undefined ? {} : { headers: { 'X-GCS-Webhooks-Endpoint-Verification': value } })
}

test('the address is taken by the provider, which asks it to echo a header as plain text', async () => {
  await cards.turn('webhooks/endpoint', { url: address() })
  await expect(cards.turn('webhooks/endpoint', { url: server.url })).rejects.toThrow('verification')
  const answer = await verified('<script>alert(1)</script>')
  expect([answer.status, await answer.text()]).toEqual([200, '<script>alert(1)</script>'])
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['nothing', undefined],
  ['more than 200 characters', 'x'.repeat(201)],
  ['spaces', 'a b'],
])('the address echoes no header with %s', async (_case, value) => {
  expect((await verified(value)).status).toBe(400)
})
