/**
 * Checkouts that the database has lost: the provider's report about them opens recovery, and posts nothing
 * (requirements 20.17).
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { listRecoveryItems } from '#contract/office/recovery.ts'
import { money } from '#rules/money.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { signSearches } from '#server/features.ts'
import { merchantReference, platformComment } from '#server/ledger/references.ts'
import { makePaidCheckout, sendWebhook } from '../../tests/card-provider.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { cardsForFile } from '../../tests/for-file.ts'
import { cardBody, makeFundedAccount } from '../../tests/funded-account.ts'
import { call, makeClient, makeStaff, newReference } from '../../tests/factories.ts'
import { runRecover } from '../../tests/recovered.ts'
import { checkoutSearch } from './deal-search.ts'
import { openRecovery } from './open-recovery.ts'
import { openSendingGate } from './sending-gate.ts'
import { recoveryOf } from './stopped-money.ts'

const place = cardsForFile()
const { server, cards } = place
beforeEach(() => endRecovery(server, []))

const derived = () => merchantReference({ key: server.dependencies.keys.reference.bytes, shown: newReference() })

const paidAtProvider = (ref: string) => makePaidCheckout(server, cards, ref)
const notify = (providerId: string) => sendWebhook(server, providerId)

const webhooksOfRecovery = (recovery: string) =>
  rows<{ id: string }>(
    server.dependencies.pool,
    sql`select provider_id as id from recovery_webhooks where recovery = ${recovery}`,
  )

test('a webhook about a paid checkout without a record opens recovery, is stored once and posts nothing', async () => {
  const id = await paidAtProvider(derived())
  const entries = () => row(server.dependencies.pool, sql`select count(*)::int as n from entries`)
  const before = await entries()
  expect([await notify(id), await notify(id)]).toEqual([200, 200])
  const recovery = await recoveryOf(server.dependencies.pool)
  expect(recovery).toMatchObject({ sign: 'unknown-reference', accountsOpenAt: null })
  expect(await webhooksOfRecovery(recovery?.id ?? '')).toEqual([{ id }])
  expect(await entries()).toEqual(before)
})

test('a webhook that names only the payment is queried by the payment and shares one item with the one that names the checkout', async () => {
  const id = await paidAtProvider(derived())
  const payment = { id: (await server.dependencies.cards?.getStatus(id))?.paymentId }
  await cards.turn('refuse', { path: '/v1/1234/hostedcheckouts', status: 404, count: 0 })
  expect(await sendWebhook(server, '', { about: { payment } })).toBe(200)
  await cards.turn('reset')
  const recovery = await recoveryOf(server.dependencies.pool)
  expect(recovery).toMatchObject({ sign: 'unknown-reference' })
  expect(await webhooksOfRecovery(recovery?.id ?? '')).toEqual([{ id: payment.id }])
  expect(await notify(id)).toBe(200)
  expect((await itemsOf([id, payment.id ?? ''])).tickets).toEqual([payment.id])
})

test('a webhook with an invented reference does not open recovery', async () => {
  const id = await paidAtProvider('CR-0000000Z-K0-0123456789ABCD')
  expect(await notify(id)).toBe(200)
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
})

test('the search of open checkouts ignores our own and finds one with a reference without a record', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const { answer } = await call(server, requestCreditCardPayment, {
    as: client,
    body: cardBody(account, '100.00'),
  })
  const look = () => checkoutSearch(server.dependencies).look(null)
  expect(await look()).toBeNull()
  const kept = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select provider_id as id from deposits where id = ${answer.id}`,
  )
  await cards.turn('act', { id: kept?.id ?? '', action: 'pay' })
  // It is paid and not yet queried, but ours, and therefore not a sign of loss.
  expect(await look()).toBeNull()
  // The same checkout, requested in lost time under another reference of ours.
  const other = await paidAtProvider(derived())
  await run(server.dependencies.pool, sql`update deposits set provider_id = ${other} where id = ${answer.id}`)
  expect(await look()).toMatchObject({ sign: 'unknown-reference' })
  const setState = (state: string) =>
    run(server.dependencies.pool, sql`update deposits set state = ${state} where id = ${answer.id}`)
  // A payment in review is not final either.
  await setState('in_review')
  expect(await look()).toMatchObject({ sign: 'unknown-reference' })
  await setState('pending')
  await run(server.dependencies.pool, sql`update deposits set provider_id = ${kept?.id ?? ''} where id = ${answer.id}`)
})

test('the search of open checkouts asks the checkout, not only a declined payment of it that is known', async () => {
  const [other = ''] = await openCheckouts(1)
  const { pool } = server.dependencies
  const kept = await row<{ id: string }>(pool, sql`select id from deposits where provider_id = ${other}`)
  const declined = await cards.turn('act', { id: await ownCheckout(), action: 'decline' })
  await run(
    pool,
    sql`insert into deposit_payments (payment_id, deposit_id, seen_at)
        values (${String(declined['paymentId'])}, ${kept?.id}, ${server.clock.now()})`,
  )
  expect(await checkoutSearch(server.dependencies).look(null)).toMatchObject({ sign: 'unknown-reference' })
})

/** Makes a card payment with a deposit of ours. Returns the id of its checkout. */
async function ownCheckout(): Promise<string> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const { answer } = await call(server, requestCreditCardPayment, { as: client, body: cardBody(account, '100.00') })
  const kept = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select provider_id as id from deposits where id = ${answer.id}`,
  )
  return kept?.id ?? ''
}

describe('two payments of a lost checkout', () => {
  async function paidTwice() {
    const id = await paidAtProvider(derived())
    const first = (await server.dependencies.cards?.getStatus(id))?.paymentId ?? ''
    const { paymentId: second } = await cards.turn('act', { id, action: 'pay', another: true })
    return { id, first, second: String(second) }
  }
  const notifyOf = (hostedCheckoutId: string, id: string) => {
    const payment = { id, hostedCheckoutSpecificOutput: { hostedCheckoutId } }
    return sendWebhook(server, hostedCheckoutId, { about: { payment } })
  }
  const furtherOf = (payments: readonly string[]) =>
    rows<{ ours: bigint; theirs: bigint; id: string }>(
      server.dependencies.pool,
      sql`select ours_minor as ours, theirs_minor as theirs, facts ->> 'providerIds' as id from differences
          where kind = 'paid-again' and facts ->> 'providerIds' = any (${[...payments]}::text[])`,
    )
  const itemsOfPayments = (payments: readonly string[]) =>
    rows<{ id: string }>(
      server.dependencies.pool,
      sql`select payment_id as id from recovery_items where payment_id = any (${[...payments]}::text[])`,
    )

  test('are one item and one discrepancy, however often and however webhooks name them', async () => {
    const { id, first, second } = await paidTwice()
    for (const payment of [first, second, first]) expect(await notifyOf(id, payment)).toBe(200)
    await runRecover(server)
    await endRecovery(server, [])
    expect(await sendWebhook(server, '', { about: { payment: { id: first } } })).toBe(200)
    expect(await sendWebhook(server, '', { about: { payment: { id: second } } })).toBe(200)
    expect(await recoveryOf(server.dependencies.pool)).toBeNull()
    await expectOneOfEach([first, second])
  })

  test('are both found by recover if the provider no longer has the checkout', async () => {
    const { id, first, second } = await paidTwice()
    const now = server.clock.now()
    await transaction(server.dependencies.pool, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
    for (const payment of [first, second, second]) expect(await notifyOf(id, payment)).toBe(200)
    await cards.turn('refuse', { path: '/v1/1234/hostedcheckouts', status: 404, count: 0 })
    await runRecover(server)
    await cards.turn('reset')
    await expectOneOfEach([first, second])
  })

  /** Expects an item for one of the payments and a discrepancy for the other. */
  async function expectOneOfEach(payments: readonly string[]) {
    const [items, further] = [await itemsOfPayments(payments), await furtherOf(payments)]
    expect([items.length, further.length]).toEqual([1, 1])
    expect([...items, ...further].map(({ id }) => id).toSorted()).toEqual(payments.toSorted())
    expect(further).toMatchObject([{ ours: 0n, theirs: 10_000n }])
  }
})

/** Announces card payments and gives each the id of another checkout that is paid, as a restored copy may have them. */
async function openCheckouts(count: number): Promise<string[]> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const unknown: string[] = []
  for (let left = count; left > 0; left -= 1) {
    const { answer } = await call(server, requestCreditCardPayment, { as: client, body: cardBody(account, '100.00') })
    const other = await paidAtProvider(derived())
    await run(server.dependencies.pool, sql`update deposits set provider_id = ${other} where id = ${answer.id}`)
    unknown.push(other)
  }
  return unknown
}

/** Searches like a server before its first send to the provider. */
async function searchAsAtStart(): Promise<void> {
  const { pool, jobs, log } = server.dependencies
  const searches = signSearches(server.dependencies)
  const gate = openSendingGate({ pools: [pool, jobs], searches, timeline: '00000001', log, now: server.clock.now })
  await gate.maySend('card:checkout')
}

async function itemsOf(providerIds: readonly string[]) {
  const finance = await makeStaff(server, ['finance'])
  const { answer } = await call(server, listRecoveryItems, { as: finance, query: {} })
  const found = answer.rows.filter(({ ticket }) => providerIds.includes(ticket))
  const { items: inbox } = (await call(server, listInbox, { as: finance, query: { kind: 'recovery_item' } })).answer
  return {
    tickets: found.map(({ ticket }) => ticket),
    inbox: inbox.filter(({ record }) => found.some(({ id }) => id === record)),
  }
}

test('the search of open checkouts opens recovery and creates one item for each unknown payment', async () => {
  const unknown = await openCheckouts(2)
  await searchAsAtStart()
  expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  const found = await itemsOf(unknown)
  expect(found.tickets.toSorted()).toEqual(unknown.toSorted())
  expect(found.inbox).toHaveLength(2)
  await searchAsAtStart()
  expect((await itemsOf(unknown)).tickets).toHaveLength(2)
})

describe('after a recovery was closed', () => {
  beforeEach(async () => {
    const { pool } = server.dependencies
    const now = server.clock.now()
    await transaction(pool, (tx) =>
      openRecovery(tx, { sign: 'restored', since: new Date(now.getTime() - 600_000), now }),
    )
    await run(
      pool,
      sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}
        where closed_at is null`,
    )
  })

  test('a payment of its lost time becomes an item for two people, and nothing is stopped again', async () => {
    const id = await paidAtProvider(derived())
    expect([await notify(id), await notify(id)]).toEqual([200, 200])
    expect(await recoveryOf(server.dependencies.pool)).toBeNull()
    const found = await itemsOf([id])
    expect(found.tickets).toEqual([id])
    expect(found.inbox).toHaveLength(1)
  })

  test('the search at a start does the same', async () => {
    const unknown = await openCheckouts(1)
    await searchAsAtStart()
    expect(await recoveryOf(server.dependencies.pool)).toBeNull()
    expect((await itemsOf(unknown)).tickets).toEqual(unknown)
  })

  test('a payment together with a platform deal without a record is a new loss', async () => {
    const account = await makeFundedAccount(server, await makeClient(server), 0n)
    const { reference } = server.dependencies.keys
    const shown = newReference()
    const ref = platformComment({ key: reference.bytes, shown, leg: 'deposit-credit', generation: 0 })
    const amount = money(500n, 'EUR')
    const { ticket } = await server.dependencies.platforms.MT5.applyBalance({
      ref,
      login: account.login,
      amount,
      checkMargin: false,
    })
    const id = await paidAtProvider(derived())
    expect(await notify(id)).toBe(200)
    expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
    expect((await itemsOf([id])).tickets).toEqual([id])
    await run(
      server.dependencies.pool,
      sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency,
          deal_at, reference, leg, found_at)
        select 'request-lost', 'MT5', ${account.login}, ${ticket}, 'x', 500, 'EUR', now(), 'x', '', now()`,
    )
  })

  test('a payment is a new loss if the recovery was closed long ago', async () => {
    await endRecovery(server, [])
    const id = await paidAtProvider(derived())
    expect(await notify(id)).toBe(200)
    expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  })
})
