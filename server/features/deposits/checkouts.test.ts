import { describe, expect, test } from 'vitest'
import * as contract from '#contract/deposits.ts'
import { listDifferences } from '#contract/office/accounting.ts'
import { getOfficeDeposit, listOfficeDeposits } from '#contract/office/deposits.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { exportList } from '#contract/office/list-export.ts'
import { listNotifications } from '#contract/notifications.ts'
import { getTransferHistory, getTransferTimeline, historyCsv } from '#contract/history.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { merchantReference } from '#server/ledger/references.ts'
import { cardsForFile } from '../../../tests/for-file.ts'
import { cardBody, makeFundedAccount, settleOperations } from '../../../tests/funded-account.ts'
import { sendWebhook } from '../../../tests/card-provider.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '../../../tests/factories.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { queryCheckouts, queryExpiredCheckouts, queryPaidCheckouts, expireDeposits } from './jobs.ts'

const place = cardsForFile()
const { server, cards } = place

interface ReadyClient {
  client: MadeClient
  account: { id: AccountId; login: string }
}

async function readyClient(country = 'DE'): Promise<ReadyClient> {
  const client = await makeClient(server, { country })
  return { client, account: await makeFundedAccount(server, client, 0n) }
}

function requestCheckout({ client, account }: ReadyClient, changes: object = {}, headers: Record<string, string> = {}) {
  const body = { ...cardBody(account, '100.00'), ...changes }
  return call(server, contract.requestCreditCardPayment, { as: client, body, headers })
}

/** Returns our reference at the provider. */
function providerRef(shown: string): string {
  return merchantReference({ key: server.dependencies.keys.reference.bytes, shown })
}

interface OpenedCheckout extends ReadyClient {
  id: string
  REF: string
  providerId: string
}

async function openCheckout(country?: string, changes: object = {}): Promise<OpenedCheckout> {
  const ready = await readyClient(country)
  const { id, REF } = (await requestCheckout(ready, changes)).answer
  const kept = await row<{ provider_id: string }>(
    server.dependencies.pool,
    sql`select provider_id from deposits where id = ${id}`,
  )
  return { ...ready, id, REF, providerId: kept?.provider_id ?? '' }
}

function check(opened: OpenedCheckout, as = opened.client) {
  return call(server, contract.checkCreditCardPayment, { as, body: { REF: opened.REF } })
}

function actAtProvider(opened: OpenedCheckout, action: string) {
  return cards.turn('act', { id: opened.providerId, action })
}

async function stateOf(id: string) {
  return (await row<{ state: string }>(server.dependencies.pool, sql`select state from deposits where id = ${id}`))
    ?.state
}

type Sent = Parameters<typeof sendWebhook>[2]
const notify = (providerId: string, sent?: Sent) => sendWebhook(server, providerId, sent)

describe('a checkout payment', () => {
  test('opens a provider page with its amount, reference, card product and country', async () => {
    const ready = await readyClient()
    const reply = await requestCheckout(ready)
    expect(reply.status).toBe(201)
    expect(reply.answer.paymentUrl).toContain(`http://127.0.0.1:${cards.port}/checkout/`)
    const kept = await cards.read<object[]>(`checkouts?ref=${providerRef(reply.answer.REF)}`)
    expect(kept).toMatchObject([{ amount: 10_000, currency: 'EUR', products: [114], country: 'DE' }])
    expect(await stateOf(reply.answer.id)).toBe('pending')
  })

  test.each([
    ['without a card type', { ccType: undefined }, 'card-type-required'],
    [
      'by a method that is not offered in the client’s country',
      { depositType: 'ideal', method: 'ideal', ccType: undefined },
      'method-not-offered',
    ],
    ['with two methods', { method: 'ideal' }, 'unknown-value'],
    ['by iDEAL with a card type', { depositType: 'ideal', method: 'ideal' }, 'unknown-value'],
    ['below the minimum', { depositAmountSent: '9.99' }, 'deposit-too-low'],
    ['of zero', { depositAmountSent: 0 }, 'deposit-too-low'],
    ['of a negative amount', { depositAmountSent: '-10.00' }, 'deposit-too-low'],
    ['through the wrong gateway', { paymentGatewayService: 'bank' }, 'method-not-offered'],
  ])('%s is rejected', async (_case, changes, code) => {
    expect((await requestCheckout(await readyClient(), changes)).failure.code).toBe(code)
  })

  test('to an account whose platform is not connected is rejected with an error on its field and creates no deposit', async () => {
    const ready = await readyClient()
    const { login } = await makeAccount(server, ready.client, { platform: 'MT4' })
    const { failure } = await requestCheckout(ready, { accountPlatform: 'MT4', accountNumber: login })
    expect([failure.code, Object.keys(failure.errors ?? {})]).toEqual(['platform-not-connected', ['accountNumber']])
    const [kept] = await rows(server.dependencies.pool)`select id from deposits where client_id = ${ready.client.id}`
    expect(kept).toBeUndefined()
  })

  test('by iDEAL is available to clients in the Netherlands', async () => {
    const dutch = await openCheckout('NL', { depositType: 'ideal', method: 'ideal', ccType: undefined })
    expect(await cards.read<object[]>(`checkouts?ref=${providerRef(dutch.REF)}`)).toMatchObject([{ products: [809] }])
  })

  test('by AstroPay opens a provider page for AstroPay only, in the countries where it is offered', async () => {
    const method = { depositType: 'astropay', method: 'astropay', ccType: undefined }
    const brazilian = await openCheckout('BR', method)
    expect(await cards.read<object[]>(`checkouts?ref=${providerRef(brazilian.REF)}`)).toMatchObject([
      { products: [9001] },
    ])
    expect((await requestCheckout(await readyClient('DE'), method)).failure.code).toBe('method-not-offered')
  })

  test('by a method missing from the registry is rejected before the database, which has no separate list', async () => {
    const method = { depositType: 'cheque' }
    expect((await requestCheckout(await readyClient(), method)).failure.code).toBe('unknown-value')
    const lists = await rows<{ rule: string }>(
      server.dependencies.pool,
      sql`select pg_get_constraintdef(oid) as rule from pg_constraint
          where contype = 'c' and pg_get_constraintdef(oid) like '%astropay%'`,
    )
    expect(lists).toEqual([])
  })

  test('with one idempotency key creates one checkout, even if the provider’s first response was lost', async () => {
    const ready = await readyClient()
    await cards.turn('drop-after', { count: 2 })
    expect((await requestCheckout(ready, {}, { 'idempotency-key': 'k' })).failure.code).toBe('provider-unavailable')
    const replies = await Promise.all([
      requestCheckout(ready, {}, { 'idempotency-key': 'k' }),
      requestCheckout(ready, {}, { 'idempotency-key': 'k' }),
    ])
    expect(new Set(replies.map(({ answer }) => answer.REF)).size).toBe(1)
    expect(
      await rows(server.dependencies.pool, sql`select id from deposits where client_id = ${ready.client.id}`),
    ).toHaveLength(1)
    expect((await requestCheckout(ready, { depositAmountSent: '101' }, { 'idempotency-key': 'k' })).status).toBe(422)
  })

  test('declined by the provider is rejected, and a retry with the same idempotency key returns the same problem', async () => {
    const ready = await readyClient()
    await cards.turn('refuse', { status: 402 })
    const reply = await requestCheckout(ready, {}, { 'idempotency-key': 'refused' })
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-refused'])
    const again = await requestCheckout(ready, {}, { 'idempotency-key': 'refused' })
    expect([again.status, again.failure]).toEqual([422, reply.failure])
    expect(
      await rows(server.dependencies.pool, sql`select state from deposits where client_id = ${ready.client.id}`),
    ).toEqual([{ state: 'rejected' }])
  })
})

describe('a payment status from the provider', () => {
  test('of "paid" credits once when return page, webhooks and scheduled query report it concurrently', async () => {
    const payment = await openCheckout()
    expect((await check(payment)).answer.status).toBe('pending')
    await actAtProvider(payment, 'pay')
    const responses: ReturnType<typeof notify>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select from deposits where id = ${payment.id} for update`)
      responses.push(notify(payment.providerId), notify(payment.providerId))
      await waitForBlockedConnections(server.dependencies.jobs, 2)
    })
    responses.push(...Array.from({ length: 8 }, () => notify(payment.providerId)))
    const asked = Array.from({ length: 5 }, () => check(payment))
    await Promise.all([...asked, queryCheckouts(server.dependencies, server.clock.now())])
    expect(new Set(await Promise.all(responses))).toEqual(new Set([200]))
    await settleOperations(server)
    expect((await check(payment)).answer).toMatchObject({
      status: 'paid',
      accountNumber: payment.account.login,
      amount: 10_000n,
    })
    expect(await stateOf(payment.id)).toBe('approved')
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await place.platform.read<object[]>(`deals?login=${payment.account.login}&action=2`)).toHaveLength(1)
    const mails = await rows(
      server.dependencies.pool,
      sql`select id from operations where kind = 'mail' and record = ${payment.id}`,
    )
    expect(mails).toHaveLength(1)
  })

  test.each([
    ['decline', 'The card was declined.'],
    ['cancel', 'The payment was cancelled.'],
  ])('after the action "%s" rejects the deposit with a reason and credits nothing', async (action, words) => {
    const payment = await openCheckout()
    await actAtProvider(payment, action)
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-refused'])
    // The page that shows it has the title PAYMENT FAILED!
    expect(reply.failure.error).toBe(`${words} You have not been charged.`)
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(0n)
  })

  test('of "unknown checkout" rejects the deposit once the page has expired, and never before', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'expire')
    expect((await check(payment)).answer.status).toBe('pending')
    const kept = await call(server, contract.cancelDeposit, { as: payment.client, body: { id: payment.id } })
    expect([kept.status, kept.failure.code]).toEqual([503, 'payment-not-closed'])
    expect(await stateOf(payment.id)).toBe('pending')
    await run(
      server.dependencies.pool,
      sql`update deposits set requested_at = requested_at - interval '2 hours' where id = ${payment.id}`,
    )
    const over = await check(payment)
    expect([over.status, over.failure.code]).toEqual([422, 'payment-refused'])
    expect(over.failure.error).toContain('has expired')
  })

  test('of "paid", with the credit rejected by the platform, tells the client that we have the money', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await place.platform.turn('refuse', { retcode: 13, login: payment.account.login })
    expect((await check(payment)).answer.status).toBe('paid')
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('uncredited')
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-not-credited'])
    expect(reply.failure.error).toContain('We have your money')
    const mails = await mailsTo(server, payment.client.email)
    expect(mails).toMatchObject([{ kind: 'deposit-refused', facts: { minor: '10000', currency: 'EUR' } }])
  })

  test('of "paid" is shown to the client in German as paid and not as paid out', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await check(payment)
    const params = { list: 'deposits', id: payment.id }
    const asked = { as: payment.client, headers: { 'accept-language': 'de' }, params }
    const { timeline } = (await call(server, getTransferTimeline, asked)).answer
    expect(timeline.map(({ text }) => text)).toEqual(['Beantragt', 'Bezahlt'])
  })

  test('of "declined" is shown in the reader’s language, not in the language of the first request', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'decline')
    const read = async (language: string) => {
      const headers = { 'accept-language': language }
      const asked = { as: payment.client, headers }
      const refused = await call(server, contract.checkCreditCardPayment, { ...asked, body: { REF: payment.REF } })
      const params = { list: 'deposits', id: payment.id }
      const { deposit, timeline } = (await call(server, getTransferTimeline, { ...asked, params })).answer
      return [refused.failure.error, deposit?.comment, timeline.at(-1)?.text]
    }
    expect(await read('de')).toEqual([
      expect.stringContaining('Die Karte wurde abgelehnt.'),
      'Die Karte wurde abgelehnt.',
      'Zahlung fehlgeschlagen: Die Karte wurde abgelehnt.',
    ])
    expect(await read('en')).toEqual([
      expect.stringContaining('The card was declined.'),
      'The card was declined.',
      'Payment failed: The card was declined.',
    ])
  })

  test.each([
    ['1.00 more', { amount: 10_100 }],
    ['another currency', { currency: 'USD' }],
    ['another reference', { ref: 'CR-OTHER' }],
  ])('of "paid" with %s credits nothing and opens a work item', async (_case, fault) => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await cards.turn('lie', { id: payment.providerId, ...fault, count: 0 })
    await notify(payment.providerId)
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('in_review')
    const item = await row(
      server.dependencies.pool,
      sql`select state from work_items where record = ${payment.id} and closed_at is null`,
    )
    expect(item).toEqual({ state: 'in_review' })
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(0n)
  })

  test.each([
    ['two webhooks', ({ providerId }: OpenedCheckout) => Promise.all([notify(providerId), notify(providerId)])],
    [
      'the scheduled query only',
      () => queryExpiredCheckouts(server.dependencies, new Date(server.clock.now().getTime() + 61 * 60_000)),
    ],
  ])(
    'of "paid" after the deposit was rejected, from %s, credits nothing and opens one item of finance',
    async (_case, tell) => {
      const payment = await openCheckout()
      // Reported as failed once, then as paid.
      await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
      await check(payment)
      expect(await stateOf(payment.id)).toBe('rejected')
      await actAtProvider(payment, 'pay')
      await tell(payment)
      await settleOperations(server)
      expect(await stateOf(payment.id)).toBe('uncredited')
      expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(0n)
      const found = await rows(
        server.dependencies.pool,
        sql`select state from work_items where record = ${payment.id} and closed_at is null`,
      )
      expect(found).toEqual([{ state: 'uncredited' }])
    },
  )

  test('of "charged back" is posted once, up to the amount paid, and opens a discrepancy', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await check(payment)
    await settleOperations(server)
    await actAtProvider(payment, 'chargeback')
    await Promise.all([notify(payment.providerId), notify(payment.providerId)])
    const kept = await row(server.dependencies.pool, sql`select refunded_minor from deposits where id = ${payment.id}`)
    expect(kept).toEqual({ refunded_minor: 10_000n })
    const sums = await rows<{ sum: bigint }>(
      server.dependencies.pool,
      sql`select sum(balance_minor)::bigint as sum from ledger_accounts group by currency`,
    )
    expect(sums.every(({ sum }) => sum === 0n)).toBe(true)
    const found = await rows(
      server.dependencies.pool,
      sql`select kind, state from differences where record = ${payment.id}`,
    )
    expect(found).toEqual([{ kind: 'charged_back', state: 'open' }])
    const finance = await makeStaff(server, ['finance'])
    const { answer } = await call(server, listDifferences, { as: finance, query: { q: payment.account.login } })
    // It refers to a deposit, so the list names its account.
    expect(answer.rows).toMatchObject([{ kind: 'charged_back', platform: 'MT5', accountNumber: payment.account.login }])
  })

  test('with partial refunds posts each part once and shows client and staff its amount (requirements 28.17)', async () => {
    const payment = await creditCheckout()
    await refundOrChargeBack(payment, 'refund', 4_000)
    expect(await returnedOf(payment)).toEqual({ refunded: 4_000n, found: [['refunded', 10_000n, 6_000n]] })
    await check(payment)
    await notify(payment.providerId)
    await refundOrChargeBack(payment, 'refund', 1_000)
    expect(await returnedOf(payment)).toEqual({
      refunded: 5_000n,
      found: [
        ['refunded', 10_000n, 6_000n],
        ['refunded', 6_000n, 5_000n],
      ],
    })
    const params = { list: 'deposits', id: payment.id }
    const { timeline } = (await call(server, getTransferTimeline, { as: payment.client, params })).answer
    expect(timeline.map(({ text }) => text).slice(-2)).toEqual([
      'Refunded by the provider: 40.00\u00a0EUR',
      'Refunded by the provider: 10.00\u00a0EUR',
    ])
    const clerk = await makeStaff(server, ['operations'])
    const page = await call(server, getOfficeDeposit, { as: clerk, params: { id: payment.id } })
    expect(page.answer.deposit.provider?.refunded).toBe(5_000n)
  })

  test('with a refund by the provider’s staff posts it only once it is settled, under its own id', async () => {
    const payment = await creditCheckout()
    await refundOrChargeBack(payment, 'request-refund', 4_000)
    expect(await returnedOf(payment)).toEqual({ refunded: 0n, found: [] })
    await refundOrChargeBack(payment, 'settle-refund')
    expect(await returnedOf(payment)).toEqual({ refunded: 4_000n, found: [['refunded', 10_000n, 6_000n]] })
    expect(await discrepanciesOf(payment)).toMatchObject([
      { facts: { providerIds: expect.stringMatching(`^${await paymentIdOf(payment)}\\d+$`) } },
    ])
  })

  test('with refund records that contradict the payment posts the records and opens a discrepancy until both agree', async () => {
    const payment = await creditCheckout()
    await refundOrChargeBack(payment, 'refund', 4_000)
    // Both amounts of the payment are 40.00 now: their sum would be 80.00.
    await cards.turn('lie', { id: payment.providerId, back: 8_000, count: 2 })
    await Promise.all([notify(payment.providerId), notify(payment.providerId)])
    const differs = ['money-back-differs', 6_000n, 2_000n]
    expect(await returnedOf(payment)).toEqual({ refunded: 4_000n, found: [['refunded', 10_000n, 6_000n], differs] })
    await notify(payment.providerId)
    expect((await returnedOf(payment)).refunded).toBe(4_000n)
    expect(await discrepanciesOf(payment)).toMatchObject([
      { kind: 'money-back-differs', state: 'gone' },
      { kind: 'refunded', state: 'open' },
    ])
  })

  test('of "charged back" without a chargeback record posts nothing but opens a discrepancy for finance', async () => {
    const payment = await creditCheckout()
    await cards.turn('lie', { id: payment.providerId, state: 'charged_back', back: 10_000, count: 2 })
    await Promise.all([notify(payment.providerId), notify(payment.providerId)])
    expect(await returnedOf(payment)).toEqual({ refunded: 0n, found: [['charged_back', 10_000n, 0n]] })
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'charged_back', state: 'open' }])
  })

  test('with chargebacks above the amount paid posts no more than was paid, even if the account is empty', async () => {
    const payment = await creditCheckout()
    const { id: accountId, login } = payment.account
    await place.platform.turn('market/open', { login, profit: '-100.00' })
    await place.platform.turn('market/close', { login })
    const account = { accountId, platform: 'MT5', login, currency: 'EUR' } as const
    await fetchSnapshot(server.dependencies.pool, server.dependencies, account, server.clock.now())
    expect(await accountLiability(server.dependencies.pool, { accountId })).toBe(0n)
    await refundOrChargeBack(payment, 'refund', 2_500)
    await refundOrChargeBack(payment, 'chargeback', 10_000)
    await refundOrChargeBack(payment, 'chargeback', 10_000)
    expect(await returnedOf(payment)).toEqual({
      refunded: 10_000n,
      found: [
        ['refunded', 10_000n, 7_500n],
        ['charged_back', 7_500n, -2_500n],
        ['charged_back', 0n, -12_500n],
      ],
    })
    // Refunds and chargebacks are shown to the client under separate names, in the reader's language.
    const params = { list: 'deposits', id: payment.id }
    const textsIn = async (language: string) => {
      const asked = { as: payment.client, headers: { 'Accept-Language': language } }
      const { timeline } = (await call(server, getTransferTimeline, { ...asked, params })).answer
      const { notices } = (await call(server, listNotifications, asked)).answer
      const two = (texts: string[]) => texts.map((text) => text.replaceAll('\u00a0', ' ')).slice(0, 2)
      return [...two(timeline.map(({ text }) => text).toReversed()), ...two(notices.map(({ text }) => text))]
    }
    const number = `MT5 ${login.slice(0, 4)} ${login.slice(4)}`
    expect(await textsIn('en')).toEqual([
      'Charged back by the provider: 75.00 EUR',
      'Refunded by the provider: 25.00 EUR',
      `75.00 EUR of your deposit to trading account ${number} has been charged back`,
      `25.00 EUR of your deposit to trading account ${number} has been refunded`,
    ])
    expect(await textsIn('de')).toEqual([
      'Vom Anbieter rückbelastet: 75,00 EUR',
      'Vom Anbieter erstattet: 25,00 EUR',
      `Rückbelastung über 75,00 EUR zu Ihrer Einzahlung auf das Handelskonto ${number}`,
      `25,00 EUR Ihrer Einzahlung auf das Handelskonto ${number} wurden erstattet`,
    ])
    const mails = await rows<{ kind: string }>(
      server.dependencies.pool,
      sql`select payload ->> 'kind' as kind from operations where kind = 'mail' and record = ${payment.id} order by id`,
    )
    expect(mails.map(({ kind }) => kind).slice(-2)).toEqual(['deposit-refunded', 'deposit-charged-back'])
    // Refunds and chargebacks are separate amounts, and the amount of the deposit is unchanged.
    const { deposits } = (await call(server, getTransferHistory, { as: payment.client })).answer
    expect(deposits?.find(({ id }) => id === payment.id)).toMatchObject({
      depositAmountSent: 10_000n,
      depositAmountReceived: 10_000n,
      depositRefunded: 2_500n,
      depositChargedBack: 7_500n,
      status: 'approved',
    })
    const mine = await call(server, historyCsv, { as: payment.client, query: { list: 'deposits' } })
    expect(mine.bytes.toString()).toMatch(/Refunded,Charged back.*\n.*100\.00,100\.00,0\.00,25\.00,75\.00,EUR/)
    const finance = await makeStaff(server, ['finance'])
    const listed = await call(server, listOfficeDeposits, { as: finance, query: { state: 'all', q: payment.REF } })
    expect(listed.answer.rows).toMatchObject([{ amount: 10_000n, refunded: 2_500n, chargedBack: 7_500n }])
    const file = await call(server, exportList, {
      as: finance,
      params: { list: 'deposits' },
      query: { state: 'all', q: payment.REF },
    })
    expect(file.bytes.toString()).toMatch(/refunded,charged_back,[^\n]*\n[^\n]*100\.00,100\.00,25\.00,75\.00/)
    expect(await accountLiability(server.dependencies.pool, { accountId })).toBe(0n)
  })

  test('with a refund in another currency posts nothing', async () => {
    const payment = await creditCheckout()
    await cards.turn('lie', { id: payment.providerId, currency: 'USD', count: 0 })
    await refundOrChargeBack(payment, 'refund', 4_000)
    expect((await returnedOf(payment)).refunded).toBe(0n)
  })

  test('with a refund that no webhook reported is posted by the daily query', async () => {
    const payment = await creditCheckout()
    await actAtProvider(payment, 'refund')
    await queryPaidCheckouts(server.dependencies, server.clock.now())
    expect((await returnedOf(payment)).refunded).toBe(0n)
    await queryPaidCheckouts(server.dependencies, new Date(server.clock.now().getTime() + 86_401_000))
    expect((await returnedOf(payment)).refunded).toBe(10_000n)
  })

  test.each([
    ['open', { state: 'open' }, 0n],
    ['declined', { state: 'failed' }, 0n],
    ['paid with 1.00 less', { amount: 9_900 }, 9_900n],
  ])(
    'of "paid" and then %s keeps the credit and opens one discrepancy for finance (requirements 33.19)',
    async (_case, fault, theirs) => {
      const payment = await creditCheckout()
      await cards.turn('lie', { id: payment.providerId, ...fault, count: 3 })
      await Promise.all([notify(payment.providerId), notify(payment.providerId)])
      await notify(payment.providerId)
      await settleOperations(server)
      expect(await stateOf(payment.id)).toBe('approved')
      expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
      expect(await discrepanciesOf(payment)).toMatchObject([
        { kind: 'payment-denied', state: 'open', ours: 10_000n, theirs, facts: { reference: payment.REF } },
      ])
      expect(await mailsTo(server, payment.client.email)).toMatchObject([{ kind: 'deposit-credited' }])
    },
  )

  test('of "paid" and then "open" before the platform has credited the deposit still credits it', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await check(payment)
    await cards.turn('lie', { id: payment.providerId, state: 'open', count: 1 })
    await notify(payment.providerId)
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'payment-denied', state: 'open' }])
  })

  test('of "open" in a response that a newer one has overtaken opens no discrepancy', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    const replies: Promise<unknown>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select from deposits where id = ${payment.id} for update`)
      replies.push(check(payment))
      await waitForBlockedConnections(server.dependencies.jobs, 1)
      // Queried while the payment is pending here; answered after it is paid.
      await cards.turn('lie', { id: payment.providerId, state: 'open', count: 1 })
      replies.push(notify(payment.providerId))
      await waitForBlockedConnections(server.dependencies.jobs, 2)
    })
    await Promise.all(replies)
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await discrepanciesOf(payment)).toEqual([])
  })

  test('that is missing for an hour for an open payment opens a discrepancy until it arrives (requirements 33.19)', async () => {
    const payment = await openCheckout()
    await failProviderQueries(`hostedcheckouts/${payment.providerId}`, 2)
    await queryCheckouts(server.dependencies, after(1))
    expect(await discrepanciesOf(payment)).toEqual([])
    await queryCheckouts(server.dependencies, after(62))
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'provider-silent', state: 'open' }])
    expect(await stateOf(payment.id)).toBe('pending')
    await actAtProvider(payment, 'pay')
    await queryCheckouts(server.dependencies, after(63))
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('approved')
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'provider-silent', state: 'gone' }])
  })

  test('that is missing for two days for a paid payment keeps the credit and opens a discrepancy for finance', async () => {
    const payment = await creditCheckout()
    await failProviderQueries(`payments/${await paymentIdOf(payment)}`, 2)
    const dayMinutes = 24 * 60 + 1
    await queryAllPaidCheckouts(dayMinutes)
    await queryAllPaidCheckouts(2 * dayMinutes)
    expect(await stateOf(payment.id)).toBe('approved')
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'provider-silent', state: 'open' }])
  })

  test('is queried by the payment’s own id once that is known', async () => {
    const payment = await creditCheckout()
    await cards.turn('refuse', { path: '/v1/1234/hostedcheckouts', status: 404, count: 0 })
    await refundOrChargeBack(payment, 'refund', 4_000)
    await cards.turn('reset')
    expect((await returnedOf(payment)).refunded).toBe(4_000n)
  })

  test('with a capture rejected after the credit keeps the credit and opens one discrepancy for finance', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'request-capture')
    await check(payment)
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('approved')
    await actAtProvider(payment, 'reject-capture')
    await Promise.all([notify(payment.providerId), notify(payment.providerId)])
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await discrepanciesOf(payment)).toMatchObject([{ kind: 'payment-denied', ours: 10_000n, theirs: 0n }])
  })

  test('with an announced chargeback warns finance once and posts nothing until the chargeback arrives', async () => {
    const payment = await creditCheckout()
    await actAtProvider(payment, 'dispute')
    await Promise.all([notify(payment.providerId), notify(payment.providerId)])
    expect(await stateOf(payment.id)).toBe('approved')
    expect((await returnedOf(payment)).refunded).toBe(0n)
    const [announced] = await discrepanciesOf(payment)
    expect(announced).toMatchObject({ kind: 'chargeback-announced', ours: 10_000n })
    const as = await makeStaff(server, ['finance'])
    const { items } = (await call(server, listInbox, { as, query: { kind: 'difference', size: '100' } })).answer
    const due = items.find(({ record }) => record === announced?.id)?.dueAt.getTime()
    expect(due).toBe(server.clock.now().getTime() + 24 * 3_600_000)
    await refundOrChargeBack(payment, 'chargeback', 10_000)
    expect((await returnedOf(payment)).refunded).toBe(10_000n)
    const found = (await discrepanciesOf(payment)).map(({ kind, state }) => [kind, state])
    expect(found.toSorted()).toEqual([
      ['chargeback-announced', 'gone'],
      ['charged_back', 'open'],
    ])
  })

  test('of "paid" and already partly refunded credits the deposit and posts the refund', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    await refundOrChargeBack(payment, 'refund', 4_000)
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('approved')
    expect(await returnedOf(payment)).toEqual({ refunded: 4_000n, found: [['refunded', 10_000n, 6_000n]] })
  })
})

function after(minutes: number): Date {
  return new Date(server.clock.now().getTime() + minutes * 60_000)
}

/** Queries every paid checkout of this file: one run takes the 20 that were queried longest ago. */
async function queryAllPaidCheckouts(minutes: number): Promise<void> {
  const { length } = await rows(server.dependencies.pool, sql`select id from deposits where provider_id is not null`)
  for (let queried = 0; queried < length; queried += 20) await queryPaidCheckouts(server.dependencies, after(minutes))
}

/** Makes the provider respond with 500 to this number of queries about one checkout or its payment. */
function failProviderQueries(about: string, count: number) {
  return cards.turn('refuse', { path: `/v1/1234/${about}`, status: 500, count })
}

async function paymentIdOf({ id }: OpenedCheckout) {
  const found = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select payment_id as id from deposits where id = ${id}`,
  )
  return found?.id ?? ''
}

/** Returns the discrepancies of a payment under Reconciliation. */
async function discrepanciesOf({ id }: OpenedCheckout) {
  const supervisor = await makeStaff(server, ['finance'])
  const { answer } = await call(server, listDifferences, { as: supervisor, query: {} })
  return answer.rows.filter(({ record }) => record === id)
}

async function creditCheckout(): Promise<OpenedCheckout> {
  const payment = await openCheckout()
  await actAtProvider(payment, 'pay')
  await check(payment)
  await settleOperations(server)
  return payment
}

/** Refunds or charges back at the provider, with its webhook sent twice. */
async function refundOrChargeBack(
  payment: OpenedCheckout,
  action: 'refund' | 'request-refund' | 'settle-refund' | 'chargeback',
  amount?: number,
) {
  await cards.turn('act', { id: payment.providerId, action, amount })
  await Promise.all([notify(payment.providerId), notify(payment.providerId)])
}

/**
 * Returns the refunded amount of a deposit, which must equal its postings to the corrections account, and its
 * discrepancies in the order of their discovery.
 */
async function returnedOf({ id }: OpenedCheckout) {
  const kept = await row<{ refunded: bigint }>(
    server.dependencies.pool,
    sql`select refunded_minor as refunded from deposits where id = ${id}`,
  )
  const booked = await row<{ minor: bigint }>(
    server.dependencies.pool,
    sql`select coalesce(sum(p.minor), 0)::bigint as minor from entries e join postings p on p.entry_id = e.id
        join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} and l.kind = 'corrections'`,
  )
  expect(booked?.minor).toBe(kept?.refunded)
  const found = await rows<{ kind: string; ours: bigint; theirs: bigint }>(
    server.dependencies.pool,
    sql`select kind, ours_minor as ours, theirs_minor as theirs from differences where record = ${id} order by id`,
  )
  return { refunded: kept?.refunded, found: found.map(({ kind, ours, theirs }) => [kind, ours, theirs]) }
}

describe('a checkout payment that its client cancels', () => {
  function takeBack(payment: OpenedCheckout, as = payment.client) {
    return call(server, contract.cancelDeposit, { as, body: { id: payment.id } })
  }

  async function notificationsOf(payment: OpenedCheckout) {
    const params = { list: 'deposits', id: payment.id }
    const { deposit, timeline } = (await call(server, getTransferTimeline, { as: payment.client, params })).answer
    return [deposit?.status, deposit?.cancellable, timeline.at(-1)?.text]
  }

  test('is cancelled at the provider first, and is then shown as cancelled', async () => {
    const payment = await openCheckout()
    expect(await notificationsOf(payment)).toEqual(['pending', true, 'Requested'])
    expect((await takeBack(payment, await makeClient(server))).status).toBe(404)
    expect((await takeBack(payment)).status).toBe(200)
    expect(await cards.read(`checkouts?ref=${providerRef(payment.REF)}`)).toMatchObject([{ life: 'cancelled' }])
    expect(await notificationsOf(payment)).toEqual(['cancelled', false, 'Cancelled by you'])
    expect((await takeBack(payment)).failure.code).toBe('decided-meanwhile')
    const asked = await check(payment)
    expect([asked.failure.code, asked.failure.error]).toEqual([
      'payment-refused',
      expect.stringContaining('The payment was cancelled. You have not been charged.'),
    ])
  })

  test('is cancelled even if the response with the provider’s page was lost', async () => {
    const ready = await readyClient()
    await cards.turn('drop-after', { count: 2 })
    await requestCheckout(ready)
    const [made] = await rows<{ id: string; REF: string }>(
      server.dependencies.pool,
      sql`select id, reference as "REF" from deposits where client_id = ${ready.client.id}`,
    )
    if (!made) throw new Error('nothing was asked for')
    expect((await takeBack({ ...ready, ...made, providerId: '' })).status).toBe(200)
    expect(await stateOf(made.id)).toBe('cancelled')
  })

  test.each([
    ['after it was paid is credited instead', 'pay', 'decided-meanwhile', 'approved', 10_000n],
    ['after it was started stays pending', 'pend', 'payment-under-way', 'pending', 0n],
    ['after it was declined stays rejected', 'decline', 'decided-meanwhile', 'rejected', 0n],
  ])('%s', async (_case, action, code, state, owed) => {
    const payment = await openCheckout()
    await actAtProvider(payment, action)
    expect((await takeBack(payment)).failure.code).toBe(code)
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe(state)
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(owed)
  })

  test('stays pending while the provider refuses or does not respond, and can be cancelled later', async () => {
    const payment = await openCheckout()
    await cards.turn('refuse', { status: 409 })
    expect((await takeBack(payment)).failure.code).toBe('payment-under-way')
    await cards.turn('drop-before', { path: '/', count: 1 })
    const silent = await takeBack(payment)
    expect([silent.status, silent.failure.code]).toEqual([503, 'payment-not-closed'])
    expect(await stateOf(payment.id)).toBe('pending')
    // Closed there, although the response was lost.
    await cards.turn('drop-after', { count: 1 })
    expect((await takeBack(payment)).failure.code).toBe('payment-not-closed')
    expect((await takeBack(payment)).status).toBe(200)
    expect(await stateOf(payment.id)).toBe('cancelled')
  })

  test('but is paid after all is credited once, whichever source reports it first', async () => {
    const payment = await openCheckout()
    expect((await takeBack(payment)).status).toBe(200)
    await cards.turn('lie', { id: payment.providerId, state: 'paid', count: 0 })
    const later = new Date(server.clock.now().getTime() + 11 * 60_000)
    await Promise.all([
      notify(payment.providerId),
      check(payment),
      queryExpiredCheckouts(server.dependencies, later),
      notify(payment.providerId),
    ])
    await settleOperations(server)
    expect(await stateOf(payment.id)).toBe('approved')
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    const mails = (await mailsTo(server, payment.client.email)).map(({ kind }) => kind)
    expect(mails).toEqual(['deposit-credited'])
  })

  test('while it is paid is either cancelled or credited, never both', async () => {
    const payment = await openCheckout()
    await Promise.all([takeBack(payment), actAtProvider(payment, 'pay').catch(() => undefined), takeBack(payment)])
    await check(payment)
    await settleOperations(server)
    const state = await stateOf(payment.id)
    const owed = await accountLiability(server.dependencies.pool, { accountId: payment.account.id })
    expect([
      ['cancelled', 0n],
      ['approved', 10_000n],
    ]).toContainEqual([state, owed])
  })
})

describe('a webhook', () => {
  test.each<[string, Sent]>([
    ['with a wrong signature', { secret: 'guess' }],
    ['with another key id', { keyId: 'other' }],
    ['with a body other than the signed one', { body: '{}' }],
    ['above the size limit', { body: 'x'.repeat(200_000) }],
  ])('%s is rejected and changes nothing', async (_case, sent) => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    const status = await notify(payment.providerId, sent)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(await stateOf(payment.id)).toBe('pending')
  })

  test('about an unknown checkout is accepted and changes nothing', async () => {
    expect(await notify('unknown-checkout')).toBe(200)
  })

  test('received while a recovery is open is stored and acknowledged but posts nothing', async () => {
    const payment = await openCheckout()
    await actAtProvider(payment, 'pay')
    const now = server.clock.now()
    const { id } = await transaction(server.dependencies.pool, (tx) =>
      openRecovery(tx, { sign: 'lost-event', since: now, now }),
    )
    expect([await notify(payment.providerId), await notify('lost-checkout'), await notify('lost-checkout')]).toEqual([
      200, 200, 200,
    ])
    await check(payment)
    await queryCheckouts(server.dependencies, new Date(now.getTime() + 3_600_000))
    expect(await stateOf(payment.id)).toBe('pending')
    const kept = sql`select provider_id as id from recovery_webhooks where recovery = ${id} order by received_at, provider_id`
    expect(new Set((await rows<{ id: string }>(server.dependencies.pool, kept)).map((one) => one.id))).toEqual(
      new Set([payment.providerId, 'lost-checkout']),
    )
    await run(
      server.dependencies.pool,
      sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}`,
    )
    await check(payment)
    expect(await stateOf(payment.id)).toBe('processing')
  })
})

describe('a query of the payment status', () => {
  test('returns 404 for another client’s payment or an unknown reference, and 400 for a malformed one', async () => {
    const payment = await openCheckout()
    const stranger = await makeClient(server)
    expect((await check(payment, stranger)).status).toBe(404)
    const malformed = await call(server, contract.checkCreditCardPayment, {
      as: payment.client,
      body: { REF: "' or 1=1--" },
    })
    expect(malformed.status).toBe(404)
    const array = await call(server, contract.checkCreditCardPayment, { as: payment.client, body: { REF: ['x'] } })
    expect(array.status).toBe(400)
  })

  test('is rate limited after 60 queries, with a Retry-After header', async () => {
    const payment = await openCheckout()
    const replies = await Promise.all(Array.from({ length: 70 }, () => check(payment)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]?.headers['retry-after']).toBeDefined()
  })
})

test('a checkout that never reached the provider is rejected after 30 minutes', async () => {
  const ready = await readyClient()
  await cards.turn('drop-before', { count: 2 })
  await requestCheckout(ready)
  await expireDeposits(server.dependencies, new Date(server.clock.now().getTime() + 31 * 60_000))
  expect(
    await rows(server.dependencies.pool, sql`select state from deposits where client_id = ${ready.client.id}`),
  ).toEqual([{ state: 'rejected' }])
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
