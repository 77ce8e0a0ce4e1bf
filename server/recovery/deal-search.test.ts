import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reconcileNow } from '#contract/office/accounting.ts'
import { money } from '#rules/money.ts'
import type { ReferenceLeg } from '#rules/references.ts'
import { run, sql } from '#server/db/sql.ts'
import { signSearches } from '#server/features.ts'
import { platformComment } from '#server/ledger/references.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { call, makeClient, makeStaff, newReference, type TestServer } from '#tests/factories.ts'
import { dealSearch } from './deal-search.ts'
import { recoveryOf } from './stopped-money.ts'

let place: ServerWithPlatform
let server: TestServer
beforeAll(async () => {
  // The simulated platform uses the real time for its deals.
  place = await startServerWithPlatform({ now: new Date() })
  server = place.server
})
afterAll(() => place.stop())

let login: string
beforeEach(async () => {
  login = (await makeFundedAccount(server, await makeClient(server), 100_000n)).login
})

const ourComment = (leg: ReferenceLeg, key: Uint8Array = server.dependencies.keys.reference.bytes) =>
  platformComment({ key, shown: newReference(), leg, generation: 0 })
const searchDeals = (since: Date | null = null) => dealSearch(server.dependencies, 'MT5').look(since)
const applyDeal = (ref: string, to = login) =>
  server.dependencies.platforms.MT5.applyBalance({ ref, login: to, amount: money(700n, 'EUR'), checkMargin: false })
const deletedAfter = async (ref: string) =>
  run(
    server.dependencies.pool,
    sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg, found_at)
        select 'request-lost', 'MT5', ${login}, ${ref}, 'x', 700, 'EUR', now(), 'x', '', now()`,
  )

test('known, foreign and forged references are not a sign of loss', async () => {
  await applyDeal('Rebate-October')
  await applyDeal(`${newReference()}-W0-0123456789ABCD`)
  await applyDeal(ourComment('deposit-credit', randomBytes(32)))
  expect(await searchDeals()).toBeNull()
})

test('one verified reference without a record is a sign of loss, even on an account that the database does not have', async () => {
  const { login: stranger } = await server.dependencies.platforms.MT5.createAccount(
    platformAccount('SOMEBODY-ELSE', 'real\\ecn-EUR'),
  )
  const { ticket } = await applyDeal(ourComment('withdrawal-return'), stranger)
  const found = await searchDeals()
  expect(found?.sign).toBe('unknown-reference')
  expect(found?.since.getTime()).toBeLessThan(server.clock.now().getTime())
  // An item of recovery exists for it, so it is no longer a sign.
  await deletedAfter(ticket)
  expect(await searchDeals()).toBeNull()
})

test('a server searches every connected platform and no other', () => {
  expect(signSearches(server.dependencies).flatMap(({ integration }) => integration ?? [])).toEqual(['MT5'])
})

test('a platform that does not respond is not a sign of loss: the search fails and is repeated', async () => {
  await place.platform.turn('drop-before', { path: '/api/deal/get_batch', count: 2 })
  await expect(searchDeals()).rejects.toThrow()
  await place.platform.turn('reset')
  expect(await searchDeals()).toBeNull()
})

// Last, because it opens recovery, during which no account has a first balance.
test('a reconciliation also searches accounts that the database does not have', async () => {
  await run(server.dependencies.pool, sql`update trading_accounts set state = 'rejected' where login = ${login}`)
  const { ticket } = await applyDeal(ourComment('deposit-credit'))
  const finance = await makeStaff(server, ['finance'])
  expect((await call(server, reconcileNow, { as: finance })).status).toBe(200)
  expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  await deletedAfter(ticket)
})
