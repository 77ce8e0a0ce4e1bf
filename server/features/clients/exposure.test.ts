/**
 * Exposure of a client: payments in total and in 30 days, by the definition of the reports (requirements 24.2, 24.4).
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { getClientExposure } from '#contract/office/client-tabs.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { listOfficeDeposits } from '#contract/office/deposits.ts'
import { fundingReport } from '#contract/office/reports.ts'
import { listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import { staffRoles } from '#rules/actors.ts'
import { run } from '#server/db/sql.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { makeApprovedBank } from '#tests/funded-account.ts'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })
let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
  await deposit(owner, { at: '2025-02-03T10:00Z', minor: 90_000 })
  await deposit(owner, { at: '2026-05-31T23:30Z', minor: 50_000 })
  await deposit(owner, { at: '2026-06-02T10:00Z', minor: 20_000, method: 'iDEAL' })
  await withdrawal(owner, { at: '2026-04-01T10:00Z', minor: 30_000, returnedAt: '2026-06-03T10:00Z' })
  // A deposit of another client in the same currency.
  await deposit(await newOwner(), { at: '2026-06-02T10:00Z', minor: 700_000 })
})

interface Owner {
  readonly client: MadeClient
  readonly account: string
}

async function newOwner(): Promise<Owner> {
  const client = await makeClient(server)
  const { id } = await makeAccount(server, client)
  return { client, account: id }
}

interface Movement {
  at: string
  minor: number
  method?: string
  returnedAt?: string
}

async function deposit({ client, account }: Owner, { at, minor, method = 'Bank Transfer' }: Movement): Promise<void> {
  await run(server.dependencies.pool)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference, state,
        requested_at, expires_at, approved_at)
      values (${client.id}, ${account}, 'wire', ${method}, 'bank', ${minor}, ${minor}, 'EUR', ${randomUUID()}, 'approved',
        ${at}, ${at}, ${at})`
}

async function withdrawal({ client, account }: Owner, { at, minor, returnedAt }: Movement): Promise<void> {
  await run(server.dependencies.pool)`
    insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency, reference, state,
        figures, requested_at, approved_at, paid_at, returned_at)
      values (${client.id}, ${account}, ${await makeApprovedBank(server, client)}, '{}'::jsonb, 'wire', 'Bank Transfer', ${minor}, 200,
        'EUR', ${randomUUID()}, 'returned', '{}'::jsonb, ${at}, ${at}, ${at}, ${returnedAt ?? null})`
}

const exposureOf = async ({ client }: Owner, token: string) =>
  (await call(server, getClientExposure, { as: token, params: { id: client.id } })).answer

test.each(staffRoles)('%s can read a client’s exposure in total, in 30 days, by method and by month', async (role) => {
  const { token } = await makeStaff(server, [role])
  const { currencies } = await exposureOf(owner, token)
  expect(currencies).toHaveLength(1)
  const [euro] = currencies
  const lifetime = { deposits: 3, deposited: 160_000n, refunded: 0n, withdrawals: 1, withdrawn: 30_000n }
  expect(euro).toMatchObject({
    currency: 'EUR',
    lifetime: { ...lifetime, returned: 29_800n, net: 159_800n },
    recent: { deposits: 2, deposited: 70_000n, withdrawals: 0, withdrawn: 0n, returned: 29_800n, net: 99_800n },
    firstAt: new Date('2025-02-03T10:00Z'),
    lastAt: new Date('2026-06-03T10:00Z'),
    largestDeposit: { amount: 90_000n, at: new Date('2025-02-03T10:00Z') },
    largestWithdrawal: { amount: 30_000n, at: new Date('2026-04-01T10:00Z') },
  })
  const shares = euro?.methods.map(({ lifetime: { deposited, withdrawn } }) => [deposited, withdrawn])
  expect(shares).toEqual([
    [140_000n, 30_000n],
    [20_000n, 0n],
  ])
  // 23:30 UTC on 31 May is 1 June in London. Payments older than 12 months are not in the list of months.
  expect(euro?.months).toHaveLength(12)
  expect(euro?.months.filter((month) => month.in > 0n || month.out > 0n)).toEqual([
    { month: '2026-04', in: 0n, out: 30_000n },
    { month: '2026-06', in: 99_800n, out: 0n },
  ])
})

test('exposure by month equals the funding report of the same days without other clients', async () => {
  const { token } = await makeStaff(server, ['finance'])
  const query = { from: '2026-04-01', to: '2026-06-19' }
  const report = (await call(server, fundingReport, { as: token, query })).answer
  const others = 700_000n
  const { currencies } = await exposureOf(owner, token)
  const inMonths = currencies[0]?.months.reduce((sum, month) => sum + month.in - month.out, 0n) ?? 0n
  expect(report.currencies.map(({ sum }) => sum.net - others)).toEqual([inMonths])
})

test('exposure totals equal those of the linked lists, filtered by client, method and dates', async () => {
  const as = (await makeStaff(server, ['finance'])).token
  const [euro] = (await exposureOf(owner, as)).currencies
  const { number } = (await call(server, getOfficeClient, { as, params: { id: owner.client.id } })).answer.client.client
  const listed = async (query: { dated: 'credited'; method?: string; from: string }) => {
    const asked = { ...query, q: number, currency: 'EUR', state: 'all', to: '2026-06-19' } as const
    const { rows } = (await call(server, listOfficeDeposits, { as, query: asked })).answer
    return rows.reduce((sum, { received }) => sum + (received ?? 0n), 0n)
  }
  expect(await listed({ dated: 'credited', from: '2025-02-03' })).toBe(euro?.lifetime.deposited)
  expect(await listed({ dated: 'credited', from: '2026-05-21' })).toBe(euro?.recent.deposited)
  for (const { kept, lifetime } of euro?.methods ?? [])
    expect(await listed({ dated: 'credited', method: kept, from: '2025-02-03' }), kept).toBe(lifetime.deposited)
  const returned = { dated: 'returned', q: number, from: '2026-05-21', to: '2026-06-19', state: 'all' } as const
  const payouts = async (method: string) =>
    (await call(server, listOfficeWithdrawals, { as, query: { ...returned, method } })).answer.rows.length
  expect([await payouts('Bank Transfer'), await payouts('iDEAL')]).toEqual([1, 0])
})

test('exposure of a client without payments has no currencies, and of an unknown client returns 404', async () => {
  const { token } = await makeStaff(server, ['operations'])
  const newcomer = { client: await makeClient(server), account: '' }
  expect((await exposureOf(newcomer, token)).currencies).toEqual([])
  const absent = await call(server, getClientExposure, { as: token, params: { id: randomUUID() } })
  expect([absent.status, absent.failure.code]).toEqual([404, 'not-found'])
})
