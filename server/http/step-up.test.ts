/** A withdrawal and a bank account require their own step-up, for exactly the values that were shown (ADR 120). */
import { createHash, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { addBankDetails, updateBankDetails } from '#contract/bank-details.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { portalEndpoints } from '#contract/endpoints.ts'
import { confirmStepUp, getStepUpStatus, textToSign } from '#contract/step-up.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { deleteExpiredAccess } from '#server/features/sessions/jobs.ts'
import { stepUpProofFor } from '#tests/call.ts'
import { makePdf, uploadTo } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount } from '#tests/funded-account.ts'
import { madeBank } from '#tests/bank-details.ts'
import { call, goodPassword, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { withdrawalBody } from '../../tests/funded-account.ts'

const { server } = platformForFile()
let client: MadeClient
let body: Record<string, unknown>

beforeEach(async () => {
  client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 100_000n)
  body = withdrawalBody(account, await makeApprovedBank(server, client), '50.00')
})

const proofOf = async (sent: object = body, as: { token: string } = client) =>
  (await stepUpProofFor(server, requestWithdrawal, { as, body: sent })) ?? ''

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

test('only withdrawals and bank details require a step-up that is bound to the request', () => {
  const bound = portalEndpoints.filter(({ requiresBoundStepUp: boundProof }) => boundProof)
  expect(bound.map(({ name }) => name).toSorted()).toEqual(['addBankDetails', 'requestWithdrawal', 'updateBankDetails'])
  expect(bound.every(({ idempotent, requiresStepUp: freshProof }) => idempotent && !freshProof)).toBe(true)
})

describe('a withdrawal', () => {
  test('always requires its own step-up, even directly after another one', async () => {
    expect((await call(server, confirmStepUp, { as: client, body: { password: goodPassword } })).status).toBe(200)
    expect(await refusal(send(null))).toEqual(refused)
    expect(await refusal(send('invented'))).toEqual(refused)
    expect(await refusal(send(''))).toEqual(refused)
    expect(await withdrawals()).toEqual([])
  })

  test('is accepted once, with the step-up for exactly its values', async () => {
    const proof = await proofOf()
    expect((await send(proof)).answer).toMatchObject({ amount: 50_00n })
    expect(await refusal(send(proof))).toEqual(refused)
    expect(await withdrawals()).toEqual([{ minor: 50_00 }])
  })

  test.each([
    ['another amount', { withdrawalAmount: '500.00' }],
    ['the same amount written differently', { withdrawalAmount: '50.0' }],
    ['another bank account', { bankId: '00000000-0000-7000-8000-000000000000' }],
  ])('with %s than the step-up was for is rejected', async (_, changes) => {
    const proof = await proofOf()
    expect(await refusal(send(proof, { ...body, ...changes }))).toEqual(refused)
    expect(await withdrawals()).toEqual([])
    expect((await send(proof)).status).toBe(201)
  })

  test('rejects the step-up of another call, another session or another client', async () => {
    const other = await makeClient(server)
    const elsewhere = await clientTokenFor(server, client)
    const ofBank = (await stepUpProofFor(server, addBankDetails, { as: client, body })) ?? ''
    for (const proof of [ofBank, await proofOf(body, elsewhere), await proofOf(body, other)])
      expect(await refusal(send(proof))).toEqual(refused)
  })

  test('rejects a step-up that has expired', async () => {
    const proof = await proofOf()
    server.clock.turn(5 * 60)
    expect(await refusal(send(proof))).toEqual(refused)
    await deleteExpiredAccess(server.dependencies, new Date(server.clock.now().getTime() + 1))
    expect(
      await rows(server.dependencies.pool, sql`select 1 from call_proofs where session_id = ${client.sessionId}`),
    ).toEqual([])
  })

  test('is accepted only once if two arrive concurrently with the same step-up', async () => {
    const proof = await proofOf()
    const both = await Promise.all([send(proof), send(proof)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 403])
    expect(await withdrawals()).toHaveLength(1)
  })

  test('that was rejected has not used up its step-up', async () => {
    const sent = { ...body, withdrawalAmount: '0.50' }
    const proof = await proofOf(sent)
    expect((await send(proof, sent)).failure.code).toBe('withdrawal-too-low')
    expect((await send(proof, sent)).failure.code).toBe('withdrawal-too-low')
  })

  test('that is repeated with its key needs no step-up, and with another body its key is rejected first', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(await proofOf(), body, headers)
    const again = await send(null, body, headers)
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, first.json, 'true'])
    expect((await send(null, { ...body, withdrawalAmount: '60.00' }, headers)).failure.code).toBe('key-reused')
    expect(await withdrawals()).toHaveLength(1)
  })
})

test('a bound step-up applies only to its request and does not refresh the session’s own step-up', async () => {
  await run(server.dependencies.pool, sql`update sessions set proved_at = null where id = ${client.sessionId}`)
  await proofOf()
  expect((await call(server, getStepUpStatus, { as: client })).answer).toEqual({ by: 'password', until: null })
})

test('the hash covers the method and path, a line feed, and the body exactly as sent', async () => {
  const text = `{ "withdrawalAmount" : "50.00" }`
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(hash(textToSign('POST', '/api/accounts/requestWithdrawal', text))).toBe(
    hash(`POST /api/accounts/requestWithdrawal\n${text}`),
  )
  for (const callHash of ['', 'x', 'A'.repeat(64), '0'.repeat(63)]) {
    const { failure } = await call(server, confirmStepUp, { as: client, body: { password: goodPassword, callHash } })
    expect(Object.keys(failure.errors)).toEqual(['callHash'])
  }
})

test('adding and changing a bank account each require a step-up', async () => {
  const { json } = await uploadTo(server, client, await makePdf(1), 'statement.pdf')
  const bankData = { ...madeBank, bankAccountCurrency: 'EUR' }
  const ask = async (endpoint: Endpoint, sent: object) => {
    const options = { as: client, body: sent, proof: null }
    expect((await call(server, endpoint, options)).failure.code).toBe('prove-again')
    const proof = (await stepUpProofFor(server, endpoint, { as: client, body: sent })) ?? ''
    return call(server, endpoint, { ...options, headers: { 'x-proof': proof } })
  }
  const added = await ask(addBankDetails, { bankData: { ...bankData, bankPOA: json.filename } })
  const { _id } = (added.json as { bankDetails: { _id: string } }).bankDetails
  expect((await ask(updateBankDetails, { bankData: { ...bankData, _id, bankName: 'Other Bank' } })).status).toBe(200)
})
