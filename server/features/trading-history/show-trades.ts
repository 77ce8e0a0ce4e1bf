/** Closed trades: pages, one trade, and the CSV. */
import { msg, type Labels } from '#contract/message.ts'
import { stringify } from 'csv-stringify/sync'
import {
  tradesCountMax,
  type closingReasons,
  type getTrade as tradeEndpoint,
  type getTrades as tradesEndpoint,
  type Trade,
  type tradesCsv as csvEndpoint,
} from '#contract/trading-history.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import { dayOf } from '#rules/dates.ts'
import { decimalOf } from '#rules/money.ts'
import { lotsText } from '#rules/trading-days.ts'
import { BinaryResponse, type Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { translate } from '../../i18n/translate.ts'
import { momentText, safeCell } from '../../i18n/format.ts'
import { historyOf, namedAccount } from './queries.ts'
import {
  symbolsOf,
  tradeByDeal,
  tradesPage,
  tradeTotals,
  type TradeFilter,
  type TradePlace,
  type TradeRow,
} from './trade-queries.ts'

const columns: Labels = {
  ticket: msg`Ticket`,
  symbol: msg`Symbol`,
  side: msg`Side`,
  lots: msg`Lots`,
  openPrice: msg`Open price`,
  closePrice: msg`Close price`,
  closedAt: msg`Closed`,
  profit: msg`Profit`,
  swap: msg`Swap`,
  commission: msg`Commission`,
  fee: msg`Fee`,
  result: msg`Result`,
  currency: msg`Currency`,
}

const sideLabels = { buy: msg`Buy`, sell: msg`Sell` } as const satisfies Labels

const firstSize = 20
const rowsMax = 10_000

/** Returns the filter of a query; throws `date-invalid` at the field of a day that does not exist. */
function filterOf({ from, to, symbol, side, result }: QueryOf<typeof csvEndpoint>): TradeFilter {
  for (const [field, day] of Object.entries({ from, to }))
    if (day !== undefined && dayOf(day) === null) throw new Problem('date-invalid', { field })
  return { from: from ?? null, to: to ?? null, symbol: symbol ?? null, side: side ?? null, result: result ?? null }
}

export const getTrades: Handler<typeof tradesEndpoint> = async (dependencies, context) => {
  const { pool } = dependencies
  const account = await namedAccount(dependencies, context)
  const { size, direction, after, ...asked } = context.query
  const filter = filterOf(asked)
  const ascending = direction === 'asc'
  const place = placeOf(after, ascending)
  const pageSize = size === undefined ? firstSize : Number(size)
  const found = await tradesPage(pool, account.id, filter, { ascending, after: place, size: pageSize + 1 })
  const shown = found.slice(0, pageSize)
  const last = shown.at(-1)
  const next = found.length > pageSize && last !== undefined ? cursorAfter(last, ascending) : null
  const { state: history } = await historyOf(dependencies, account.platform, account.id)
  const trades = shown.map(tradeShown)
  if (place !== null) return { history, trades, next, total: null, totals: null, symbols: null }
  const { trades: count, ...totals } = await tradeTotals(pool, account.id, filter)
  const result = totals.profit + totals.swap + totals.commission + totals.fee
  const total = count > tradesCountMax ? null : count
  return { history, trades, next, total, totals: { ...totals, result }, symbols: await symbolsOf(pool, account.id) }
}

function tradeShown({ deal, position, volume, platformMs: _clock, ...row }: TradeRow): Trade {
  return { ...row, ticket: String(deal), position: String(position), lots: lotsText(volume) }
}

function cursorAfter({ platformMs, deal }: TradeRow, ascending: boolean): string {
  return `${platformMs}.${deal}.${ascending ? 1 : 0}`
}

/** Returns the position of a cursor; throws for one of the other direction, or one that we did not issue. */
function placeOf(cursor: string | undefined, ascending: boolean): TradePlace | null {
  if (cursor === undefined) return null
  const [, platformMs, deal, direction] = /^(\d{1,16})\.(\d{1,18})\.([01])$/.exec(cursor) ?? []
  if (platformMs === undefined || deal === undefined || direction !== (ascending ? '1' : '0'))
    throw new Problem('cursor-invalid', { field: 'after' })
  return { platformMs: BigInt(platformMs), deal: BigInt(deal) }
}

export const tradesCsv: Handler<typeof csvEndpoint> = async (dependencies, context) => {
  const { id, login, currency } = await namedAccount(dependencies, context)
  const order = { ascending: false, after: null, size: rowsMax + 1 }
  const found = await tradesPage(dependencies.pool, id, filterOf(context.query), order)
  const { timeZone } = await dependencies.settings.get('firm')
  const cells = found
    .slice(0, rowsMax)
    .map((row) =>
      [
        String(row.deal),
        row.symbol,
        translate(sideLabels[row.side], context.language),
        lotsText(row.volume),
        row.openPrice,
        row.closePrice,
        momentText(row.closedAt, timeZone),
        ...[row.profit, row.swap, row.commission, row.fee, row.result].map(decimalOf),
        currency,
      ].map(safeCell),
    )
  // The CSV has only rows, so its name says that it was cut.
  const name = found.length > rowsMax ? `trades-${login}-newest-${rowsMax}.csv` : `trades-${login}.csv`
  const heading = Object.values(columns).map((word) => translate(word, context.language))
  return new BinaryResponse(stringify([heading, ...cells], { bom: true }), name)
}

/** MetaTrader's reasons (IMTDeal) by origin: a person, a program, the platform or a dealer. */
const reasons: Readonly<Record<number, (typeof closingReasons)[number]>> = {
  0: 'client',
  1: 'expert',
  2: 'dealer',
  3: 'stop-loss',
  4: 'take-profit',
  5: 'stop-out',
  6: 'rollover',
  16: 'client',
  17: 'client',
}

export const getTrade: Handler<typeof tradeEndpoint> = async (dependencies, context) => {
  const { id } = await namedAccount(dependencies, context)
  const found = await tradeByDeal(dependencies.pool, id, context.params.ticket)
  if (found === null) throw new Problem('not-found')
  const { openedAt, stopLoss, takeProfit, reason, order, ...row } = found
  return {
    trade: {
      ...tradeShown(row),
      openedAt,
      stopLoss,
      takeProfit,
      reason: reasons[reason] ?? 'other',
      order: order === 0n ? null : String(order),
    },
  }
}
