/** An account on MetaTrader 4, read from the simulated gateway: page, file, live balances and statement. */
import { beforeAll, expect } from 'vitest'
import * as office from '#contract/office/trading-accounts.ts'
import * as statements from '#contract/statements.ts'
import * as contract from '#contract/trading-history.ts'
import { rows, sql } from '#server/db/sql.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { liveFigureTasks } from '../live-figures/jobs.ts'
import { drawStatements } from '../statements/jobs.ts'
import { findStalled } from '../../operator/stalled.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-07-30T09:00:00Z') }, 'MT4')
let client: MadeClient
let account: Awaited<ReturnType<typeof makeFundedAccount>>
/** The platform's balances at the end of August. */
let end: { balance: bigint; credit: bigint; equity: bigint }
/** An order opened in July and closed in parts in August and September. */
let parted: string

const at = (time: string) => setBothClocks(place, time)
const turn = (name: string, fields: object) => place.platform.turn(name, { login: account.login, ...fields })
const open = async (fields: object) => ((await turn('market/open', fields)) as { position: string }).position

async function read(): Promise<void> {
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
}

const params = () => ({ platform: 'MT4' as const, number: account.login })
const own = () => clientTokenFor(place.server, client)
const tradesOf = async (query = {}) =>
  (await call(place.server, contract.getTrades, { as: await own(), params: params(), query })).answer
const positionsOf = async () =>
  (await call(place.server, contract.getOpenPositions, { as: await own(), params: params() })).answer
const draw = () => drawStatements(place.server.dependencies, storeDocument, place.server.clock.now())
const august = async () => {
  const { answer } = await call(place.server, statements.getStatements, { as: await own(), params: params() })
  return answer.statements.find(({ month }) => month === '2026-08')
}
const edition = (number: number) => ({ ...params(), month: '2026-08', edition: String(number) })
const rowsOf = async (number: number) =>
  (await call(place.server, statements.statementCsv, { as: await own(), params: edition(number) })).bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','))
const paper = async (number: number) =>
  (
    await pdfText(
      (await call(place.server, statements.statementPdf, { as: await own(), params: edition(number) })).bytes,
    )
  ).replaceAll(/\s+/g, ' ')
/** Parses "1,234.56", "−1.20" or "-1.20". */
const cents = (text = '') => BigInt(text.replaceAll(/[.,]/g, '').replace('−', '-'))

/**
 * August with a bonus, a rebate, and orders closed completely, in parts, by a stop and across both ends of the month.
 */
beforeAll(async () => {
  await at('2026-07-30T09:00:00Z')
  await readPlatforms(place.server.dependencies)
  client = await makeClient(place.server)
  account = await makeFundedAccount(place.server, client, 1_000_000n, 'EUR', 'MT4')
  parted = await open({ symbol: 'GBPUSD', lots: 1, profit: '10.01', commission: '-7.01' })
  await read()
  for (let day = 1; day < 32; day += 1) {
    await at(`2026-08-${String(day).padStart(2, '0')}T20:30:00Z`)
    if (day === 3) await turn('deals/write', { action: 3, amount: '200.00' })
    if (day === 5) await turn('deals/write', { action: 2, amount: '-3.33', comment: 'REBATE' })
    if (day === 6) await open({ lots: 0.2, profit: '-4.44', commission: '-1.40', stopLoss: 1.08 })
    if (day === 7)
      await turn('market/close', { position: await lastPosition(), storage: '-0.57', fee: '-0.11', reason: 3 })
    if (day === 12) await turn('market/close', { position: parted, lots: 0.3, commission: '-0.70' })
    if (day === 20) await turn('market/close', { position: parted, lots: 0.3 })
    if (day === 25) await open({ symbol: 'USDJPY', lots: 0.3, profit: '-21.40', commission: '-1.05' })
    await read()
  }
  await at('2026-09-01T00:10:00Z')
  const { balance, credit, equity = balance } = await place.server.dependencies.platforms.MT4.getAccount(account.login)
  end = { balance: balance.minor, credit: credit.minor, equity: equity.minor }
  await read()
})

async function lastPosition(): Promise<string> {
  const positions = await place.platform.read<{ position: string }[]>(`positions?login=${account.login}`)
  return positions.at(-1)?.position ?? ''
}

story('an account on MetaTrader 4 from August to September', (step) => {
  step('closed trades, their totals and the CSV file match the platform, for clients and for staff', async () => {
    const { history, trades, totals, total, symbols } = await tradesOf()
    expect([history, total, symbols]).toEqual(['kept', 3, ['EURUSD', 'GBPUSD']])
    expect(trades.map(({ symbol, side, lots, position }) => [symbol, side, lots, position])).toEqual([
      ['GBPUSD', 'buy', '0.30', parted],
      ['GBPUSD', 'buy', '0.30', parted],
      ['EURUSD', 'buy', '0.20', expect.any(String)],
    ])
    // The first part is closed under the order's own ticket, the second one under the ticket of the remainder.
    expect([trades[1]?.ticket === parted, trades[0]?.ticket === parted]).toEqual([true, false])
    // All movements of the balance except the deposit and the rebate.
    expect(totals?.result).toBe(end.balance - 1_000_000n + 333n)
    const one = await call(place.server, contract.getTrade, {
      as: await own(),
      params: { ...params(), ticket: trades[2]?.ticket ?? '' },
    })
    expect(one.answer.trade).toMatchObject({
      openedAt: new Date('2026-08-06T20:30:00Z'),
      stopLoss: '1.08000',
      reason: 'stop-loss',
      profit: -444n,
      swap: -57n,
      commission: -140n,
      fee: -11n,
    })
    const file = await call(place.server, contract.tradesCsv, { as: await own(), params: params(), query: {} })
    expect(file.bytes.toString().trim().split('\n')).toHaveLength(4)
    const staff = (await makeStaff(place.server, ['operations'])).token
    const staffTrades = await call(place.server, office.getOfficeTrades, { as: staff, params: params(), query: {} })
    expect(staffTrades.answer).toEqual(await tradesOf())
  })

  step('open positions are read once for all viewers, then together with the live balances', async () => {
    const shown = await positionsOf()
    expect(shown).toMatchObject({
      history: 'kept',
      positions: [
        { symbol: 'GBPUSD', ticket: parted, lots: '0.40' },
        { symbol: 'USDJPY', profit: -2_140n },
      ],
    })
    await turn('market/move', { position: await lastPosition(), profit: '-19.10' })
    await turn('market/order', { kind: 'sell-limit', price: 1.2 })
    // The account is watched, so the page shows the stored positions until the next reading.
    expect((await positionsOf()).positions).toEqual(shown.positions)
    place.server.clock.turn(12)
    for (const task of liveFigureTasks(place.server.dependencies)) await task.run(place.server.clock.now())
    expect(await positionsOf()).toMatchObject({
      readAt: place.server.clock.now(),
      positions: [{ lots: '0.40' }, { profit: -1_910n }],
      orders: [{ kind: 'sell-limit', price: '1.20000' }],
    })
  })

  step('the monthly statement adds up to the cent and ends with the platform’s balances', async () => {
    await at('2026-09-03T09:00:00Z')
    await read()
    await draw()
    await draw()
    expect(await august()).toMatchObject({ state: 'drawn', closingBalance: end.balance, editions: [{ edition: 1 }] })
    const rows = await rowsOf(1)
    const [first, last] = [rows[1] ?? [], rows.at(-1) ?? []]
    const [balance, equity] = [15, 16]
    const moved = rows.slice(2, -1).reduce((sum, cells) => sum + cents(cells[14]), 0n)
    expect(cents(first[balance]) + moved - end.credit).toBe(cents(last[balance]))
    expect([cents(last[balance]), cents(last[equity])]).toEqual([end.balance, end.equity])
    const text = await paper(1)
    for (const words of ['Account statement, August 2026', 'Open positions at the end of the month (2)', '200.00'])
      expect(text).toContain(words)
  })

  step('a later partial close changes no statement; a corrected deal produces a second edition', async () => {
    const before = await paper(1)
    await turn('market/close', { position: parted, lots: 0.1 })
    await read()
    await at('2026-09-03T12:00:00Z')
    await read()
    await draw()
    expect((await august())?.editions).toHaveLength(1)
    const closings = await place.platform.read<{ ticket: string; entry?: number; position: string }[]>(
      `deals?login=${account.login}`,
    )
    const [closing] = closings.filter(({ entry, position }) => entry === 1 && position === parted)
    await turn('deals/change', { ticket: closing?.ticket, amount: '99.99' })
    await read()
    await at('2026-09-03T15:00:00Z')
    await read()
    await draw()
    await draw()
    expect((await august())?.editions).toMatchObject([{ edition: 2 }, { edition: 1 }])
    expect(await paper(1)).toBe(before)
    expect(await paper(2)).toContain('99.99')
  })

  step('an order that a dealer deletes disappears from open positions and closed trades', async () => {
    const shown = await tradesOf()
    const { position } = (await turn('market/open', { profit: '4.00' })) as { position: string }
    await turn('market/close', { position })
    const mistaken = await open({ symbol: 'XAUUSD' })
    await read()
    expect((await tradesOf()).total).toBe((shown.total ?? 0) + 1)
    await turn('orders/delete', { ticket: position })
    await turn('orders/delete', { ticket: mistaken })
    await read()
    expect(await tradesOf()).toEqual(shown)
    const kept = sql`select action from kept_deals where position in (${position}, ${mistaken}) order by action`
    expect(await rows(place.server.dependencies.pool, kept)).toEqual([{ action: 13 }, { action: 13 }, { action: 14 }])
  })

  step(
    'the curve adds up, and the doctor does not ask for daily reports that the gateway does not support',
    async () => {
      const { dependencies, clock } = place.server
      const named = { accountId: account.id, platform: 'MT4', login: account.login, currency: 'EUR' } as const
      await fetchSnapshot(dependencies.pool, dependencies, named, clock.now())
      const query = { period: '3m' } as const
      const { answer } = await call(place.server, contract.getAccountCurve, {
        as: await own(),
        params: params(),
        query,
      })
      expect(answer).toMatchObject({ history: 'kept', beingChecked: false })
      expect(answer.points.length).toBeGreaterThan(20)
      const stalled = await findStalled(dependencies.pool, clock.now())
      expect(stalled.filter(({ what }) => what.includes('daily reports'))).toEqual([])
    },
  )

  step('while a gateway returns no trades, the pages refer to the terminal', async () => {
    await place.platform.turn('edition', { tradeHistory: false })
    await read()
    expect([(await tradesOf()).history, (await positionsOf()).history]).toEqual(['in-terminal', 'in-terminal'])
    const page = await call(place.server, contract.getTradingAccount, { as: await own(), params: params() })
    expect(page.answer.history).toBe('in-terminal')
    await place.platform.turn('reset', {})
    await read()
    expect(await tradesOf()).toMatchObject({ history: 'kept' })
  })
})
