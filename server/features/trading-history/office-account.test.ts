/** The account's page for staff: as the client sees it, for every role, and logged when opened (requirements 24.8). */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/trading-history.ts'
import { searchAudit } from '#contract/office/records.ts'
import { staffRoles } from '#rules/actors.ts'
import { run } from '#server/db/sql.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { call, makeAccount, makeClient, makeStaff, clientTokenFor, type MadeStaff } from '#tests/factories.ts'
import { clientForFile, platformForFile } from '#tests/for-file.ts'
import { disableAtPlatform, makeFundedAccount } from '#tests/funded-account.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') })
const client = clientForFile(place.server)
let number: string
let accountId: string
beforeAll(async () => {
  const account = await makeFundedAccount(place.server, client, 500_000n)
  number = account.login
  accountId = account.id
  const { position } = (await place.platform.turn('market/open', { login: number, lots: 1 })) as { position: string }
  await place.platform.turn('market/move', { position, profit: '90.00' })
  await place.platform.turn('market/close', { position, lots: 0.3 })
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
  // Recent balances are not read again, so both pages show the same ones.
  const { dependencies, clock } = place.server
  const named = { accountId: account.id, platform: 'MT5', login: number, currency: 'EUR' } as const
  await fetchSnapshot(dependencies.pool, dependencies, named, clock.now())
})

const params = (of = number) => ({ platform: 'MT5' as const, number: of })
const pages = [
  [office.getOfficeAccountCurve, contract.getAccountCurve],
  [office.getOfficePositions, contract.getOpenPositions],
  [office.getOfficeTrades, contract.getTrades],
] as const

test.each(staffRoles)('%s reads what the client reads', async (role) => {
  const { token } = await makeStaff(place.server, [role])
  const own = await clientTokenFor(place.server, client)
  const read = await call(place.server, office.getOfficeTradingAccount, { as: token, params: params() })
  expect(read.status).toBe(200)
  const { client: shown, missingSince, ...page } = read.answer
  expect(missingSince).toBe(null)
  expect(shown.id).toBe(client.id)
  expect(page).toEqual((await call(place.server, contract.getTradingAccount, { as: own, params: params() })).answer)
  for (const [staffs, clients] of pages) {
    const { status, answer } = await call(place.server, staffs, { as: token, params: params() })
    expect([staffs.name, status]).toEqual([staffs.name, 200])
    expect(answer).toEqual((await call(place.server, clients, { as: own, params: params() })).answer)
  }
  const { trades } = (await call(place.server, office.getOfficeTrades, { as: token, params: params() })).answer
  expect(trades).toHaveLength(1)
  const ticket = trades[0]?.ticket ?? ''
  const one = await call(place.server, office.getOfficeTrade, { as: token, params: { ...params(), ticket } })
  expect(one.answer.trade.ticket).toBe(ticket)
  const file = await call(place.server, office.officeTradesCsv, { as: token, params: params() })
  expect(file.bytes.toString()).toContain(ticket)
})

test('staff read the same results as the client, of this client only', async () => {
  const other = await makeClient(place.server)
  const account = await makeFundedAccount(place.server, other, 100_000n)
  for (const [id, floating] of [
    [accountId, 2_500],
    [account.id, 7_700],
  ] as const)
    for (const [day, times] of [
      ['2026-05-27', 1],
      ['2026-05-28', 3],
    ] as const)
      await run(place.server.dependencies.pool)`
        insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, source, noted_at)
          values (${id}, ${day}, 500000, 0, ${floating * times}, 'report', ${`${day}T23:59:59Z`})`
  // Profit counts, a dividend does not: it has its own row in the sum.
  await run(place.server.dependencies.pool)`
    insert into deal_sums (account_id, day, sum_row, amount_minor)
      values (${accountId}, '2026-05-28', 'profit', 100), (${accountId}, '2026-05-28', 'other', 4000)`
  const { token } = await makeStaff(place.server, ['finance'])
  const shown = (await call(place.server, office.getClientResults, { as: token, params: { id: client.id } })).answer
  expect(shown.accounts).toMatchObject([{ number, values: expect.arrayContaining([0n, 5_100n]) as bigint[] }])
  const own = await clientTokenFor(place.server, client)
  expect(shown).toEqual((await call(place.server, contract.getAccountResults, { as: own })).answer)
})

test('an unknown account is not found, and clients are refused', async () => {
  const { token } = await makeStaff(place.server, ['operations'])
  for (const endpoint of Object.values(office)) {
    const rest = { ticket: '1', month: '2026-05', edition: '1', year: '2026' }
    const named = { ...params('7999999'), id: randomUUID(), ...rest }
    const reply = await call(place.server, endpoint, { as: token, params: named as never })
    expect([endpoint.name, reply.status]).toEqual([endpoint.name, 404])
    const own = await clientTokenFor(place.server, client)
    const refused = await call(place.server, endpoint, {
      as: own,
      params: { ...params(), id: client.id, ...rest } as never,
    })
    expect([endpoint.name, refused.status]).toEqual([endpoint.name, 401])
  }
})

test('opening the page is recorded in the audit log, once an hour per person', async () => {
  const [first, second] = [await makeStaff(place.server, ['finance']), await makeStaff(place.server, ['auditor'])]
  const auditor = await makeStaff(place.server, ['auditor'])
  const open = (by: MadeStaff) => call(place.server, office.getOfficeTradingAccount, { as: by.token, params: params() })
  const opened = async ({ id }: MadeStaff) => {
    const query = { actor: id, verb: 'view' }
    const { rows } = (await call(place.server, searchAudit, { as: auditor.token, query })).answer
    return rows.length
  }
  await open(first)
  await open(first)
  await call(place.server, office.getOfficeTrades, { as: first.token, params: params() })
  await call(place.server, office.officeTradesCsv, { as: second.token, params: params() })
  expect([await opened(first), await opened(second), await opened(auditor)]).toEqual([1, 1, 0])
})

test('an account is open, closed once the platform has disabled it, or on a platform that is not connected', async () => {
  const { server } = place
  const owner = await makeClient(server)
  const { id, login } = await makeFundedAccount(server, owner, 10_000n)
  const { login: elsewhere } = await makeAccount(server, owner, { platform: 'MT4' })
  const pageOf = async (platform: 'MT4' | 'MT5', of: string) => {
    const asked = await call(server, contract.getTradingAccount, { as: owner, params: { platform, number: of } })
    const { standing, history, account } = asked.answer
    return [standing, history, account.balance, account.connected]
  }
  expect(await pageOf('MT5', login)).toEqual(['open', 'reading', 10_000n, true])
  expect(await pageOf('MT4', elsewhere)).toEqual(['not-connected', 'not-available', null, false])
  await disableAtPlatform(server, { id, login })
  expect(await pageOf('MT5', login)).toEqual(['closed', 'reading', 10_000n, true])
})
