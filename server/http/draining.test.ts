/**
 * A stopping server leaves the load balancer first and closes its listener last, and rejects nothing meanwhile (ADR
 * 193).
 */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { changesPath } from '#contract/office/inbox.ts'
import { setLanguage } from '#contract/users-session.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, startTestServer, type TestServer } from '#tests/factories.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { until } from '#tests/until.ts'

/** Long enough for a stop that waited for it to exceed the time limit of the test. */
const aMonthMs = 2 ** 31 - 1

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

interface HeldPause {
  readonly ms: number
  end(): void
}

/** Starts a server whose pauses end when the test releases them. */
async function patientServer(): Promise<{ server: TestServer; pauses: HeldPause[] }> {
  const pauses: HeldPause[] = []
  const pause = (ms: number) => new Promise<void>((end) => void pauses.push({ ms, end }))
  const observer = await startTestServer({ env: { DRAIN_SECONDS: '5' } })
  stops.push(() => observer.stop(0))
  const server = await startTestServer({ beside: observer, pause, firstRequestMsMax: aMonthMs })
  return { server, pauses }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
stops.push(async () => agent.destroy())

/** Sends a request on the kept-alive connection if there is one. */
async function sendRequest(server: TestServer, path: string): Promise<IncomingMessage> {
  const [response] = (await once(get(new URL(path, server.url), { agent }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

function refusesConnections(server: TestServer): Promise<boolean> {
  const { hostname: host, port } = new URL(server.url)
  const socket = connect(Number(port), host)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
  }).then((refused) => {
    socket.destroy()
    return refused === true
  })
}

test('a stopping server is alive but not ready, answers every request and closes each connection after its response', async () => {
  const { server, pauses } = await patientServer()
  expect((await sendRequest(server, '/readyz')).statusCode).toBe(200)
  expect((await sendRequest(server, '/healthz')).headers.connection).toBe('keep-alive')
  const stopped = server.stop()
  expect(pauses.map(({ ms }) => ms)).toEqual([5_000])
  const client = await makeClient(server)
  const answers = [await sendRequest(server, '/readyz'), await sendRequest(server, '/healthz')]
  const spoken = await call(server, setLanguage, { as: client, body: { language: 'de' } })
  expect([answers[0]?.statusCode, answers[1]?.statusCode, spoken.status]).toEqual([503, 200, 200])
  for (const { headers } of [...answers, spoken]) expect(headers.connection).toBe('close')
  expect(answers[0]?.headers['retry-after']).toBe('5')
  pauses[0]?.end()
  await stopped
  expect(await refusesConnections(server)).toBe(true)
})

test('a response in progress when the stop begins also closes its connection', async () => {
  const { server, pauses } = await patientServer()
  const client = await makeClient(server)
  const { stopped, answer } = await transaction(server.dependencies.jobs, async (tx) => {
    await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
    const underWay = call(server, setLanguage, { as: client, body: { language: 'de' } })
    await waitForBlockedConnections(server.dependencies.pool)
    return { stopped: server.stop(), answer: underWay }
  })
  expect((await answer).status).toBe(200)
  expect((await answer).headers.connection).toBe('close')
  pauses[0]?.end()
  await stopped
})

test('a request is answered on a connection that was opened just before the listener closed', async () => {
  const { server, pauses } = await patientServer()
  const { hostname: host, port } = new URL(server.url)
  const early = connect(Number(port), host)
  await once(early, 'connect')
  await sendRequest(server, '/healthz')
  const stopped = server.stop()
  pauses[0]?.end()
  await until(() => refusesConnections(server))
  let text = ''
  early.setEncoding('utf8').on('data', (part: string) => (text += part))
  early.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(early, 'close')
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toMatch(/\r\nconnection: close\r\n/i)
  await stopped
})

test('streams are closed one by one over the drain period, not all at the same time', async () => {
  const { server, pauses } = await patientServer()
  const staff = await makeStaff(server, ['operations'])
  const ended: number[] = []
  for (const place of [1, 2, 3]) {
    const asked = get(new URL(changesPath, server.url), { headers: { authorization: `Bearer ${staff.token}` } })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume().once('end', () => ended.push(place))
  }
  const stopped = server.stop()
  expect(pauses.map(({ ms }) => ms)).toEqual([1_250, 5_000])
  for (const place of [1, 2, 3]) {
    expect(ended).toHaveLength(place - 1)
    pauses.findLast(({ ms }) => ms === 1_250)?.end()
    await until(() => ended.length === place)
  }
  expect(ended).toEqual([1, 2, 3])
  pauses.find(({ ms }) => ms === 5_000)?.end()
  await stopped
})

test('a server that only runs jobs stops without a drain period', async () => {
  const server = await startTestServer({
    env: { DRAIN_SECONDS: '60', ROLE: 'jobs' },
    pause: () => new Promise(() => {}),
  })
  await server.stop()
  expect(await refusesConnections(server)).toBe(true)
})

test('the health probe reports version, role, host and process', async () => {
  const server = await startTestServer({ env: { ROLE: 'web' } })
  stops.push(() => server.stop())
  const answer = (await (await fetch(`${server.url}/healthz`)).json()) as object
  expect(answer).toEqual({
    ok: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    role: 'web',
    host: hostname(),
    pid: process.pid,
  })
})
