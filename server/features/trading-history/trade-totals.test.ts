/**
 * The totals of a filter, calculated from sums of days, months and years, equal the totals of its rows (requirements
 * 24.17).
 */
import { beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/trading-history.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { readTrades } from './jobs.ts'

const days = [
  '2026-01-01 2026-01-31 2026-02-01 2026-02-28 2026-03-01 2026-06-15 2026-06-16 2026-12-30 2026-12-31',
  '2027-01-01 2027-01-02 2027-01-31 2027-02-01 2027-07-10 2027-07-11 2027-07-31 2027-11-30 2027-12-31',
  '2028-01-01 2028-01-05 2028-02-28 2028-02-29 2028-03-01 2028-03-15',
].flatMap((year) => year.split(' '))

const place = platformForFile({ now: new Date(`${days[0]}T08:00:00Z`) })
let client: MadeClient
let number: string
let trades: contract.Trade[]

const turn = (name: string, fields: object) => place.platform.turn(name, fields)
const answerTo = async (query: Readonly<Record<string, string>>) => {
  const as = await clientTokenFor(place.server, client)
  return (await call(place.server, contract.getTrades, { as, params: { platform: 'MT5', number }, query })).answer
}

/** Three trades on each day, each with different amounts. */
beforeAll(async () => {
  for (const [index, day] of days.entries()) {
    place.server.clock.set(new Date(`${day}T09:00:00Z`))
    await turn('clock', { at: Date.parse(`${day}T09:00:00Z`) / 1000, zoneMinutes: 0 })
    if (index === 0) {
      client = await makeClient(place.server)
      number = (await makeFundedAccount(place.server, client, 100_000_000n)).login
    }
    const size = (index + 1) ** 2
    for (const [symbol, side, profit] of [
      ['EURUSD', 'buy', `${size}.11`],
      ['EURUSD', 'sell', `-${size}.53`],
      ['GBPUSD', 'buy', `${size + 1000}.07`],
    ] as const) {
      const { position } = (await turn('market/open', {
        login: number,
        symbol,
        side,
        profit,
        commission: '-0.35',
      })) as {
        position: string
      }
      await turn('market/close', {
        position,
        storage: `-0.${10 + index}`,
        commission: '-0.35',
        fee: `-0.${50 + index}`,
      })
    }
    await readTrades(place.server.dependencies)
  }
  trades = []
  let after: string | null = null
  do {
    const page = await answerTo(after === null ? {} : { after })
    trades.push(...page.trades)
    after = page.next
  } while (after !== null)
})

const dayOfTrade = ({ closedAt }: contract.Trade) => new Date(closedAt).toISOString().slice(0, 10)

interface Filter {
  readonly from?: string
  readonly to?: string
  readonly symbol?: string
  readonly side?: 'buy' | 'sell'
  readonly result?: 'profit' | 'loss'
}

/** Returns number and totals of the rows matched by a filter, calculated row by row. */
function plainTotals({ from = '', to = '9', symbol, side, result }: Filter) {
  const left = trades.filter(
    (trade) =>
      dayOfTrade(trade) >= from &&
      dayOfTrade(trade) <= to &&
      (symbol === undefined || trade.symbol === symbol) &&
      (side === undefined || trade.side === side) &&
      (result === undefined || trade.result > 0n === (result === 'profit')),
  )
  const sum = (name: 'profit' | 'swap' | 'commission' | 'fee' | 'result') =>
    left.reduce((all, trade) => all + trade[name], 0n)
  return {
    total: left.length,
    totals: {
      profit: sum('profit'),
      swap: sum('swap'),
      commission: sum('commission'),
      fee: sum('fee'),
      result: sum('result'),
    },
  }
}

test('all trades of the three years are read, with amounts in every column', () => {
  expect(trades.map(dayOfTrade).toReversed()).toEqual(days.flatMap((day) => [day, day, day]))
  expect(Object.values(plainTotals({}).totals)).not.toContain(0n)
})

test.each([
  ['all days', {}, days.length],
  ['one day', { from: '2028-02-29', to: '2028-02-29' }, 1],
  ['days within a month', { from: '2027-07-11', to: '2027-07-30' }, 1],
  ['a whole month', { from: '2027-07-01', to: '2027-07-31' }, 3],
  ['the last month of a year', { from: '2026-12-01', to: '2026-12-31' }, 2],
  ['two days over a month’s end', { from: '2026-01-31', to: '2026-02-01' }, 2],
  ['a month’s end and whole months', { from: '2026-01-31', to: '2026-06-15' }, 5],
  ['the end of February in a leap year', { from: '2028-02-02', to: '2028-03-01' }, 3],
  ['two days over a year’s end', { from: '2026-12-31', to: '2027-01-01' }, 2],
  ['months over a year’s end', { from: '2026-06-16', to: '2027-01-31' }, 6],
  ['a whole year between parts of others', { from: '2026-12-31', to: '2028-02-28' }, 13],
  ['only from a day', { from: '2027-07-11' }, 10],
  ['only from the last day of a year', { from: '2026-12-31' }, 16],
  ['only from the first day of a year', { from: '2027-01-01' }, 15],
  ['only to a day', { to: '2027-07-10' }, 14],
  ['only to the last day of a year', { to: '2027-12-31' }, 18],
  ['only to the first day of a year', { to: '2028-01-01' }, 19],
  ['a whole year', { from: '2027-01-01', to: '2027-12-31' }, 9],
  ['two whole years', { from: '2026-01-01', to: '2027-12-31' }, 18],
  ['days without trades', { from: '2027-02-02', to: '2027-07-09' }, 0],
  ['an end before the beginning', { from: '2028-01-05', to: '2026-01-31' }, 0],
] as const)('totals of %s equal the sum of its rows', async (_, period: Filter, daysWithin) => {
  expect(plainTotals(period).total).toBe(daysWithin * 3)
  const filters: Filter[] = [{}, { symbol: 'GBPUSD' }, { symbol: 'EURUSD', side: 'sell' }, { result: 'loss' }]
  for (const filter of filters) {
    const { total, totals } = await answerTo({ ...period, ...filter })
    expect({ filter, total, totals }).toEqual({ filter, ...plainTotals({ ...period, ...filter }) })
  }
})
