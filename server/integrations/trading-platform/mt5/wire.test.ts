/** The calls as they are on the wire, and responses that the simulator does not give. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { platformAccount } from '#tests/platform-account.ts'
import { newOperationRef } from '#tests/trading-platform.ts'
import { Unknown } from '../../errors.ts'
import { challengeAnswer, passwordHash } from './handshake.ts'
import { mt5 } from './mt5.ts'
import { Mt5Session, TimedOut } from './session.ts'

interface SeenCall {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: string
}

const password = 'Simulator-1'
const group = 'real\\standard-EUR'
const done = { retcode: '0 Done' }
let stop = async () => {}
afterEach(() => stop())

/** Starts an access server that signs our login in and answers its calls; null is no answer. */
async function accessServer(answer: (path: string) => object | string | null) {
  const calls: SeenCall[] = []
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const query = Object.fromEntries(searchParams)
    const body = await text(request)
    const reply = () => {
      if (path === '/api/auth/start') return { ...done, srv_rand: '00'.repeat(16) }
      if (path === '/api/auth/answer')
        return { ...done, cli_rand_answer: challengeAnswer(passwordHash(password), query['cli_rand'] ?? '') }
      if (path === '/api/quit') return done
      calls.push({ path, query, body })
      return answer(path)
    }
    const value = reply()
    if (value !== null) response.end(typeof value === 'string' ? value : JSON.stringify(value))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const logged: object[] = []
  const log = { info: () => undefined, warn: (values: object) => void logged.push(values) }
  const platform = mt5({ url: `http://127.0.0.1:${port}`, login: '1000', password, log })
  stop = async () => {
    await platform.close()
    server.closeAllConnections()
    server.close()
  }
  return { platform, port, calls, logged }
}

test('values are escaped in the address, and plain JSON in the body', async () => {
  const { platform, calls } = await accessServer((path) => {
    if (path === '/api/group/get') return { ...done, answer: { Group: group, Currency: 'EUR' } }
    return path === '/api/user/add' ? { retcode: '8 Not enough permissions' } : done
  })
  const request = platformAccount(newOperationRef(), group, { name: 'A=B|C', main: 'Ab1=xyz#9|\\q' })
  await expect(platform.createAccount(request)).rejects.toMatchObject({ code: 'mt5:8' })
  const added = calls.find(({ path }) => path === '/api/user/add')
  expect(added?.query).toEqual({ group: 'real\\\\standard-EUR', name: 'A\\=B\\|C', leverage: '30' })
  expect(JSON.parse(added?.body ?? '')).toMatchObject({ Group: group, Name: 'A=B|C', PassMain: 'Ab1=xyz#9|\\q' })
  await platform.setPassword('5100001', 'main', 'Ab1=xyz#9|\\q')
  expect(calls.at(-1)?.body).toBe('{"Login":"5100001","Type":"main","Password":"Ab1=xyz#9|\\\\q"}')
})

test('several logins in a body are an array of numbers', async () => {
  const { platform, calls } = await accessServer(() => ({ retcode: '1 Done' }))
  await platform.history?.openTrades(['5100001', '5100002'])
  expect(calls.map(({ path, body }) => [path, body])).toEqual([
    ['/api/position/get_batch', '{"login":[5100001,5100002]}'],
    ['/api/order/get_batch', '{"login":[5100001,5100002]}'],
  ])
})

test('an oversized response to a write has an unknown outcome, because the write may have been applied', async () => {
  const { platform, calls } = await accessServer((path) => {
    if (path === '/api/group/get') return { ...done, answer: { Group: group, Currency: 'EUR' } }
    return { ...done, answer: { Login: '5100001', padding: ' '.repeat(33_000_000) } }
  })
  await expect(platform.createAccount(platformAccount(newOperationRef(), group))).rejects.toThrow(Unknown)
  expect(calls.filter(({ path }) => path === '/api/user/add')).toHaveLength(1)
})

test('the log and the error of a damaged response do not quote it', async () => {
  const { platform, logged } = await accessServer(() => '{"retcode":"0 Done","answer":{"Email":anna@example.com}}')
  const error = await platform.getAccount('5100001').catch((failure: unknown) => failure)
  expect(error).toMatchObject({
    message: expect.stringContaining('/api/user/get'),
    cause: { message: 'The response is not JSON' },
  })
  expect(logged).toHaveLength(1)
  expect(inspect([logged, error])).not.toContain('anna')
})

test('a server that ignores the offset of a page ends the reading of deals', async () => {
  const deals = Array.from({ length: 100 }, (_, index) => ({ Deal: String(index), Login: '5100001', Action: '0' }))
  const { platform, calls } = await accessServer((path) => {
    if (path === '/api/time/server') return { ...done, answer: { Time: '1790000000 2026.09.21' } }
    if (path === '/api/user/get') return { ...done, answer: { Login: '5100001', Group: group } }
    if (path === '/api/group/get') return { ...done, answer: { Group: group, Currency: 'EUR' } }
    return { ...done, answer: deals }
  })
  await expect(platform.balanceOperations('5100001', new Date(0), new Date())).rejects.toThrow('repeats')
  expect(calls.filter(({ path }) => path === '/api/deal/get_page')).toHaveLength(2)
})

test('a response that does not arrive in time is told from other failures', async () => {
  const { port, calls } = await accessServer((path) => (path === '/api/deal/get_batch' ? null : done))
  const session = new Mt5Session({ url: `http://127.0.0.1:${port}`, login: '1000', password })
  await session.call({ path: '/api/test/access', kind: 'question' })
  const time = new AbortController()
  const bound = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  const answer = expect(session.call({ path: '/api/deal/get_batch', kind: 'question' })).rejects.toThrow(TimedOut)
  await expect.poll(() => calls.length).toBe(2)
  bound.mockRestore()
  time.abort()
  await answer
  await session.close()
})
