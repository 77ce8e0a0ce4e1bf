/** The outcome of a request whose response was lost (requirements 15.16). */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { requestWirePayment } from '#contract/deposits.ts'
import { requestStatus } from '#contract/request-status.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { sql, run, transaction } from '#server/db/sql.ts'
import { clientForFile, platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount, transferBody, wireBody } from '#tests/funded-account.ts'
import { call, makeClient, type MadeClient } from '#tests/factories.ts'

const { server } = platformForFile()
const client = clientForFile(server)
let login: string
beforeAll(async () => {
  login = (await makeFundedAccount(server, client, 500_00n)).login
})

const fetchRequestStatus = (key: string, as: MadeClient = client) => call(server, requestStatus, { as, query: { key } })
const nothing = { call: null, answerStatus: null, answer: null }
const wire = (key: string, amount = '25.00') =>
  call(server, requestWirePayment, {
    as: client,
    headers: { 'idempotency-key': key },
    body: wireBody({ login }, amount),
  })

test('a key that was never sent has the status unknown', async () => {
  expect((await fetchRequestStatus(randomUUID())).answer).toEqual({ status: 'unknown', ...nothing })
})

test('a stored response is returned unchanged, as often as its status is requested', async () => {
  const key = randomUUID()
  const { json } = await wire(key)
  const expected = { status: 'answered', call: 'requestWirePayment', answerStatus: 201, answer: json }
  expect((await fetchRequestStatus(key)).json).toEqual({ success: true, ...expected })
  expect((await fetchRequestStatus(key)).json).toEqual({ success: true, ...expected })
  expect((await wire(key)).json).toEqual(json)
})

test('a stored rejection is returned too; after one that is not stored the key is unknown', async () => {
  const [kept, other] = [randomUUID(), randomUUID()]
  const refused = await call(server, requestTransfer, {
    as: client,
    headers: { 'idempotency-key': kept },
    body: transferBody({ login }, { login }, '10.00'),
  })
  const { answer } = await fetchRequestStatus(kept)
  if (refused.status === 409 || refused.status === 422)
    expect(answer).toMatchObject({ status: 'answered', answerStatus: refused.status, answer: refused.json })
  else expect(answer.status).toBe('unknown')
  expect((await wire(other, '1.00')).status).toBe(400)
  expect((await fetchRequestStatus(other)).answer.status).toBe('unknown')
})

test('a request has the status in-progress until it is answered', async () => {
  const key = randomUUID()
  const done = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  // The client's row is locked, so the request waits for it in its own transaction.
  const holding = transaction(server.dependencies.pool, async (tx) => {
    await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
    locked.resolve()
    await done.promise
  })
  await locked.promise
  const asked = wire(key)
  await expect.poll(async () => (await fetchRequestStatus(key)).answer.status).toBe('in-progress')
  done.resolve()
  await holding
  expect((await asked).status).toBe(201)
  expect((await fetchRequestStatus(key)).answer.status).toBe('answered')
})

test('a key belongs to its client: for another client it is unknown, and a visitor gets 401', async () => {
  const key = randomUUID()
  await wire(key)
  expect((await fetchRequestStatus(key, await makeClient(server))).answer).toEqual({ status: 'unknown', ...nothing })
  expect((await call(server, requestStatus, { query: { key } })).status).toBe(401)
  expect((await fetchRequestStatus(key, await makeClient(server, { state: 'pending' }))).failure.code).toBe(
    'approval-first',
  )
})

test.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('the value %j is rejected as a key', async (key) => {
  expect((await fetchRequestStatus(key)).status).toBe(400)
})
