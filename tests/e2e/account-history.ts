/** The history of an account as both apps' pages are shown it: a curve with its sum, positions, an order, trades. */
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { getAccountCurve, getOpenPositions, getTrade, getTrades, type Trade } from '#contract/trading-history.ts'
import type { LiveAccount } from './pending-requests.ts'

interface HistoryCalls {
  curve: typeof getAccountCurve
  positions: typeof getOpenPositions
  trades: typeof getTrades
  trade: typeof getTrade
}

const ofPortal: HistoryCalls = {
  curve: getAccountCurve,
  positions: getOpenPositions,
  trades: getTrades,
  trade: getTrade,
}

/** Answers an endpoint of the account in the platform's place, by what was asked. */
async function answer<E extends Endpoint>(
  page: Page,
  endpoint: E,
  { number }: Pick<LiveAccount, 'number'>,
  respond: (query: URLSearchParams) => ResponseOf<E>,
): Promise<void> {
  const path = endpoint.path.replace(':platform', 'MT5').replace(':number', number).replace(':ticket', '*')
  await page.route(`**${path}*`, async (route) => {
    const fields = z.encode(endpoint.response, respond(new URL(route.request().url()).searchParams) as never)
    await route.fulfill({ json: { success: true, ...(fields as object) } })
  })
}

const from = new Date('2026-03-20T00:00:00Z')
const dayAt = (index: number) => new Date(from.getTime() + index * 86_400_000).toISOString().slice(0, 10)

/** Ninety days: money comes on the 36th, goes on the 70th. */
const points = Array.from({ length: 90 }, (_, index) => {
  const balance = 196_835n + (index >= 36 ? 1_000_000n : 0n) - (index >= 70 ? 120_000n : 0n)
  return { day: dayAt(index), balance, equity: balance + BigInt(Math.round(Math.sin(index / 4) * 20_000)) }
})

const curve: ResponseOf<typeof getAccountCurve> = {
  history: 'kept',
  currency: 'EUR',
  from: dayAt(0),
  to: dayAt(89),
  points,
  marks: [
    mark('deposits', 36, 1_000_000n, 'WT 11AA 22BB'),
    mark('withdrawals', 70, -120_000n, 'WD 33CC 44DD'),
  ].toReversed(),
  sum: {
    opening: 196_835n,
    rows: [
      { row: 'deposits', amount: 1_000_000n },
      { row: 'withdrawals', amount: -120_000n },
      { row: 'profit', amount: 4_360n },
      { row: 'swap', amount: -145n },
      { row: 'floating', amount: 1_074n },
    ],
    closing: 1_082_124n,
    at: new Date('2026-06-17T10:42:07Z'),
  },
  beingChecked: false,
}

function mark(list: 'deposits' | 'withdrawals', index: number, amount: bigint, reference: string) {
  const id = '0f3f0ed8-2c4e-4a0e-9a43-0d8e0f0a0001'
  const day = dayAt(index)
  const at = new Date(`${day}T10:00:00Z`)
  return { day, at, amount, list, id, reference, type: 'wire' as const, returned: false }
}

function tradeAt(place: number): Trade {
  const [profit, swap] = [BigInt(place * 137 - 400), -110n]
  return {
    ticket: String(9000 + place),
    position: String(5000 + place),
    symbol: place % 2 === 0 ? 'EURUSD' : 'XAUUSD',
    side: place % 3 === 0 ? 'sell' : 'buy',
    lots: '0.30',
    openPrice: place % 2 === 0 ? '1.14180' : '3312.40',
    closePrice: place % 2 === 0 ? '1.15104' : '3368.40',
    closedAt: new Date(Date.UTC(2026, 5, 16, 9, place)),
    profit,
    swap,
    commission: 0n,
    fee: 0n,
    result: profit + swap,
  }
}

const trades = Array.from({ length: 24 }, (_, place) => tradeAt(23 - place))
const sumOf = (rows: readonly Trade[], key: 'profit' | 'swap' | 'result') =>
  rows.reduce((total, row) => total + row[key], 0n)

/** The page of an account whose history is known. */
export async function withHistory(page: Page, account: LiveAccount, calls: HistoryCalls = ofPortal): Promise<void> {
  await answer(page, calls.curve, account, () => curve)
  await answer(page, calls.positions, account, (): ResponseOf<typeof getOpenPositions> => ({
    history: 'kept',
    readAt: new Date(),
    positions: [
      {
        ticket: '77',
        symbol: 'EURUSD',
        side: 'buy',
        lots: '0.30',
        openPrice: '1.14180',
        price: '1.15104',
        stopLoss: null,
        takeProfit: '1.16000',
        swap: -810n,
        profit: 24_083n,
        openedAt: new Date('2026-06-16T09:12:00Z'),
      },
    ],
    orders: [
      {
        ticket: '78',
        symbol: 'GER40',
        kind: 'sell-limit',
        lots: '0.10',
        price: '23118.0',
        stopLoss: '23300.0',
        takeProfit: null,
        placedAt: new Date('2026-06-16T11:00:00Z'),
      },
    ],
    totals: { swap: -810n, profit: 24_083n },
  }))
  await answer(page, calls.trades, account, (query): ResponseOf<typeof getTrades> => {
    const found = trades.filter(({ symbol }) => symbol === (query.get('symbol') ?? symbol))
    const [first, size] = [Number(query.get('after') ?? 0), Number(query.get('size') ?? 10)]
    const isFirst = first === 0
    return {
      history: 'kept',
      trades: found.slice(first, first + size),
      total: found.length,
      totals: isFirst
        ? {
            profit: sumOf(found, 'profit'),
            swap: sumOf(found, 'swap'),
            commission: 0n,
            fee: 0n,
            result: sumOf(found, 'result'),
          }
        : null,
      symbols: isFirst ? ['EURUSD', 'XAUUSD', 'USDJPY'] : null,
      next: first + size < found.length ? String(first + size) : null,
    }
  })
  await answer(page, calls.trade, account, (): ResponseOf<typeof getTrade> => ({
    trade: {
      ...tradeAt(23),
      openedAt: null,
      stopLoss: '3200.00',
      takeProfit: null,
      reason: 'stop-out',
      order: null,
    },
  }))
}
