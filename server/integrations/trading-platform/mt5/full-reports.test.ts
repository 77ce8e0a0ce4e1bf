/** Daily reports, and the positions in full reports, in the forms that a server may send. */
import { expect, test } from 'vitest'
import type { Mt5Caller } from './caller.ts'
import { mt5TradeHistory } from './trade-history.ts'

const position = {
  Position: '77',
  PriceOpen: '1.10000',
  PriceCurrent: '1.20000',
  Storage: '-0.50',
  Profit: '12.30',
}
const kept = { ticket: '77', openPrice: '1.10000', price: '1.20000', swap: -50n, profit: 1_230n }
/** The last second of 31 August 2026, of which the server's clock is two hours ahead of UTC. */
const writtenSeconds = Date.parse('2026-08-31T21:59:59Z') / 1000

const report = (login: string, more: object, seconds = writtenSeconds) => ({
  Login: login,
  Timestamp: `${seconds + 11_644_473_600}0000000`,
  DatetimePrev: String(seconds + 7_200 - 86_400),
  ...more,
})

function historyOf(answer: (query: Readonly<Record<string, string>>) => Record<string, unknown>[]) {
  const queries: Readonly<Record<string, string>>[] = []
  const caller: Pick<Mt5Caller, 'listOrOne'> = {
    listOrOne: (_path, query) => {
      queries.push(query)
      return Promise.resolve(answer(query))
    },
  }
  const zone = { toServerTime: (ms: number) => ms + 7_200_000, toUtc: (ms: number) => ms - 7_200_000 }
  const history = mt5TradeHistory(caller as Mt5Caller, () => Promise.resolve(zone))
  return { history, queries }
}

test('a single position may be sent without a list, and a report without positions counts as missing', async () => {
  const { history } = historyOf(() => [
    report('1', { PositionAdd: [position] }),
    report('2', { PositionAdd: position }),
    report('3', { PositionAdd: [] }),
    report('4', {}),
    report('5', { PositionAdd: [position] }, writtenSeconds - 86_400),
    report('6', { Positions: [position] }),
  ])
  expect(await history.reportedPositions(['1', '2', '3', '4', '5', '6'], '2026-08-31')).toEqual(
    new Map([
      ['1', [kept]],
      ['2', [kept]],
      ['3', []],
      ['6', [kept]],
    ]),
  )
})

const figures = { Balance: '10.00', Credit: '0.00', Margin: '0.00', ProfitEquity: '12.50' }

test('a late report does not move the previous one to another day', async () => {
  const { history } = historyOf(() => [-3, -2, 0].map((days) => report('1', figures, writtenSeconds + days * 86_400)))
  const ends = await history.dayEnds(['1'], Date.parse('2026-08-28'), Date.parse('2026-09-01'))
  expect(ends.map(({ day, offsetMs }) => [day, offsetMs / 3_600_000])).toEqual([
    ['2026-08-28', 2],
    ['2026-08-29', 2],
    ['2026-08-31', 2],
  ])
})

test('a report without amounts counts as missing, and those of other accounts are read', async () => {
  const { history } = historyOf(() => [report('1', { ...figures, Margin: 'inf' }), report('2', figures)])
  const ends = await history.dayEnds(['1', '2'], Date.parse('2026-08-28'), Date.parse('2026-09-01'))
  expect(ends).toMatchObject([{ login: '2', day: '2026-08-31', balance: 1_000n, floating: 250n }])
})

test.each([
  { Timestamp: 'n/a' },
  { Timestamp: '9'.repeat(30) },
  { Timestamp: '116444736000000000' },
  { DatetimePrev: undefined },
  { Login: undefined },
])('a report with %o counts as missing, and those of other accounts are read', async (garbled) => {
  const { history } = historyOf(() => [
    report('1', { ...figures, PositionAdd: [position], ...garbled }),
    report('2', { ...figures, PositionAdd: [position] }),
  ])
  const ends = await history.dayEnds(['1', '2'], Date.parse('2026-08-28'), Date.parse('2026-09-01'))
  expect(ends.map(({ login }) => login)).toEqual(['2'])
  expect(await history.reportedPositions(['1', '2'], '2026-08-31')).toEqual(new Map([['2', [kept]]]))
})

test('a full report whose positions have no amounts counts as missing, and those of other accounts are read', async () => {
  const { history } = historyOf(() => [
    report('1', { PositionAdd: [{ ...position, Profit: 'inf' }] }),
    report('2', { PositionAdd: [position] }),
  ])
  expect(await history.reportedPositions(['1', '2'], '2026-08-31')).toEqual(new Map([['2', [kept]]]))
})

test('an account whose trade state has no amounts has no current balances, and other accounts are not affected', async () => {
  const state = { Balance: '10.00', Credit: '0.00', Equity: '12.50', Margin: '1.00' }
  const { history } = historyOf(({ login }) =>
    login === '1,2'
      ? [
          { Login: '1', ...state, Equity: '-nan(ind)' },
          { Login: '2', ...state },
        ]
      : [],
  )
  expect(await history.currentFigures(['1', '2'])).toEqual(new Map([['2', { floating: 250n, margin: 100n }]]))
})

test('50 accounts are read in one call', async () => {
  const { history, queries } = historyOf(() => [])
  await history.reportedPositions(
    Array.from({ length: 120 }, (_, index) => String(index)),
    '2026-08-31',
  )
  expect(queries.map(({ login }) => login?.split(',').length)).toEqual([50, 50, 20])
})
