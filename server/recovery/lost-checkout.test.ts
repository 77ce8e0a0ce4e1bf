/** Checkouts that the database has lost: the provider's word about them opens recovery, and books nothing (mechanics 13). */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import { referenceFrom } from '#rules/references.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { startSimulator, type RunningSimulator } from '#server/outside/start-simulator.ts'
import { merchantReference } from '#server/references.ts'
import { cardEnv, paidCheckout, sendWebhook } from '../../tests/card-provider.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { fundedAccount, startServerWithPlatform, type ServerWithPlatform } from '../../tests/funded-account.ts'
import { call, makeClient, type TestServer } from '../../tests/make.ts'
import { checkoutSearch } from './deal-search.ts'
import { recoveryOf } from './stopped-money.ts'

let place: ServerWithPlatform
let server: TestServer
let cards: RunningSimulator

beforeAll(async () => {
  cards = await startSimulator('card-provider')
  place = await startServerWithPlatform({
    env: cardEnv(cards),
  })
  server = place.server
})
afterAll(async () => {
  await place.stop()
  await cards.stop()
})
beforeEach(() => endRecovery(server, []))

const derived = () =>
  merchantReference({ key: server.parts.keys.reference.bytes, shown: referenceFrom('CR', randomBytes(5)) })

const paidAtProvider = (ref: string) => paidCheckout(server, cards, ref)
const notify = (providerId: string) => sendWebhook(server, providerId)

const keptIn = (recovery: string) =>
  rows<{ id: string }>(
    server.parts.pool,
    sql`select provider_id as id from recovery_webhooks where recovery = ${recovery}`,
  )

test('a webhook about a paid checkout that no row has opens recovery; it is kept once and nothing is booked', async () => {
  const id = await paidAtProvider(derived())
  const entries = () => row(server.parts.pool, sql`select count(*)::int as n from entries`)
  const before = await entries()
  expect([await notify(id), await notify(id)]).toEqual([200, 200])
  const recovery = await recoveryOf(server.parts.pool)
  expect(recovery).toMatchObject({ sign: 'unknown-reference', accountsOpenAt: null })
  expect(await keptIn(recovery?.id ?? '')).toEqual([{ id }])
  expect(await entries()).toEqual(before)
})

test('one under an invented reference opens nothing', async () => {
  const id = await paidAtProvider('CR-0000000Z-K0-0123456789ABCD')
  expect(await notify(id)).toBe(200)
  expect(await recoveryOf(server.parts.pool)).toBeNull()
})

test('the look at the open checkouts finds none that is ours alone, and one under a reference that no row has', async () => {
  const client = await makeClient(server)
  const account = await fundedAccount(server, client, 0n)
  const { answer } = await call(server, requestCreditCardPayment, {
    as: client,
    body: {
      accountPlatform: 'MT5',
      accountNumber: account.login,
      depositCurrency: 'EUR',
      depositAmountSent: '100.00',
      paymentGatewayService: 'gcen',
      depositType: 'cc_gcen',
      method: 'cc_gcen',
      ccType: 114,
    },
  })
  const look = () => checkoutSearch(server.parts).look(null)
  expect(await look()).toBeNull()
  const kept = await row<{ id: string }>(
    server.parts.pool,
    sql`select provider_id as id from deposits where id = ${answer.id}`,
  )
  await cards.turn('act', { id: kept?.id ?? '', action: 'pay' })
  // Paid, not yet asked about: it is ours, and no sign.
  expect(await look()).toBeNull()
  // The same checkout, asked for in lost time under another reference of ours.
  const other = await paidAtProvider(derived())
  await run(server.parts.pool, sql`update deposits set provider_id = ${other} where id = ${answer.id}`)
  expect(await look()).toMatchObject({ sign: 'unknown-reference' })
  await run(server.parts.pool, sql`update deposits set provider_id = ${kept?.id ?? ''} where id = ${answer.id}`)
})
