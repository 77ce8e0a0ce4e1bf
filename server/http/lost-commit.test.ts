import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestCorrection } from '#contract/office/accounting.ts'
import { setFlag } from '#contract/office/client-decisions.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  startServerWithPlatform,
  type ServerWithPlatform,
  withdrawalBody,
} from '../../tests/funded-account.ts'
import { stepUpProofFor } from '../../tests/call.ts'
import { openLossyDatabase, type LossyDatabase } from '../../tests/lossy-database.ts'
import { call, makeClient, makeStaff, type TestServer } from '../../tests/factories.ts'

let lossy: LossyDatabase
let place: ServerWithPlatform
let server: TestServer
beforeAll(async () => {
  lossy = await openLossyDatabase()
  place = await startServerWithPlatform({ database: lossy.database })
  server = place.server
})
afterAll(async () => {
  await place.stop()
  lossy.stop()
})

test('a request whose commit got no reply is reported as outcome unknown, and a repeat with its key returns the same request', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 50_000n)
  const body = withdrawalBody(account, await makeApprovedBank(server, client), '120.00')
  const proof = (await stepUpProofFor(server, requestWithdrawal, { as: client, body })) ?? ''
  const ask = (language = 'en') =>
    call(server, requestWithdrawal, {
      as: client,
      body,
      headers: { 'idempotency-key': 'lost-withdrawal', 'accept-language': language, 'x-proof': proof },
    })
  lossy.loseReply('lost-withdrawal')
  const lost = await ask('de')
  expect([lost.status, lost.failure.code, lost.headers['retry-after']]).toEqual([503, 'outcome-unknown', '2'])
  expect(lost.failure.error).toContain('Das Ergebnis ist noch unklar')
  const found = await ask()
  expect([found.status, found.headers['idempotency-replayed']]).toEqual([201, 'true'])
  const made = await rows<{ id: string }>(
    server.dependencies.pool,
    sql`select id from withdrawals where client_id = ${client.id}`,
  )
  expect(made).toEqual([{ id: found.answer.id }])
})

test('staff get the same error: a call with a key is safe to repeat, any other asks them to check first', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const as = await makeStaff(server, ['finance', 'compliance'])
  const correction = { accountId: account.id, amount: '5.00', currency: 'EUR', reason: 'Fee booked twice' }
  const ask = () =>
    call(server, requestCorrection, { as, body: correction, headers: { 'idempotency-key': 'lost-correction' } })
  lossy.loseReply('lost-correction')
  expect((await ask()).failure.code).toBe('outcome-unknown')
  expect((await ask()).status).toBe(201)
  expect(
    await rows(server.dependencies.pool, sql`select id from corrections where account_id = ${account.id}`),
  ).toHaveLength(1)

  lossy.loseReply('Asked by letter')
  const flag = { as, params: { id: client.id }, body: { flag: 'watch', set: true, note: 'Asked by letter' } }
  const unseen = await call(server, setFlag, flag)
  expect([unseen.status, unseen.failure.code]).toEqual([503, 'outcome-unseen'])
  expect(
    await rows(server.dependencies.pool, sql`select flag from client_flags where client_id = ${client.id}`),
  ).toEqual([{ flag: 'watch' }])
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
