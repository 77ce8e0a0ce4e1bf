/** A withdrawal and a bank account require their own proof, for exactly the values that were shown (ADR 120). */
import { createHash, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { addBankDetails, updateBankDetails } from '#contract/bank-details.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { portalEndpoints } from '#contract/endpoints.ts'
import { confirmStepUp, getStepUpStatus, textToSign } from '#contract/step-up.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { sweepAccess } from '#server/features/sessions/jobs.ts'
import { proofFor } from '#tests/call.ts'
import { makePdf, uploadTo } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { approvedBank, fundedAccount } from '#tests/funded-account.ts'
import { call, goodPassword, makeClient, tokenFor, type MadeClient } from '#tests/factories.ts'
import { withdrawalBody } from '../../tests/funded-account.ts'

const { server } = platformForFile()
let client: MadeClient
let body: Record<string, unknown>

beforeEach(async () => {
  client = await makeClient(server)
  const account = await fundedAccount(server, client, 100_000n)
  body = withdrawalBody(account, await approvedBank(server, client), '50.00')
})

const proofOf = async (sent: object = body, as: { token: string } = client) =>
  (await proofFor(server, requestWithdrawal, { as, body: sent })) ?? ''

/** Sends a withdrawal with the given proof. */
const send = (proof: string | null, sent: object = body, headers: Record<string, string> = {}) =>
  call(server, requestWithdrawal, {
    as: client,
    body: sent,
    proof: null,
    headers: { ...headers, ...(proof === null ? {} : { 'x-proof': proof }) },
  })

const refused = { status: 403, code: 'prove-again', values: { by: 'password' } }
async function refusal(reply: ReturnType<typeof send>) {
  const { status, failure } = await reply
  return { status, code: failure.code, values: failure.values }
}

const withdrawals = () =>
  rows(server.dependencies.pool, sql`select amount_minor::int as minor from withdrawals where client_id = ${client.id}`)

test('withdrawals and bank details take a proof of their own, and no other call does', () => {
  const bound = portalEndpoints.filter(({ requiresBoundStepUp: boundProof }) => boundProof)
  expect(bound.map(({ name }) => name).toSorted()).toEqual(['addBankDetails', 'requestWithdrawal', 'updateBankDetails'])
  expect(bound.every(({ idempotent, requiresStepUp: freshProof }) => idempotent && !freshProof)).toBe(true)
})

describe('a withdrawal', () => {
  test('is asked for its own proof always, whatever was proved just now', async () => {
    expect((await call(server, confirmStepUp, { as: client, body: { password: goodPassword } })).status).toBe(200)
    expect(await refusal(send(null))).toEqual(refused)
    expect(await refusal(send('invented'))).toEqual(refused)
    expect(await refusal(send(''))).toEqual(refused)
    expect(await withdrawals()).toEqual([])
  })

  test('goes out with the proof of exactly its values, once', async () => {
    const proof = await proofOf()
    expect((await send(proof)).answer).toMatchObject({ amount: 50_00n })
    expect(await refusal(send(proof))).toEqual(refused)
    expect(await withdrawals()).toEqual([{ minor: 50_00 }])
  })

  test.each([
    ['another amount', { withdrawalAmount: '500.00' }],
    ['the same amount in other words', { withdrawalAmount: '50.0' }],
    ['another bank account', { bankId: '00000000-0000-7000-8000-000000000000' }],
  ])('with %s than was proved is refused', async (_, changes) => {
    const proof = await proofOf()
    expect(await refusal(send(proof, { ...body, ...changes }))).toEqual(refused)
    expect(await withdrawals()).toEqual([])
    expect((await send(proof)).status).toBe(201)
  })

  test('takes no proof of another call, another session or another client', async () => {
    const other = await makeClient(server)
    const elsewhere = await tokenFor(server, client)
    const ofBank = (await proofFor(server, addBankDetails, { as: client, body })) ?? ''
    for (const proof of [ofBank, await proofOf(body, elsewhere), await proofOf(body, other)])
      expect(await refusal(send(proof))).toEqual(refused)
  })

  test('takes no proof that has run out', async () => {
    const proof = await proofOf()
    server.clock.turn(5 * 60)
    expect(await refusal(send(proof))).toEqual(refused)
    await sweepAccess(server.dependencies, new Date(server.clock.now().getTime() + 1))
    expect(
      await rows(server.dependencies.pool, sql`select 1 from call_proofs where session_id = ${client.sessionId}`),
    ).toEqual([])
  })

  test('of two that come at once with one proof one is done', async () => {
    const proof = await proofOf()
    const both = await Promise.all([send(proof), send(proof)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 403])
    expect(await withdrawals()).toHaveLength(1)
  })

  test('that was refused has not used its proof up', async () => {
    const sent = { ...body, withdrawalAmount: '0.50' }
    const proof = await proofOf(sent)
    expect((await send(proof, sent)).failure.code).toBe('withdrawal-too-low')
    expect((await send(proof, sent)).failure.code).toBe('withdrawal-too-low')
  })

  test('whose answer was kept is answered without a proof; with another body its key is told first', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(await proofOf(), body, headers)
    const again = await send(null, body, headers)
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, first.json, 'true'])
    expect((await send(null, { ...body, withdrawalAmount: '60.00' }, headers)).failure.code).toBe('key-reused')
    expect(await withdrawals()).toHaveLength(1)
  })
})

test('a bound proof is for its call alone: the session stays as old as it was', async () => {
  await run(server.dependencies.pool, sql`update sessions set proved_at = null where id = ${client.sessionId}`)
  await proofOf()
  expect((await call(server, getStepUpStatus, { as: client })).answer).toEqual({ by: 'password', until: null })
})

test('what is hashed is method and path, a line feed, and the body as it is sent', async () => {
  const text = `{ "withdrawalAmount" : "50.00" }`
  const hash = (said: string) => createHash('sha256').update(said).digest('hex')
  expect(hash(textToSign('POST', '/api/accounts/requestWithdrawal', text))).toBe(
    hash(`POST /api/accounts/requestWithdrawal\n${text}`),
  )
  for (const callHash of ['', 'x', 'A'.repeat(64), '0'.repeat(63)]) {
    const { failure } = await call(server, confirmStepUp, { as: client, body: { password: goodPassword, callHash } })
    expect(Object.keys(failure.errors)).toEqual(['callHash'])
  }
})

test('a new and a changed bank account each take one', async () => {
  const { json } = await uploadTo(server, client, await makePdf(1), 'statement.pdf')
  const bankData = {
    bankName: 'Example Bank AG',
    bankAddress: 'Musterplatz 1, Berlin',
    bankCountry: 'DE',
    bankAccountCurrency: 'EUR',
    bankIBAN: 'DE02120300000000202051',
    bankSwift: 'BYLADEM1001',
  }
  const ask = async (endpoint: Endpoint, sent: object) => {
    const options = { as: client, body: sent, proof: null }
    expect((await call(server, endpoint, options)).failure.code).toBe('prove-again')
    const proof = (await proofFor(server, endpoint, { as: client, body: sent })) ?? ''
    return call(server, endpoint, { ...options, headers: { 'x-proof': proof } })
  }
  const added = await ask(addBankDetails, { bankData: { ...bankData, bankPOA: json.filename } })
  const { _id } = (added.json as { bankDetails: { _id: string } }).bankDetails
  expect((await ask(updateBankDetails, { bankData: { ...bankData, _id, bankName: 'Other Bank' } })).status).toBe(200)
})
