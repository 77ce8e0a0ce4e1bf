/** The page of one trading account: balances, curve, open positions and closed trades (requirements 24.11). */
import * as z from 'zod/mini'
import { platforms } from '#rules/constants.ts'
import { methodTypes } from '#rules/payment-methods.ts'
import { account } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { choice, currency, isoDate, seconds, signedBalance } from './fields.ts'
import { cursor, historyLists, historySizes } from './history.ts'
import { decimals, openTrades, sides } from './open-trades.ts'

/** An account is identified by its platform and its number there. */
const params = {
  platform: choice(platforms),
  number: z.string('required').check(z.maxLength(20, 'unknown-value'), z.regex(/^\d+$/, 'unknown-value')),
}

/**
 * The status of an account's trade history. `reading`: being read for the first time; `kept`: stored, as of the last
 * reading; `in-terminal`: only the platform's terminal shows it; `not-available`: the platform is not connected.
 */
export const historyStates = ['reading', 'kept', 'in-terminal', 'not-available'] as const
export type HistoryState = (typeof historyStates)[number]
const history = choice(historyStates)

/** `closed`: disabled or deleted on the platform. `not-connected`: no adapter is configured for the platform. */
const accountStates = ['open', 'closed', 'not-connected'] as const

export const getTradingAccount = endpoint('getTradingAccount', 'GET /api/accounts/:platform/:number', {
  summary: 'Returns one of the client’s accounts with its balances and the time they were read.',
  access: ['approved'],
  params: z.object(params),
  response: z.object({
    account,
    demo: z.boolean(),
    standing: choice(accountStates),
    credit: z.nullable(signedBalance),
    margin: z.nullable(signedBalance),
    /** Equity less balance and credit: profit and swap of the open positions. */
    floating: z.nullable(signedBalance),
    openedAt: z.nullable(seconds),
    /** A deal of it is known: it had a deposit, or another booking. A server of the version before does not say. */
    booked: z.optional(z.boolean()),
    history,
    /** When its deals were last read; null before the first time. */
    historyAt: z.nullable(seconds),
    /**
     * The current offset of the platform's clock, which determines trading days, from UTC in minutes; null if unknown.
     */
    clockMinutes: z.nullable(z.int()),
  }),
  problems: ['account-unknown'],
})

export const curvePeriods = ['1w', '1m', '3m', '1y', 'all'] as const
export type CurvePeriod = (typeof curvePeriods)[number]

/**
 * The end of a trading day by the platform's clock; the last one may be the current time. Both amounts are null on a
 * weekday between others that nothing is known of: a gap, not a zero.
 */
export const curvePoint = z.object({
  day: isoDate,
  balance: z.nullable(signedBalance),
  equity: z.nullable(signedBalance),
})
export type CurvePoint = z.output<typeof curvePoint>

/** More days, some 20 years, are left out at the beginning. */
export const curvePointsMax = 5000

/** A movement of money by a request of the client; the sign is that of the account. */
export const curveMark = z.object({
  day: isoDate,
  at: seconds,
  amount: signedBalance,
  /** Its list in the history, and its id there; a transfer is in both accounts' lists. */
  list: choice(historyLists),
  id: z.string(),
  reference: z.string(),
  type: z.nullable(choice(methodTypes)),
  /** Returned money: a refund, a chargeback, a returned or reversed payout. */
  returned: z.boolean(),
})
export type CurveMark = z.output<typeof curveMark>

/** The rows of the sum, in their order; zero rows are omitted. */
export const sumRows = [
  'deposits',
  'withdrawals',
  'transfers',
  'returned',
  'credit',
  'other',
  'profit',
  'swap',
  'commission',
  'fee',
  'floating',
] as const
export type SumRow = (typeof sumRows)[number]

export const getAccountCurve = endpoint('getAccountCurve', 'GET /api/accounts/:platform/:number/curve', {
  summary:
    'Returns equity and balance by trading day, the client’s payments, and a reconciliation from opening to closing equity.',
  access: ['approved'],
  params: z.object(params),
  query: z.strictObject({ period: z._default(choice(curvePeriods), '3m') }),
  response: z.object({
    history,
    currency,
    /** The days of the sum, which may begin before the first point. */
    from: z.nullable(isoDate),
    to: z.nullable(isoDate),
    /** Each trading day, the newest `curvePointsMax` at most; weekends without movements have no point. */
    points: z.array(curvePoint),
    /** The newest 200. */
    marks: z.array(curveMark),
    /** There are older ones in the period. */
    marksLeftOff: z._default(z.boolean(), false),
    /** Opening equity, its rows, closing equity; null if it does not add up exactly. */
    sum: z.nullable(
      z.object({
        /** The day at whose end the opening equity was; null if the account was opened in the period. */
        openingDay: z._default(z.nullable(isoDate), null),
        opening: signedBalance,
        rows: z.array(z.object({ row: choice(sumRows), amount: signedBalance })),
        closing: signedBalance,
        /** The end of the period. */
        at: seconds,
      }),
    ),
    /** It did not add up, and the cause is being checked. */
    beingChecked: z.boolean(),
  }),
  problems: ['account-unknown', 'unknown-value'],
})

export const getOpenPositions = endpoint('getOpenPositions', 'GET /api/accounts/:platform/:number/positions', {
  summary: 'Returns the open positions and pending orders that the platform reports now.',
  access: ['approved'],
  params: z.object(params),
  response: z.object({
    history,
    /** Null if the platform did not respond: then both lists are empty. */
    readAt: z.nullable(seconds),
    ...openTrades.shape,
  }),
  problems: ['account-unknown'],
})

/** A closed trade: one for each deal that closed a position or a part of it. */
export const trade = z.object({
  /** Of the closing deal. */
  ticket: z.string(),
  position: z.string(),
  symbol: z.string(),
  /** Of the closed position. */
  side: sides,
  lots: decimals,
  openPrice: decimals,
  closePrice: decimals,
  closedAt: seconds,
  profit: signedBalance,
  swap: signedBalance,
  /** Of the closing deal, and of the opening ones in proportion to the closed volume. */
  commission: signedBalance,
  fee: signedBalance,
  /** The sum of the four. */
  result: signedBalance,
})
export type Trade = z.output<typeof trade>

export const closingReasons = [
  'client',
  'expert',
  'dealer',
  'stop-loss',
  'take-profit',
  'stop-out',
  'rollover',
  'other',
] as const

/** As the platform names it: brokers use characters such as "/", "@" and spaces, too. */
const symbol = z.string().check(z.maxLength(32, 'invalid'), z.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'invalid'))

const filters = {
  /** Trading days by the platform's clock, both included. */
  from: z.optional(isoDate),
  to: z.optional(isoDate),
  symbol: z.optional(symbol),
  side: z.optional(sides),
  result: z.optional(choice(['profit', 'loss'])),
}

/** More closed trades are not counted. */
export const tradesCountMax = 1000

export const getTrades = endpoint('getTrades', 'GET /api/accounts/:platform/:number/trades', {
  summary:
    'Returns closed trades, newest first, filtered and paginated by cursor, with the totals of all matching trades.',
  access: ['approved'],
  params: z.object(params),
  query: z.strictObject({
    ...filters,
    size: z.optional(z.enum(historySizes, 'invalid')),
    direction: z.optional(choice(['asc', 'desc'])),
    after: z.optional(cursor),
  }),
  response: z.object({
    history,
    trades: z.array(trade),
    /** Null above `tradesCountMax`, and while the trades are being checked. */
    total: z.nullable(z.int()),
    /** A deal of the account cannot be read: trades may be missing, and there is neither a count nor totals. */
    beingChecked: z._default(z.boolean(), false),
    /** Of the whole filter; absent from later pages. */
    totals: z.nullable(
      z.object({
        profit: signedBalance,
        swap: signedBalance,
        commission: signedBalance,
        fee: signedBalance,
        result: signedBalance,
      }),
    ),
    /** The traded symbols, for the filter; absent from later pages. */
    symbols: z.nullable(z.array(z.string())),
    next: z.nullable(z.string()),
  }),
  problems: ['account-unknown', 'cursor-invalid', 'date-invalid', 'unknown-value', 'invalid'],
})

export const tradesCsv = endpoint('tradesCsv', 'GET /api/accounts/:platform/:number/trades.csv', {
  summary: 'Returns closed trades as CSV, with the filters applied.',
  access: ['approved'],
  params: z.object(params),
  query: z.strictObject(filters),
  produces: 'text/csv',
  problems: ['account-unknown', 'date-invalid', 'unknown-value', 'invalid'],
})

export const getTrade = endpoint('getTrade', 'GET /api/accounts/:platform/:number/trades/:ticket', {
  summary: 'Returns one closed trade with its stop loss, its take profit and the reason it was closed.',
  access: ['approved'],
  params: z.object({ ...params, ticket: params.number }),
  response: z.object({
    trade: z.object({
      ...trade.shape,
      /** When the position was opened; null if that is before the stored history. */
      openedAt: z.nullable(seconds),
      stopLoss: z.nullable(decimals),
      takeProfit: z.nullable(decimals),
      reason: choice(closingReasons),
      order: z.nullable(z.string()),
    }),
  }),
  problems: ['account-unknown', 'not-found'],
})

/** Maximum values of a sparkline: the trading days of 30 days. */
export const sparklineDays = 22

export const getAccountResults = endpoint('getAccountResults', 'GET /api/accounts/results', {
  summary:
    'Returns the daily results of each of the client’s accounts over 30 days: trades only, without payments and other bookings.',
  access: ['approved'],
  response: z.object({
    accounts: z.array(
      z.object({
        platform: choice(platforms),
        number: z.string(),
        /** One value per trading day, oldest first, the first 0; fewer than 5 are not drawn. */
        values: z.array(signedBalance),
      }),
    ),
  }),
})
