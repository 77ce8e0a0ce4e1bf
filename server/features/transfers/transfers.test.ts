import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as contract from '#contract/transfers.ts'
import * as office from '#contract/office/transfers.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { getTransferHistory, getTransferTimeline } from '#contract/history.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { reservedOf } from '#server/ledger/reservations.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import {
  makeApprovedBank,
  disableAtPlatform,
  makeBalancesDisagree,
  makeFundedAccount,
  settleOperations,
  transferBody,
  withdrawalBody,
} from '../../../tests/funded-account.ts'
import { withReservationsLocked } from '../../../tests/lock-waits.ts'
import {
  applyRatesAsOf,
  call,
  makeAccount,
  makeClient,
  makeStaff,
  applySetting,
  type MadeClient,
} from '../../../tests/factories.ts'
import { versionOf } from '../../../tests/version-of.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const auditor = staffForFile(server, ['auditor'])

beforeAll(() => applyRatesAsOf(server))

interface ReadyClient {
  client: MadeClient
  source: { id: AccountId; login: string }
  destination: { id: AccountId; login: string }
}

async function readyClient(currency: Currency = 'EUR', minor = 100_000n): Promise<ReadyClient> {
  const client = await makeClient(server)
  return {
    client,
    source: await makeFundedAccount(server, client, minor),
    destination: await makeFundedAccount(server, client, 0n, currency),
  }
}

function requestTransferOf(
  { client, source, destination }: ReadyClient,
  amount: unknown,
  changes: object = {},
  headers: Record<string, string> = {},
) {
  const body = { ...transferBody(source, destination, amount), ...changes }
  return call(server, contract.requestTransfer, { as: client, body, headers })
}

type Decision = typeof office.approveTransfer | typeof office.rejectTransfer
const decide = async (endpoint: Decision, id: string, as = operations, body: object = {}) => {
  const version = await versionOf(server, 'transfers', id)
  return call(server, endpoint, { as, params: { id }, body: { version, ...body } })
}

async function stateOf(id: string) {
  return (await row<{ state: string }>(server.dependencies.pool, sql`select state from transfers where id = ${id}`))
    ?.state
}

async function liabilitiesOf({ source, destination }: ReadyClient) {
  return [
    await accountLiability(server.dependencies.pool, { accountId: source.id }),
    await accountLiability(server.dependencies.pool, { accountId: destination.id }),
  ]
}

describe('a transfer request', () => {
  test('reserves its amount, is pending until staff decide, and can be cancelled once', async () => {
    const ready = await readyClient()
    const reply = await requestTransferOf(ready, '250.00')
    expect(reply.status).toBe(201)
    expect(reply.answer).toMatchObject({
      status: 'pending',
      amount: 25_000n,
      rate: '1',
      arrives: 25_000n,
      arrivesCurrency: 'EUR',
    })
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(25_000n)
    const again = await call(server, contract.cancelTransfer, { as: ready.client, body: { id: reply.answer.id } })
    expect(again.status).toBe(200)
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(0n)
    const cancelAgain = (language: string) =>
      call(server, contract.cancelTransfer, {
        as: ready.client,
        body: { id: reply.answer.id },
        headers: { 'accept-language': language },
      })
    const twice = await cancelAgain('de')
    expect([twice.status, twice.failure.values]).toEqual([409, { state: 'cancelled', record: 'transfer' }])
    expect(twice.failure.error).toBe('Hierüber wurde bereits entschieden. Aktueller Status: Storniert.')
    expect((await cancelAgain('en')).failure.error).toBe('This has already been decided. Current status: Cancelled.')
  })

  test.each([
    ['under the minimum', '4.99', {}, 'transferAmount', 'Amount too low. The minimum transfer is 5.00\u00a0EUR.'],
    ['over the balance', '1000.01', {}, 'transferAmount', 'You cannot transfer more than your account balance!'],
    [
      'in the currency of another account',
      '50',
      { transferCurrency: 'GBP' },
      'transferCurrency',
      'Choose the currency of the account.',
    ],
    [
      'to an account that does not exist',
      '50',
      { destinationAccount: '77' },
      'destinationAccount',
      'This trading account does not exist. Choose one from the list.',
    ],
  ])('%s is rejected at its field, and nothing is reserved', async (_case, amount, changes, field, sentence) => {
    const ready = await readyClient()
    const reply = await requestTransferOf(ready, amount, changes)
    expect(reply.failure.errors).toEqual({ [field]: sentence })
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(0n)
  })

  test('has the minimum of its own currency', async () => {
    const limits = await server.dependencies.settings.get('limits')
    await applySetting(server, 'limits', { ...limits, transferMin: { ...limits.transferMin, GBP: 5_000n } })
    const ready = await readyClient()
    const pounds = await makeFundedAccount(server, ready.client, 100_000n, 'GBP')
    const reply = await requestTransferOf({ ...ready, source: pounds }, '49.99', { transferCurrency: 'GBP' })
    expect(reply.failure.errors['transferAmount']).toContain('50.00\u00a0GBP')
    await applySetting(server, 'limits', limits)
  })

  test('above the available amount but below the balance names the amount set aside', async () => {
    const ready = await readyClient()
    await requestTransferOf(ready, '900')
    const reply = await requestTransferOf(ready, '200')
    expect(reply.failure.error).toContain('more than is available: 100.00\u00a0EUR. 900.00\u00a0EUR is set aside')
  })

  test('to the same account, to a demo account, or with another client’s account is rejected', async () => {
    const ready = await readyClient()
    const demo = await makeAccount(server, ready.client, { requestType: 'demo' })
    expect((await requestTransferOf(ready, 50, { destinationAccount: ready.source.login })).failure.code).toBe(
      'same-account',
    )
    expect((await requestTransferOf(ready, 50, { destinationAccount: demo.login })).failure.code).toBe('demo-account')
    const stranger = await readyClient()
    expect((await requestTransferOf(ready, 50, { destinationAccount: stranger.destination.login })).status).toBe(404)
    expect((await requestTransferOf({ ...ready, client: stranger.client }, 50)).status).toBe(404)
  })

  test('to an account that its platform has closed is rejected at that field; one from such an account is not', async () => {
    const ready = await readyClient()
    await disableAtPlatform(server, ready.destination)
    expect((await requestTransferOf(ready, 50)).failure).toMatchObject({
      code: 'account-not-approved',
      errors: { destinationAccount: expect.any(String) as unknown },
    })
    const back = await readyClient()
    await disableAtPlatform(server, back.source)
    expect((await requestTransferOf(back, 50)).status).toBe(201)
  })

  test('made ten times at once for the whole balance is accepted once', async () => {
    const ready = await readyClient()
    const asked: ReturnType<typeof requestTransferOf>[] = []
    const send = () => asked.push(requestTransferOf(ready, '1000.00'), requestTransferOf(ready, '1000.00'))
    await withReservationsLocked(server.dependencies, send, 2)
    for (let n = 2; n < 10; n += 1) asked.push(requestTransferOf(ready, '1000.00'))
    const replies = await Promise.all(asked)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(100_000n)
  })

  test('sent 50 times at once with one idempotency key is one transfer, one response and one request for the limit (requirements 28.6)', async () => {
    const ready = await readyClient()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => requestTransferOf(ready, '10', {}, { 'idempotency-key': 'same' })),
    )
    expect((await requestTransferOf(await readyClient(), '10', {}, { 'idempotency-key': 'same' })).status).toBe(201)
    expect(new Set(replies.map(({ answer }) => answer.id)).size).toBe(1)
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(1_000n)
    expect((await requestTransferOf(ready, '11', {}, { 'idempotency-key': 'same' })).status).toBe(422)
    for (const key of ['two words', 'k'.repeat(256)])
      expect((await requestTransferOf(ready, '10', {}, { 'idempotency-key': key })).failure.code).toBe('key-invalid')
  })
})

test('all money requests together are limited to 20 new keys a minute, and repeating a rejected key does not help (requirements 28.6)', async () => {
  const ready = await readyClient()
  const keys = Array.from({ length: 30 }, (_, place) => `key-${place}`)
  for (const key of keys.slice(0, 20)) await requestTransferOf(ready, '5', {}, { 'idempotency-key': key })
  for (const key of [...keys.slice(20), ...keys.slice(20)]) {
    const refused = await requestTransferOf(ready, '5', {}, { 'idempotency-key': key })
    expect(refused.failure.code).toBe('too-many')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(
    (await requestTransferOf(ready, '5', {}, { 'idempotency-key': 'key-0' })).headers['idempotency-replayed'],
  ).toBe('true')
  const { client, source } = ready
  const account = { accountPlatform: 'MT5', accountNumber: source.login, paymentGatewayService: 'bank' }
  const others = [
    call(server, requestWithdrawal, {
      as: client,
      body: withdrawalBody(source, await makeApprovedBank(server, client), '5'),
    }),
    call(server, requestWirePayment, {
      as: client,
      body: { ...account, depositType: 'wire', depositCurrency: 'EUR', depositAmountSent: '50' },
    }),
  ]
  expect((await Promise.all(others)).map(({ failure }) => failure.code)).toEqual(['too-many', 'too-many'])
  expect(await reservedOf(server.dependencies.pool, source.id)).toBe(10_000n)
})

test('a key rejected by the rate limit counts as new the next time (requirements 28.6)', async () => {
  const ready = await readyClient()
  const statuses = async (from: number, count: number) => {
    const replies = []
    for (let turn = from; turn < from + count; turn += 1)
      replies.push(
        (await requestTransferOf(ready, '5', { destinationAccount: '1' }, { 'idempotency-key': `burnt-${turn}` }))
          .status,
      )
    return replies
  }
  expect(await statuses(0, 20)).toEqual(Array.from({ length: 20 }, () => 404))
  server.clock.turn(35)
  expect(await statuses(20, 25)).toEqual(Array.from({ length: 25 }, () => 429))
  server.clock.turn(26)
  const later = await statuses(20, 25)
  expect(later.filter((status) => status === 404)).toHaveLength(20)
  expect(later.filter((status) => status === 429)).toHaveLength(5)
})

describe('a transfer between currencies', () => {
  const daysAgo = (days: number) => new Date(server.clock.now().getTime() - days * 86_400_000)

  test.each([
    ['older than the maximum age', async () => applyRatesAsOf(server, daysAgo(4.01))],
    ['not yet in force', async () => applyRatesAsOf(server, daysAgo(-0.01))],
    [
      'without a time',
      async () => {
        const rates = await server.dependencies.settings.get('rates')
        await applySetting(server, 'rates', { ...rates, asOf: null })
      },
    ],
  ])('has no quote and cannot be requested at rates %s, unlike one in the same currency', async (_what, change) => {
    const ready = await readyClient('USD')
    const other = await makeFundedAccount(server, ready.client, 0n)
    await change()
    const quoteBody = (to: string) => ({
      sourceAccount: ready.source.login,
      destinationAccount: to,
      transferAmount: '10',
    })
    const quoteTo = (to: string) => call(server, contract.quoteTransfer, { as: ready.client, body: quoteBody(to) })
    for (const refused of [await quoteTo(ready.destination.login), await requestTransferOf(ready, '10')])
      expect([refused.status, refused.failure.code, Object.keys(refused.failure.errors ?? {})]).toEqual([
        409,
        'rates-out-of-date',
        ['destinationAccount'],
      ])
    expect((await quoteTo(other.login)).status).toBe(200)
    expect((await requestTransferOf({ ...ready, destination: other }, '10')).status).toBe(201)
    await applyRatesAsOf(server, daysAgo(3.99))
    expect((await requestTransferOf(ready, '10')).status).toBe(201)
    await applyRatesAsOf(server)
  })

  test('is not approved once its rate is too old, and can be rejected', async () => {
    const ready = await readyClient('USD')
    await applyRatesAsOf(server, daysAgo(3))
    const { id } = (await requestTransferOf(ready, '10')).answer
    await applyRatesAsOf(server)
    expect((await decide(office.approveTransfer, (await requestTransferOf(ready, '10')).answer.id)).status).toBe(200)
    const rates = await server.dependencies.settings.get('rates')
    await applySetting(server, 'rates', { ...rates, maxAgeDays: 2 })
    const refused = await decide(office.approveTransfer, id)
    expect([refused.failure.code, refused.failure.values['check'], refused.failure.values['what']]).toEqual([
      'checks-block',
      'Exchange rate',
      expect.stringMatching(/^The rate of this request is as of .+ It was valid for 2 days\.$/),
    ])
    expect((await decide(office.rejectTransfer, id, operations, { reason: 'Not now.' })).status).toBe(200)
    await applySetting(server, 'rates', rates)
    await settleOperations(server)
  })

  test('has a quote with the rate and the credited amount, rounded down', async () => {
    const ready = await readyClient('USD')
    const body = {
      sourceAccount: ready.source.login,
      destinationAccount: ready.destination.login,
      transferAmount: '33.33',
    }
    const quote = await call(server, contract.quoteTransfer, { as: ready.client, body })
    expect(quote.answer).toMatchObject({ rate: '1.0850', arrives: 3_616n, currency: 'USD' })
    expect((await call(server, contract.quoteTransfer, { as: await makeClient(server), body })).status).toBe(404)
    const itself = { ...body, destinationAccount: body.sourceAccount }
    const none = await call(server, contract.quoteTransfer, { as: ready.client, body: itself })
    expect(none.failure.code).toBe('same-account')
  })

  test('from or to an account on a platform that is not connected is rejected at its field', async () => {
    const ready = await readyClient()
    const { login } = await makeAccount(server, ready.client, { platform: 'MT4' })
    const refused = async (changes: Record<string, string>) => (await requestTransferOf(ready, '50', changes)).failure
    const from = await refused({ sourceAccountPlatform: 'MT4', sourceAccount: login })
    const to = await refused({ destinationAccountPlatform: 'MT4', destinationAccount: login })
    expect([from.code, to.code]).toEqual(['platform-not-connected', 'platform-not-connected'])
    expect([Object.keys(from.errors ?? {}), Object.keys(to.errors ?? {})]).toEqual([
      ['sourceAccount'],
      ['destinationAccount'],
    ])
  })

  test('has no quote from or to an account on a platform that is not connected, as it cannot be requested', async () => {
    const ready = await readyClient()
    const { login } = await makeAccount(server, ready.client, { platform: 'MT4', currency: 'USD' })
    const refused = async (sourceAccount: string, destinationAccount: string) => {
      const body = { sourceAccount, destinationAccount, transferAmount: '10' }
      const { code, errors } = (await call(server, contract.quoteTransfer, { as: ready.client, body })).failure
      return [code, Object.keys(errors ?? {})]
    }
    expect(await refused(login, ready.destination.login)).toEqual(['platform-not-connected', ['sourceAccount']])
    expect(await refused(ready.source.login, login)).toEqual(['platform-not-connected', ['destinationAccount']])
  })

  test('with an account number that exists on both platforms is identified by the platform, in either direction', async () => {
    const ready = await readyClient('USD')
    const { login } = ready.source
    await makeAccount(server, ready.client, { platform: 'MT4', login, currency: 'GBP' })
    const quoted = (platforms: object, numbers: object) =>
      call(server, contract.quoteTransfer, {
        as: ready.client,
        body: { transferAmount: '10', ...numbers, ...platforms },
      })
    const [out, back] = [
      { sourceAccount: login, destinationAccount: ready.destination.login },
      { sourceAccount: ready.destination.login, destinationAccount: login },
    ]
    expect((await quoted({ sourceAccountPlatform: 'MT5' }, out)).answer).toMatchObject({ currency: 'USD' })
    expect((await quoted({ destinationAccountPlatform: 'MT5' }, back)).answer).toMatchObject({ currency: 'EUR' })
    // The other platform is not connected in this test, so the error shows that its account was meant.
    const code = 'platform-not-connected'
    expect((await quoted({ sourceAccountPlatform: 'MT4' }, out)).failure).toMatchObject({ code })
    expect((await quoted({ destinationAccountPlatform: 'MT4' }, back)).failure).toMatchObject({ code })
  })

  test('shows a changed rate with a pending decision, and not with a transfer that has been decided', async () => {
    const ready = await readyClient('USD')
    const ids = [
      (await requestTransferOf(ready, '100')).answer.id,
      (await requestTransferOf(ready, '100')).answer.id,
    ] as const
    const rates = await server.dependencies.settings.get('rates')
    await applySetting(server, 'rates', { ...rates, pairs: { ...rates.pairs, 'EUR/USD': '1.1' } })
    const checks = async (id: string) =>
      (await call(server, office.getOfficeTransfer, { as: auditor, params: { id } })).answer.transfer.checks
    expect(await checks(ids[0])).toMatchObject([{ code: 'rate-unchanged', verdict: 'warn', theirs: '1.1' }])
    await decide(office.rejectTransfer, ids[0], operations, { reason: 'Not now.' })
    await decide(office.approveTransfer, ids[1])
    await settleOperations(server)
    expect([await stateOf(ids[1]), await checks(ids[0]), await checks(ids[1])]).toEqual(['approved', [], []])
    await applySetting(server, 'rates', rates)
  })

  test('at another rate than the one shown is rejected with the amount that would be credited now (requirements 28.14)', async () => {
    const ready = await readyClient('USD')
    const reply = await requestTransferOf(ready, '100', { rate: '1.2' })
    expect([reply.status, reply.failure.code, reply.failure.values['arrives']]).toEqual([
      409,
      'rate-changed',
      '108.50\u00a0USD',
    ])
    expect((await requestTransferOf(ready, '100', { rate: '1.085' })).answer.arrives).toBe(10_850n)
  })

  test('inverts a pair that is configured the other way round, never in the client’s favour', async () => {
    const ready = await readyClient()
    const dollars = await makeFundedAccount(server, ready.client, 5_000n, 'USD')
    const reply = await requestTransferOf({ ...ready, source: dollars }, '10', { transferCurrency: 'USD' })
    expect(reply.answer).toMatchObject({ rate: '0.92165898', arrives: 921n })
  })

  test('posts both legs, and each currency sums to zero', async () => {
    const ready = await readyClient('USD')
    const { id } = (await requestTransferOf(ready, '100')).answer
    await decide(office.approveTransfer, id)
    await settleOperations(server)
    expect(await liabilitiesOf(ready)).toEqual([90_000n, 10_850n])
    const sums = await rows<{ sum: bigint }>(
      server.dependencies.pool,
      sql`select sum(balance_minor)::bigint as sum from ledger_accounts group by currency`,
    )
    expect(sums.every(({ sum }) => sum === 0n)).toBe(true)
  })
})

describe('approving a transfer', () => {
  test('debits the source, credits the destination, releases the reservation and notifies the client', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '250.00')).answer
    expect((await decide(office.approveTransfer, id)).answer.state).toBe('processing')
    await settleOperations(server)
    expect(await stateOf(id)).toBe('approved')
    expect(await liabilitiesOf(ready)).toEqual([75_000n, 25_000n])
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(0n)
    expect(
      await rows(server.dependencies.pool, sql`select kind, facts from notices where client_id = ${ready.client.id}`),
    ).toMatchObject([{ kind: 'transfer-approved', facts: { sourcePlatform: 'MT5', destinationPlatform: 'MT5' } }])
    const page = await call(server, office.getOfficeTransfer, { as: auditor, params: { id } })
    expect(page.answer.transfer.legs.map(({ leg, state }) => [leg, state])).toEqual([
      ['withdraw', 'done'],
      ['deposit', 'done'],
    ])
    const timeline = await call(server, getTransferTimeline, { as: ready.client, params: { list: 'transfers', id } })
    expect(timeline.answer.timeline.map(({ verb }) => verb)).toEqual(['request', 'approve', 'transferred'])
    expect(timeline.answer.transfer?.id).toBe(id)
  })

  test('leaves no reservation of its own after the debit, and that of another request unchanged', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '250.00')).answer
    const other = (await requestTransferOf(ready, '300.00')).answer
    await place.platform.turn('drop-before', { login: ready.destination.login })
    await decide(office.approveTransfer, id)
    await settleOperations(server)
    const reservedOn = async (record: string) => {
      const { transfer } = (await call(server, office.getOfficeTransfer, { as: auditor, params: { id: record } }))
        .answer
      return [transfer.state, transfer.setAsideHere.amount, transfer.setAsideElsewhere.amount]
    }
    expect(await reservedOn(id)).toEqual(['processing', 0n, -30_000n])
    expect(await reservedOn(other.id)).toEqual(['pending', -30_000n, 0n])
    server.clock.turn(60)
    await settleOperations(server)
  })

  test('returns the money to the source if the platform rejects the second leg', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '250.00')).answer
    await place.platform.turn('refuse', { retcode: 13, login: ready.destination.login })
    await decide(office.approveTransfer, id)
    await settleOperations(server)
    expect(await stateOf(id)).toBe('rejected')
    expect(await liabilitiesOf(ready)).toEqual([100_000n, 0n])
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(0n)
  })

  test('debits nothing if the platform rejects the first leg', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '250.00')).answer
    await place.platform.turn('refuse', { retcode: 10019, login: ready.source.login })
    await decide(office.approveTransfer, id)
    await settleOperations(server)
    expect(await stateOf(id)).toBe('rejected')
    expect(await liabilitiesOf(ready)).toEqual([100_000n, 0n])
    const { answer } = await call(server, getTransferTimeline, {
      as: ready.client,
      params: { list: 'transfers', id },
    })
    expect(answer.transfer?.comment).toBe('There were not enough available funds in the account.')
  })

  test('to a platform that is not connected fails and changes nothing', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '250.00')).answer
    await server.dependencies.pool.query(
      `update trading_accounts set platform = 'MT4' where id = '${ready.destination.id}'`,
    )
    expect((await decide(office.approveTransfer, id)).failure.code).toBe('mt4-not-connected')
    expect(await stateOf(id)).toBe('pending')
    expect(await liabilitiesOf(ready)).toEqual([100_000n, 0n])
  })

  test('fails and changes nothing if the money is no longer available', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '900.00')).answer
    await place.platform.turn('market/open', { login: ready.source.login, profit: '-500.00', notional: '0' })
    server.clock.turn(61)
    const reply = await decide(office.approveTransfer, id)
    expect([reply.status, reply.failure.code, reply.failure.values['check']]).toEqual([
      409,
      'checks-block',
      'Available amount',
    ])
    expect(await stateOf(id)).toBe('pending')
  })

  test('fails and changes nothing while ledger and platform disagree and no new reading can reconcile them', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '50')).answer
    const agreeAgain = await makeBalancesDisagree(server, ready.source, 1)
    const refused = await decide(office.approveTransfer, id)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Ledger and platform'])
    expect(await stateOf(id)).toBe('pending')
    await agreeAgain()
    expect((await decide(office.approveTransfer, id)).status).toBe(200)
    await settleOperations(server)
  })

  test('is refused to an auditor and for one’s own email address, and a rejection requires a reason', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '50')).answer
    const self = await makeStaff(server, ['operations'], { email: ready.client.email })
    expect((await decide(office.approveTransfer, id, auditor)).status).toBe(403)
    expect((await decide(office.approveTransfer, id, self)).failure.code).toBe('own-request')
    expect((await decide(office.rejectTransfer, id)).failure.code).toBe('reason-required')
    expect(
      (await decide(office.rejectTransfer, id, operations, { reason: 'Please withdraw instead.' })).answer.state,
    ).toBe('rejected')
    expect(await reservedOf(server.dependencies.pool, ready.source.id)).toBe(0n)
    const listed = await call(server, office.listOfficeTransfers, { as: operations, query: { size: '100' } })
    expect(listed.answer.rows.map((one) => one.id)).not.toContain(id)
  })
})

describe('the transfer history', () => {
  async function many(count: number): Promise<{ ready: ReadyClient; ids: string[] }> {
    const ready = await readyClient()
    const ids: string[] = []
    for (let index = 0; index < count; index += 1) {
      const at = new Date(server.clock.now().getTime() + Math.floor(index / 2) * 1000)
      const written = await row<{ id: string }>(
        server.dependencies.pool,
        sql`insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate,
              arrives_minor, arrives_currency, reference, figures, state, requested_at)
            values (${ready.client.id}, ${ready.source.id}, ${ready.destination.id}, ${500n + BigInt(index)}, 'EUR', '1', 500, 'EUR',
              ${`${ready.client.id.slice(-12)}-${index}`}, '{}', 'cancelled', ${at}) returning id`,
      )
      if (written) ids.push(written.id)
    }
    return { ready, ids }
  }
  const read = (as: MadeClient, query: Record<string, string> = {}) => call(server, getTransferHistory, { as, query })
  const forged = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')

  test.each([
    ['timestamp', 'desc'],
    ['timestamp', 'asc'],
    ['transferAmount', 'desc'],
    ['timeApproved', 'asc'],
    ['sourceAccount', 'desc'],
  ])('sorted by %s %s shows each row once across all pages, including equal values', async (sort, direction) => {
    const { ready, ids } = await many(25)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { transfers?: { id: string }[] | undefined; next: unknown } = (
        await read(ready.client, { list: 'transfers', size: '10', sort, direction, ...(cursor ? { cursor } : {}) })
      ).answer
      seen.push(...(page.transfers ?? []).map(({ id }) => id))
      cursor = typeof page.next === 'string' ? page.next : null
    } while (cursor)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  test('without a query returns the newest 20 of each list, with a cursor if there are more', async () => {
    const { ready, ids } = await many(21)
    const { answer } = await read(ready.client)
    expect(answer.transfers).toHaveLength(20)
    expect(answer.transfers?.[0]?.id).toBe(ids.at(-1))
    expect(answer).toMatchObject({ deposits: [], withdrawals: [], next: { deposits: null, withdrawals: null } })
    const cursor = (answer.next as { transfers: string }).transfers
    const rest = await read(ready.client, { list: 'transfers', cursor })
    expect(rest.answer.transfers?.map(({ id }) => id)).toEqual([ids[0]])
  })

  test('is filtered by account, status and day; another client’s account gives an empty list', async () => {
    const { ready, ids } = await many(4)
    await run(server.dependencies.pool, sql`update transfers set state = 'rejected' where id = ${ids[0]}`)
    const count = async (query: Record<string, string>) =>
      (await read(ready.client, { list: 'transfers', ...query })).answer.transfers?.length
    expect(await count({ status: 'rejected' })).toBe(1)
    expect(await count({ account: ready.destination.login })).toBe(4)
    expect(await count({ account: (await readyClient()).source.login })).toBe(0)
    expect(await count({ from: '2026-06-20' })).toBe(0)
    expect(await count({ from: '2026-06-19', to: '2026-06-19' })).toBe(4)
  })

  test.each([
    [{ list: 'transfers', cursor: 'abc' }, 'cursor-invalid'],
    [
      { list: 'transfers', cursor: Buffer.from('["transfers","timestamp",0,"x\' or 1=1","0"]').toString('base64url') },
      'cursor-invalid',
    ],
    ...[
      ['timestamp', '2026-02-30 10:00:00+00'],
      ['timestamp', '2026-06-19 25:00:00+00'],
      ['sourceAccount', 'a\0'],
      ['sourceAccount', '\ud800'],
    ].map(([sort = '', value]): [Record<string, string>, string] => [
      { list: 'transfers', sort, cursor: forged('transfers', sort, 0, value, randomUUID()) },
      'cursor-invalid',
    ]),
    [{ list: 'transfers', sort: 'depositType' }, 'unknown-value'],
    [{ list: 'transfers', size: '1000' }, 'invalid'],
    [{ list: 'deposits', from: '2026-13-01' }, 'date-invalid'],
  ])('with %j is rejected', async (query, code) => {
    const reply = await read(await makeClient(server), query)
    expect([reply.status, reply.failure.code]).toEqual([400, code])
  })

  test('and the timeline of a transfer are visible to its client only', async () => {
    const ready = await readyClient()
    const { id } = (await requestTransferOf(ready, '50')).answer
    const stranger = await makeClient(server)
    expect((await read(stranger)).answer.transfers).toEqual([])
    expect((await call(server, getTransferTimeline, { as: stranger, params: { list: 'transfers', id } })).status).toBe(
      404,
    )
    expect(
      (await call(server, getTransferTimeline, { as: ready.client, params: { list: 'deposits', id } })).status,
    ).toBe(404)
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
