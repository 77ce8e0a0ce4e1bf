import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { getInboxItem } from '#contract/office/inbox.ts'
import { requestWithdrawal, cancelWithdrawal } from '#contract/withdrawals.ts'
import * as office from '#contract/office/withdrawals.ts'
import { requestTransfer } from '#contract/transfers.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken } from '#server/http/tokens.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { release, reservedOf } from '#server/ledger/reservations.ts'
import { allAcknowledged } from '../../../tests/acknowledged.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  applySetting,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../../../tests/factories.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import {
  makeApprovedBank,
  makeBalancesDisagree,
  makeFundedAccount,
  settleOperations,
  transferBody,
  withdrawalBody,
} from '../../../tests/funded-account.ts'
import { waitForBlockedConnections, withReservationsLocked } from '../../../tests/lock-waits.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { createPaidBatch } from '../../../tests/payout-batches.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const finance = staffForFile(server, ['finance'], { name: 'Johanna Meier' })

interface ReadyClient {
  client: MadeClient
  account: { id: AccountId; login: string }
  bankId: string
}

async function readyClient(minor = 100_000n): Promise<ReadyClient> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, minor)
  return { client, account, bankId: await makeApprovedBank(server, client) }
}

function body(ready: ReadyClient, amount: unknown, changes: object = {}) {
  return { ...withdrawalBody(ready.account, ready.bankId, amount), ...changes }
}

async function requestWithdrawalOf(
  ready: ReadyClient,
  amount: unknown,
  options: { key?: string; changes?: object; as?: string; at?: { url: string } } = {},
) {
  return call(options.at ?? server, requestWithdrawal, {
    as: options.as ?? ready.client.token,
    body: body(ready, amount, options.changes),
    ...(options.key ? { headers: { 'idempotency-key': options.key } } : {}),
  })
}

/** Starts a second server on the same database and raises the limit of money requests per minute. */
async function startUnlimitedServer(): Promise<TestServer> {
  // A stop waits for every response, however slow the machine is.
  const second = await startTestServer({ beside: server, answersMsMax: 3_600_000 })
  await server.dependencies.pool.query(`insert into settings (section, version, value, from_at)
    select 'rateLimits', 1, '{"failedSignInsOfPair":10,"failedSignInsOfAddress":50,"registrationsPerHour":20,"resetsPerHour":5,"uploadsPerHour":60,"moneyRequestsPerMinute":1000,"mailsPerHour":5}', now()
    on conflict do nothing`)
  server.dependencies.settings.forget('rateLimits')
  second.dependencies.settings.forget('rateLimits')
  return second
}

/** Signs a staff member in again. */
async function openAnotherSession(staff: MadeStaff): Promise<string> {
  const now = server.clock.now()
  const life = { idleSeconds: 900, lifeSeconds: 28_800, device: 'another', address: '127.0.0.2', proved: true }
  const sessionId = await transaction(server.dependencies.pool, (tx) =>
    beginSession(tx, { audience: 'office', staffId: staff.id, ...life }, now),
  )
  return signToken(server.dependencies.keys, 'office', sessionId, { id: staff.id }, now)
}

async function stateOf(id: string) {
  const found = await row<{ state: string; version: number }>(
    server.dependencies.pool,
    sql`select state, version from withdrawals where id = ${id}`,
  )
  if (!found) throw new Error('no such withdrawal')
  return found
}

/** Returns the person whom the page names for the decision. */
async function decidedBy(id: string): Promise<string | null> {
  const page = await call(server, office.getOfficeWithdrawal, { as: operations, params: { id } })
  return page.answer.withdrawal.decidedBy?.id ?? null
}

async function decide(
  endpoint: typeof office.approveWithdrawal | typeof office.confirmWithdrawal,
  id: string,
  staff: MadeStaff,
) {
  const { version } = await stateOf(id)
  return call(server, endpoint, { as: staff, params: { id }, body: { version, ...allAcknowledged } })
}

describe('a withdrawal request', () => {
  test('accepts the method’s name in any configured language and stores it under one name', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '5', { changes: { withdrawalPaymentName: 'Banküberweisung' } }))
      .answer
    const kept = await row(server.dependencies.pool, sql`select method from withdrawals where id = ${id}`)
    expect(kept).toEqual({ method: 'Bank Transfer' })
  })

  test('names the required roles to staff without them', async () => {
    const compliance = await makeStaff(server, ['compliance'])
    const { id } = (await requestWithdrawalOf(await readyClient(), '5')).answer
    const read = async (as: MadeStaff) =>
      (await call(server, office.getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal.requiredRoles
    expect(await read(compliance)).toEqual(['operations'])
    expect(await read(operations)).toEqual([])
  })

  test('requires a method of the client’s country, with the gateway of that method', async () => {
    const methods = await server.dependencies.settings.get('methods')
    const [wire] = methods.withdrawal
    if (!wire) throw new Error('no way to withdraw')
    const dutch = { ...wire, id: 'dutch', method: { en: 'Dutch Transfer', de: 'Überweisung NL' }, countries: ['NL'] }
    await applySetting(server, 'methods', { ...methods, withdrawal: [wire, dutch] })
    const ready = await readyClient()
    for (const changes of [{ withdrawalPaymentName: 'Dutch Transfer' }, { paymentGatewayService: 'gcen' }])
      expect((await requestWithdrawalOf(ready, '5', { changes })).failure).toMatchObject({
        code: 'method-not-offered',
        errors: { withdrawalPaymentName: expect.any(String) },
      })
    const neighbour = { ...ready, client: await makeClient(server, { country: 'NL' }) }
    const account = await makeFundedAccount(server, neighbour.client, 1_000n)
    const bankId = await makeApprovedBank(server, neighbour.client)
    const changes = { withdrawalPaymentName: 'Dutch Transfer' }
    expect((await requestWithdrawalOf({ ...neighbour, account, bankId }, '5', { changes })).status).toBe(201)
  })

  test('that does not exceed its fee is rejected; the fee stays with the firm, whether paid out or returned', async () => {
    const ready = await readyClient()
    const methods = await server.dependencies.settings.get('methods')
    const fee = { percent: '0', flat: '5.00' }
    await applySetting(server, 'methods', {
      ...methods,
      withdrawal: methods.withdrawal.map((one) => ({ ...one, fee })),
    })
    const reply = await requestWithdrawalOf(ready, '5.00')
    expect([reply.status, reply.failure.code, reply.failure.values['fee']]).toEqual([
      400,
      'fee-over-amount',
      '5.00\u00A0EUR',
    ])
    expect((await requestWithdrawalOf(ready, '5.01')).answer.arrives).toBe(1n)
    const { id, ...asked } = (await requestWithdrawalOf(ready, '105.00')).answer
    await applySetting(server, 'methods', methods)
    expect([asked.fee, asked.arrives]).toEqual([500n, 10_000n])
    /** Returns the ledger's postings for the withdrawal after a decision. */
    const booked = async (endpoint: Endpoint, as: MadeStaff) => {
      await decideBy(endpoint, as)
      return sums()
    }
    const decideBy = async (endpoint: Endpoint, as: MadeStaff) => {
      const { version } = await stateOf(id)
      const more = {
        [office.returnWithdrawal.name]: { reason: 'Closed there.' },
        [office.approveWithdrawal.name]: allAcknowledged,
      }
      const body = { version, ...more[endpoint.name] }
      expect((await call(server, endpoint, { as, params: { id }, body })).status).toBe(200)
      await settleOperations(server)
    }
    const sums = async () => {
      const found = await rows<{ kind: string; sum: bigint }>(
        server.dependencies.pool,
        sql`select l.kind, sum(p.minor)::bigint as sum from postings p join entries e on e.id = p.entry_id
              join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} group by l.kind`,
      )
      return Object.fromEntries(found.map(({ kind, sum }) => [kind, sum]))
    }
    expect(await booked(office.approveWithdrawal, operations)).toEqual({
      client: 10_500n,
      fees: -500n,
      payout_in_transit: -10_000n,
    })
    const paid = { client: 10_500n, fees: -500n, payout_in_transit: 0n, bank: -10_000n }
    await createPaidBatch(server, [id], { confirmer: finance })
    expect(await sums()).toEqual(paid)
    expect(await booked(office.returnWithdrawal, finance)).toEqual({ ...paid, client: 500n, bank: 0n })
    const deals = await place.platform.read<{ amount: string }[]>(`deals?login=${ready.account.login}&action=2`)
    expect(deals.map(({ amount }) => Number(amount))).toEqual([1000, -105, 100])
  })

  test('from a demo account is rejected', async () => {
    const ready = await readyClient()
    await server.dependencies.pool.query(
      `update trading_accounts set request_type = 'demo', reference = 'CR-00000000', demo_balance_minor = 1 where id = '${ready.account.id}'`,
    )
    expect((await requestWithdrawalOf(ready, '50')).failure.code).toBe('demo-account')
  })

  test('from an account on a platform that is not connected is rejected at its field', async () => {
    const ready = await readyClient()
    const { login } = await makeAccount(server, ready.client, { platform: 'MT4' })
    const changes = { accountPlatform: 'MT4', accountNumber: login }
    const { failure } = await requestWithdrawalOf(ready, '50', { changes })
    expect([failure.code, Object.keys(failure.errors ?? {})]).toEqual(['platform-not-connected', ['accountNumber']])
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
  })

  test('reserves its amount and returns the remaining available amount', async () => {
    const ready = await readyClient()
    const reply = await requestWithdrawalOf(ready, '250.00')
    expect(reply.status).toBe(201)
    expect(reply.answer).toMatchObject({
      status: 'pending',
      amount: 25_000n,
      fee: 0n,
      arrives: 25_000n,
      available: 75_000n,
    })
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(25_000n)
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(100_000n)
  })

  test.each([
    ['over the balance', '1000.01', 'You cannot withdraw more than your account balance!'],
    ['under the minimum', '0.99', 'Amount too low. The minimum withdrawal is 1.00\u00a0EUR.'],
  ])('%s is rejected with its message at the amount', async (_case, amount, sentence) => {
    const ready = await readyClient()
    const reply = await requestWithdrawalOf(ready, amount)
    expect(reply.status).toBe(400)
    expect(reply.failure.errors['withdrawalAmount']).toBe(sentence)
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
  })

  test('above the available amount but below the balance names the amount set aside', async () => {
    const ready = await readyClient()
    await requestWithdrawalOf(ready, '800')
    const reply = await requestWithdrawalOf(ready, '300')
    expect(reply.failure.errors['withdrawalAmount']).toBe(
      'You cannot withdraw more than is available: 200.00\u00a0EUR. 800.00\u00a0EUR is set aside for other requests.',
    )
  })

  test.each([
    -1,
    0,
    '',
    ' 10',
    '1e2',
    '0x10',
    '10,00',
    '１０',
    null,
    true,
    [10],
    {},
    '10.001',
    '9'.repeat(400),
    1e-9,
    1e309,
  ])('with the amount %j is rejected, and nothing is reserved (requirements 28.1)', async (amount) => {
    const ready = await readyClient()
    const reply = await requestWithdrawalOf(ready, amount)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.failure.errors)).toContain('withdrawalAmount')
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
  })

  test('requires an approved bank account of the client in the account’s currency', async () => {
    const ready = await readyClient()
    const other = await readyClient()
    const sterling = await makeApprovedBank(server, ready.client, 'GBP')
    expect((await requestWithdrawalOf(ready, '10', { changes: { bankId: sterling } })).failure.errors).toHaveProperty(
      'bankId',
    )
    expect((await requestWithdrawalOf(ready, '10', { changes: { bankId: other.bankId } })).status).toBe(404)
    expect(
      (await requestWithdrawalOf(ready, '10', { changes: { withdrawalCurrency: 'USD' } })).failure.errors,
    ).toHaveProperty('withdrawalCurrency')
  })

  test('from another client’s account gets the same response as one from an unknown account', async () => {
    const ready = await readyClient()
    const other = await readyClient()
    const foreign = await requestWithdrawalOf(ready, '10', { changes: { accountNumber: other.account.login } })
    const absent = await requestWithdrawalOf(ready, '10', { changes: { accountNumber: '5999999999' } })
    expect({ status: foreign.status, error: foreign.failure.error }).toEqual({
      status: absent.status,
      error: absent.failure.error,
    })
    expect(await reservedOf(server.dependencies.pool, other.account.id)).toBe(0n)
  })

  test.each(['registering', 'pending'] as const)('by a client who is %s is rejected', async (state) => {
    const client = await makeClient(server, { state })
    const reply = await call(server, requestWithdrawal, { as: client, body: {} })
    expect(reply.status).toBe(403)
  })

  test('made while the client is being closed is rejected, and so is a transfer (requirements 28.13)', async () => {
    const ready = await readyClient()
    const destination = await makeFundedAccount(server, ready.client, 0n)
    const body = transferBody(ready.account, destination, '250')
    const asked: Promise<{ readonly failure: { readonly code: string } }>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${ready.client.id} for update`)
      asked.push(requestWithdrawalOf(ready, '250'), call(server, requestTransfer, { as: ready.client, body }))
      await waitForBlockedConnections(server.dependencies.pool, 2)
      await run(tx, sql`update clients set state = 'closed' where id = ${ready.client.id}`)
    })
    const codes = (await Promise.all(asked)).map(({ failure }) => failure.code)
    expect(codes).toEqual(['session-ended', 'session-ended'])
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
  })

  test('made 50 times at once for the whole balance, on two servers, is accepted once (requirements 28.5)', async () => {
    const ready = await readyClient()
    const second = await startUnlimitedServer()
    const askAt = (n: number) => requestWithdrawalOf(ready, '1000', { key: `race-${n}`, at: n % 2 ? server : second })
    try {
      const asked: ReturnType<typeof requestWithdrawalOf>[] = []
      await withReservationsLocked(server.dependencies, () => asked.push(askAt(0), askAt(1)), 2)
      for (let n = 2; n < 50; n += 1) asked.push(askAt(n))
      const replies = await Promise.all(asked)
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
      expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(100_000n)
    } finally {
      await second.stop()
    }
  })

  test('made during a rolling restart is answered once by either server, and the session continues (requirements 33.4)', async () => {
    const ready = await readyClient()
    const old = await startUnlimitedServer()
    const keys = ['rolling-0', 'rolling-1', 'rolling-2']
    const askAll = (at: TestServer) => keys.map((key) => requestWithdrawalOf(ready, '100', { key, at }))
    const [first, again]: ReturnType<typeof requestWithdrawalOf>[][] = [[], []]
    let stopped: Promise<void> | undefined
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from trading_accounts where id = ${ready.account.id} for update`)
      first?.push(...askAll(old))
      await waitForBlockedConnections(server.dependencies.pool, keys.length)
      stopped = old.stop()
      // Clients without a response repeat the request at the new server, while the old one still processes it.
      again?.push(...askAll(server))
      await waitForBlockedConnections(server.dependencies.pool, 2 * keys.length)
    })
    const [answers, repeats] = [await Promise.all(first ?? []), await Promise.all(again ?? [])]
    await stopped
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(repeats.map(({ json }) => json)).toEqual(answers.map(({ json }) => json))
    expect(repeats.map(({ headers }) => headers['idempotency-replayed'])).toEqual(['true', 'true', 'true'])
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(30_000n)
    await expect(requestWithdrawalOf(ready, '100', { key: 'rolling-3', at: old })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
    expect((await requestWithdrawalOf(ready, '100', { key: 'rolling-3' })).status).toBe(201)
  })

  test('made simultaneously with transfers on two servers never reserves more than the balance (requirements 28.5)', async () => {
    const ready = await readyClient()
    const destination = await makeFundedAccount(server, ready.client, 0n)
    const second = await startUnlimitedServer()
    const transfer = (at: { url: string }) =>
      call(at, requestTransfer, { as: ready.client, body: transferBody(ready.account, destination, '130') })
    try {
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, n) => {
          const at = n % 2 ? server : second
          return n % 4 < 2 ? requestWithdrawalOf(ready, '130', { at }) : transfer(at)
        }),
      )
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(7)
      expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(91_000n)
    } finally {
      await second.stop()
    }
  })

  test('with the same key is one request, and another body with that key is rejected', async () => {
    const ready = await readyClient()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => requestWithdrawalOf(ready, '10', { key: 'same-key' })),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(reply.json))).size).toBe(1)
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(1_000n)
    const other = await requestWithdrawalOf(ready, '11', { key: 'same-key' })
    expect(other.status).toBe(422)
    expect(other.failure.code).toBe('key-reused')
  })

  test('rejected for the state of a record stays rejected under its key; one rejected for an invalid field can be corrected', async () => {
    const ready = await readyClient()
    const setBank = (state: string) =>
      server.dependencies.pool.query(`update bank_details set state = '${state}' where id = '${ready.bankId}'`)
    await setBank('pending')
    expect((await requestWithdrawalOf(ready, '50', { key: 'state' })).failure.code).toBe('bank-not-approved')
    await setBank('approved')
    const again = await requestWithdrawalOf(ready, '50', { key: 'state' })
    expect([again.status, again.failure.code]).toEqual([409, 'bank-not-approved'])
    expect((await requestWithdrawalOf(ready, '0.50', { key: 'form' })).status).toBe(400)
    expect((await requestWithdrawalOf(ready, '50', { key: 'form' })).answer.status).toBe('pending')
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(5_000n)
  })

  test('can be cancelled while it is pending, by its client only', async () => {
    const ready = await readyClient()
    const other = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    expect((await call(server, cancelWithdrawal, { as: other.client, body: { id } })).status).toBe(404)
    expect((await call(server, cancelWithdrawal, { as: ready.client, body: { id } })).status).toBe(200)
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
    expect((await call(server, cancelWithdrawal, { as: ready.client, body: { id } })).status).toBe(409)
    const again = transaction(server.dependencies.pool, (tx) => release(tx, 'withdrawal', id, server.clock.now()))
    await expect(again, 'a reservation is released only once').rejects.toThrow('is not open')
  })
})

describe('a decision on a withdrawal', () => {
  test('below the threshold debits the platform once and posts it, after which the withdrawal is paid out', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    expect((await decide(office.approveWithdrawal, id, operations)).answer.state).toBe('processing')
    await settleOperations(server)
    expect((await stateOf(id)).state).toBe('approved')
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(75_000n)
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
    const deals = await place.platform.read<{ amount: string }[]>(`deals?login=${ready.account.login}&action=2`)
    expect(deals.map((deal) => Number(deal.amount))).toEqual([1000, -250])
    await createPaidBatch(server, [id], { confirmer: finance })
    expect((await stateOf(id)).state).toBe('paid')
    expect(await decidedBy(id)).toBe(finance.id)
    // The email links to the record and states the arrival time from the method's settings.
    expect((await mailsTo(server, ready.client.email)).at(-1)).toMatchObject({
      kind: 'withdrawal-paid',
      facts: {
        record: id,
        platform: 'MT5',
        tradingAccount: ready.account.login,
        timeEn: '2-5 days',
        timeDe: '2 bis 5 Tage',
      },
    })
  })

  test('at the threshold needs finance, and never the first approver', async () => {
    const both = await makeStaff(server, ['operations', 'finance'], { name: 'Both Hats' })
    const ready = await readyClient(2_000_000n)
    const { id } = (await requestWithdrawalOf(ready, '10000')).answer
    expect((await decide(office.approveWithdrawal, id, both)).answer.state).toBe('second_approval')
    expect(await decidedBy(id)).toBe(both.id)
    const own = await decide(office.confirmWithdrawal, id, both)
    expect(own.status).toBe(403)
    expect(own.failure.error).toBe('You gave the first approval. Another person must give the second.')
    expect((await decide(office.confirmWithdrawal, id, finance)).answer.state).toBe('processing')
    await settleOperations(server)
    expect((await stateOf(id)).state).toBe('approved')
    expect(await decidedBy(id)).toBe(finance.id)
  })

  test('uses the minimum and the threshold of the currency', async () => {
    const { settings } = server.dependencies
    const [limits, thresholds] = [await settings.get('limits'), await settings.get('thresholds')]
    await applySetting(server, 'limits', { ...limits, withdrawalMin: { ...limits.withdrawalMin, GBP: 5_000n } })
    await applySetting(server, 'thresholds', { ...thresholds, GBP: 10_000n })
    const client = await makeClient(server)
    const account = await makeFundedAccount(server, client, 100_000n, 'GBP')
    const ready = { client, account, bankId: await makeApprovedBank(server, client, 'GBP') }
    const changes = { withdrawalCurrency: 'GBP' }
    expect((await requestWithdrawalOf(ready, '49.99', { changes })).failure.errors['withdrawalAmount']).toContain(
      '50.00\u00a0GBP',
    )
    const { id } = (await requestWithdrawalOf(ready, '100', { changes })).answer
    expect((await decide(office.approveWithdrawal, id, operations)).answer.state).toBe('second_approval')
    await applySetting(server, 'limits', limits)
    await applySetting(server, 'thresholds', thresholds)
  })

  test('adds up withdrawals to one bank account within 24 hours against the threshold', async () => {
    const ready = await readyClient(2_000_000n)
    const first = (await requestWithdrawalOf(ready, '6000')).answer.id
    const second = (await requestWithdrawalOf(ready, '4000')).answer.id
    expect((await decide(office.approveWithdrawal, first, operations)).answer.state).toBe('second_approval')
    expect((await decide(office.approveWithdrawal, second, operations)).answer.state).toBe('second_approval')
    const other = await readyClient(2_000_000n)
    const { id: taken } = (await requestWithdrawalOf(other, '6000')).answer
    await call(server, cancelWithdrawal, { as: other.client, body: { id: taken } })
    const { id: alone } = (await requestWithdrawalOf(other, '4000')).answer
    expect((await decide(office.approveWithdrawal, alone, operations)).answer.state).toBe('processing')
  })

  test('adds them up even if the bank account was approved twice and a day has passed between request and decision', async () => {
    const ready = await readyClient(2_000_000n)
    const first = (await requestWithdrawalOf(ready, '6000')).answer.id
    const again = await makeApprovedBank(server, ready.client)
    const second = (await requestWithdrawalOf(ready, '4000', { changes: { bankId: again } })).answer.id
    expect((await decide(office.approveWithdrawal, first, operations)).answer.state).toBe('second_approval')
    await run(
      server.dependencies.pool,
      sql`update withdrawals set requested_at = requested_at - interval '25 hours' where id in (${first}, ${second})`,
    )
    expect((await decide(office.approveWithdrawal, second, operations)).answer.state).toBe('second_approval')
  })

  test('leads to a next item that the same person may decide, not to one that needs finance', async () => {
    const ready = await readyClient(2_000_000n)
    const large = (await requestWithdrawalOf(ready, '10000')).answer.id
    const small = (await requestWithdrawalOf(ready, '20')).answer.id
    expect((await decide(office.approveWithdrawal, large, operations)).answer.state).toBe('second_approval')
    const next = (await decide(office.approveWithdrawal, small, operations)).answer.nextItem
    // This person can still reject others' second approvals; their own one is for finance only.
    expect(next?.id).not.toBe(large)
  })

  test('is blocked if trading has used up the money, and changes nothing', async () => {
    const ready = await readyClient(2_000_000n)
    const small = (await requestWithdrawalOf(ready, '900')).answer.id
    const large = (await requestWithdrawalOf(ready, '15000')).answer.id
    expect((await decide(office.approveWithdrawal, large, operations)).answer.state).toBe('second_approval')
    await place.platform.turn('market/open', { login: ready.account.login, profit: '-10000.00', notional: '0' })
    server.clock.turn(61)
    for (const reply of [
      await decide(office.confirmWithdrawal, large, finance),
      await decide(office.approveWithdrawal, small, operations),
    ]) {
      expect([reply.status, reply.failure.code, reply.failure.values['check']]).toEqual([
        409,
        'checks-block',
        'Available amount',
      ])
    }
    expect([(await stateOf(small)).state, (await stateOf(large)).state]).toEqual(['pending', 'second_approval'])
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(1_590_000n)
  })

  test('is blocked while ledger and platform disagree and no new reading can reconcile them, and changes nothing', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    await makeBalancesDisagree(server, ready.account, 1)
    const refused = await decide(office.approveWithdrawal, id, operations)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Ledger and platform'])
    expect((await stateOf(id)).state).toBe('pending')
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(25_000n)
  })

  test('succeeds for one of two simultaneous clerks; the other sees who decided (requirements 28.12)', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    const rival = await makeStaff(server, ['operations'], { name: 'Rival Clerk' })
    const [a, b] = await Promise.all([
      decide(office.approveWithdrawal, id, operations),
      decide(office.approveWithdrawal, id, rival),
    ])
    expect([a.status, b.status].toSorted()).toEqual([200, 409])
    const lost = a.status === 409 ? a : b
    expect(lost.failure.error).toMatch(/Tom Reyes|Rival Clerk/)
    await settleOperations(server)
    const deals = await place.platform.read<unknown[]>(`deals?login=${ready.account.login}&action=2`)
    expect(deals).toHaveLength(2)
  })

  test('and a simultaneous cancellation: one succeeds, and nothing is debited after a cancellation (requirements 28.13)', async () => {
    for (const first of ['cancel', 'approve', 'cancel', 'approve']) {
      const ready = await readyClient()
      const { id } = (await requestWithdrawalOf(ready, '250')).answer
      const both = [
        () => call(server, cancelWithdrawal, { as: ready.client, body: { id } }),
        () => decide(office.approveWithdrawal, id, operations),
      ]
      if (first === 'approve') both.reverse()
      const replies = await Promise.all(both.map((act) => act()))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
      await settleOperations(server)
      const { state } = await stateOf(id)
      expect(['cancelled', 'approved']).toContain(state)
      expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
      expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(
        state === 'approved' ? 75_000n : 100_000n,
      )
    }
  })

  test('by the first approver stays refused in another session, role and name (requirements 27.9)', async () => {
    const ready = await readyClient(2_000_000n)
    const approver = await makeStaff(server, ['operations'], { name: 'First Approver' })
    const { id } = (await requestWithdrawalOf(ready, '10000')).answer
    expect((await decide(office.approveWithdrawal, id, approver)).answer.state).toBe('second_approval')
    await server.dependencies.pool.query(
      `update staff set roles = '{administrator}', name = 'Somebody Else' where id = $1`,
      [approver.id],
    )
    for (const token of [approver.token, await openAnotherSession(approver)]) {
      const { version } = await stateOf(id)
      const again = await call(server, office.confirmWithdrawal, { as: token, params: { id }, body: { version } })
      expect([again.status, again.failure.code]).toEqual([403, 'own-approval'])
    }
    expect((await stateOf(id)).state).toBe('second_approval')
  })

  test('to reject requires a reason, releases the reservation and notifies the client', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    const { version } = await stateOf(id)
    const silent = await call(server, office.rejectWithdrawal, {
      as: operations,
      params: { id },
      body: { version, reason: ' ' },
    })
    expect(silent.failure.errors).toHaveProperty('reason')
    const reply = await call(server, office.rejectWithdrawal, {
      as: operations,
      params: { id },
      body: { version, reason: 'The name differs.' },
    })
    expect(reply.answer.state).toBe('rejected')
    expect(await decidedBy(id)).toBe(operations.id)
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
    const mails = await rows<{ payload: { kind: string } }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'mail' and record = ${id}`,
    )
    expect(mails.map((mail) => mail.payload.kind).toSorted()).toEqual(['withdrawal-rejected', 'withdrawal-requested'])
  })

  test('on a stale page is rejected', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    const reply = await call(server, office.approveWithdrawal, {
      as: operations,
      params: { id },
      body: { version: 99 },
    })
    expect(reply.failure.code).toBe('stale-page')
    expect((await stateOf(id)).state).toBe('pending')
  })

  test('on a request by a client with one’s own email address is refused', async () => {
    const ready = await readyClient()
    const alsoClient = await makeStaff(server, ['operations'], { email: ready.client.email })
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    expect((await decide(office.approveWithdrawal, id, alsoClient)).failure.code).toBe('own-request')
  })

  test.each(['compliance', 'finance', 'auditor'] as const)('for a first approval is refused to %s', async (role) => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    const staff = await makeStaff(server, [role])
    expect((await decide(office.approveWithdrawal, id, staff)).status).toBe(403)
    expect((await stateOf(id)).state).toBe('pending')
  })

  test('that the platform rejects gives the reason, and nothing stays reserved', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    await place.platform.turn('refuse', { retcode: 10019, login: ready.account.login })
    await decide(office.approveWithdrawal, id, operations)
    await settleOperations(server)
    expect((await stateOf(id)).state).toBe('rejected')
    // The platform's rejection does not count as a decision by staff.
    expect(await decidedBy(id)).toBeNull()
    expect(await reservedOf(server.dependencies.pool, ready.account.id)).toBe(0n)
    const read = await call(server, getTransferTimeline, {
      as: ready.client,
      params: { list: 'withdrawals', id },
      headers: { 'accept-language': 'de' },
    })
    expect(read.answer.withdrawal?.comment).toBe('Das verfügbare Guthaben auf dem Konto reichte nicht aus.')
  })
})

test('the preview of its work item shows the recipient as on its page, with masked numbers for the same roles', async () => {
  const { id } = (await requestWithdrawalOf(await readyClient(), '250')).answer
  const shown = async (as: MadeStaff) => {
    const page = (await call(server, office.getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal
    const { recipient } = (await call(server, getInboxItem, { as, params: { id: page.item?.id ?? '' } })).answer
    const { id: _record, ...bank } = page.bank
    expect(recipient).toEqual({ ...bank, currency: page.currency })
    return recipient?.iban
  }
  const iban = await shown(operations)
  expect(iban).toMatch(/^DE\d{20}$/)
  expect(await shown(await makeStaff(server, ['auditor']))).toBe(`${'•'.repeat(18)}${iban?.slice(-4)}`)
})

describe('a debit without a response', () => {
  test('that the platform has carried out is found by its reference, and nothing is debited twice', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    await place.platform.turn('drop-after', { login: ready.account.login })
    await decide(office.approveWithdrawal, id, operations)
    await settleOperations(server)
    expect((await stateOf(id)).state).toBe('processing')
    server.clock.turn(30)
    await settleOperations(server)
    expect((await stateOf(id)).state).toBe('approved')
    const deals = await place.platform.read<unknown[]>(`deals?login=${ready.account.login}&action=2`)
    expect(deals).toHaveLength(2)
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(75_000n)
  })

  test('that the platform has not carried out is absent in two queries a minute apart, and then becomes a work item', async () => {
    const ready = await readyClient()
    const { id } = (await requestWithdrawalOf(ready, '250')).answer
    await place.platform.turn('drop-before', { login: ready.account.login })
    await decide(office.approveWithdrawal, id, operations)
    for (let round = 0; round < 10; round += 1) {
      await settleOperations(server)
      server.clock.turn(15)
    }
    expect((await stateOf(id)).state).toBe('processing')
    const operation = await row<{ state: string; apart: number | null }>(
      server.dependencies.pool,
      sql`select state, extract(epoch from parked_at - asked_first_at)::int as apart from operations
        where record = ${id} and kind = 'balance'`,
    )
    expect(operation?.state).toBe('unknown')
    expect(operation?.apart).toBeGreaterThanOrEqual(60)
    const item = await row<{ state: string }>(
      server.dependencies.pool,
      sql`select state from work_items where kind = 'operation' and closed_at is null`,
    )
    expect(item?.state).toBe('absent')
  })
})
