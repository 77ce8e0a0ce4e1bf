/** Closed trades: pages, one trade, and the CSV. */
import { msg, type Labels } from '#contract/message.ts'
import { Readable } from 'node:stream'
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
import { BinaryResponse, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { translate } from '../../i18n/translate.ts'
import { momentText, safeCell } from '../../i18n/format.ts'
import { historyOf, isIncomplete, accountForCaller } from './queries.ts'
import {
  symbolsOf,
  tradeByDeal,
  tradesPage,
  tradeTotals,
  wholeTradesPage,
  type TradeFilter,
  type TradePlace,
  type TradeRow,
  type WholeTrade,
} from './trade-queries.ts'

const columns: Labels = {
  ticket: msg`Ticket`,
  position: msg`Position`,
  order: msg`Order`,
  symbol: msg`Symbol`,
  side: msg`Side`,
  lots: msg`Lots`,
  openedAt: msg`Opened`,
  openPrice: msg`Open price`,
  closedAt: msg`Closed`,
  closePrice: msg`Close price`,
  stopLoss: msg`Stop loss`,
  takeProfit: msg`Take profit`,
  reason: msg`Closed by`,
  profit: msg`Profit`,
  swap: msg`Swap`,
  commission: msg`Commission`,
  fee: msg`Fee`,
  result: msg`Result`,
  currency: msg`Currency`,
}

/** The last line of a file in which the trades of unreadable deals are missing (ADR 328). */
const incomplete = msg`Trades are being checked. This file is not complete.`

const sideLabels = { buy: msg`Buy`, sell: msg`Sell` } as const satisfies Labels

const closedBy = {
  expert: msg`Expert advisor`,
  dealer: msg`Dealer`,
  'stop-loss': msg`Stop loss`,
  'take-profit': msg`Take profit`,
  'stop-out': msg`Stop-out (margin too low)`,
  rollover: msg`Rollover`,
  other: msg`Other`,
} as const satisfies Labels

/** Labels of who or what closed a trade, for the reader. */
const reasonLabels = {
  client: { ...closedBy, client: msg`You` },
  staff: { ...closedBy, client: msg`Client` },
} as const

const firstSize = 20
/** The file is read and sent in pages, so that its length has no limit. */
const csvPageSize = 1_000

/** Returns the filter of a query; throws `date-invalid` at the field of a day that does not exist. */
function filterOf({ from, to, symbol, side, result }: QueryOf<typeof csvEndpoint>): TradeFilter {
  for (const [field, day] of Object.entries({ from, to }))
    if (day !== undefined && dayOf(day) === null) throw new Problem('date-invalid', { field })
  return { from: from ?? null, to: to ?? null, symbol: symbol ?? null, side: side ?? null, result: result ?? null }
}

export const getTrades: Handler<typeof tradesEndpoint> = async (dependencies, context) => {
  const { pool } = dependencies
  const account = await accountForCaller(dependencies, context)
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
  const trades = shown.map(tradeResponse)
  const beingChecked = await isIncomplete(pool, account.id)
  if (place !== null) return { history, trades, next, beingChecked, total: null, totals: null, symbols: null }
  const symbols = await symbolsOf(pool, account.id)
  const page = { history, trades, next, beingChecked, symbols }
  if (beingChecked) return { ...page, total: null, totals: null }
  const { trades: count, ...totals } = await tradeTotals(pool, account.id, filter)
  const result = totals.profit + totals.swap + totals.commission + totals.fee
  return { ...page, total: count > tradesCountMax ? null : count, totals: { ...totals, result } }
}

function tradeResponse({ deal, position, volume, platformMs: _clock, ...row }: TradeRow): Trade {
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

export const tradesCsv: Handler<typeof csvEndpoint> = async (dependencies, context) => {
  const { id, login, currency } = await accountForCaller(dependencies, context)
  const { timeZone } = await dependencies.settings.get('firm')
  const { language, caller } = context
  const labelText = (label: Labels[string]) => translate(label, language)
  const heading = Object.entries(columns).map(([name, label]) =>
    name === 'openedAt' || name === 'closedAt' ? `${labelText(label)} (${timeZone})` : labelText(label),
  )
  const cellsOf = (row: WholeTrade) =>
    [
      String(row.deal),
      String(row.position),
      row.order === 0n ? '' : String(row.order),
      row.symbol,
      labelText(sideLabels[row.side]),
      lotsText(row.volume),
      row.openedAt === null ? '' : momentText(row.openedAt, timeZone),
      row.openPrice,
      momentText(row.closedAt, timeZone),
      row.closePrice,
      row.stopLoss ?? '',
      row.takeProfit ?? '',
      labelText(reasonLabels[caller.kind === 'staff' ? 'staff' : 'client'][reasons[row.reason] ?? 'other']),
      ...[row.profit, row.swap, row.commission, row.fee, row.result].map(decimalOf),
      currency,
    ].map(safeCell)
  const filter = filterOf(context.query)
  async function* lines(): AsyncGenerator<string> {
    let after: TradePlace | null = null
    do {
      const order = { ascending: false, after, size: csvPageSize }
      const found = await wholeTradesPage(dependencies.pool, id, filter, order)
      // After the first query, because a response that has begun can no longer report a database error.
      if (after === null) yield stringify([heading], { bom: true })
      if (found.length > 0) yield stringify(found.map(cellsOf))
      after = found.length < csvPageSize ? null : (found.at(-1) ?? null)
    } while (after !== null)
    if (await isIncomplete(dependencies.pool, id)) yield stringify([[labelText(incomplete)]])
  }
  return new BinaryResponse(Readable.from(lines(), { objectMode: false }), `trades-${login}.csv`)
}

export const getTrade: Handler<typeof tradeEndpoint> = async (dependencies, context) => {
  const { id } = await accountForCaller(dependencies, context)
  const found = requireFound(await tradeByDeal(dependencies.pool, id, context.params.ticket))
  const { openedAt, stopLoss, takeProfit, reason, order, ...row } = found
  return {
    trade: {
      ...tradeResponse(row),
      openedAt,
      stopLoss,
      takeProfit,
      reason: reasons[reason] ?? 'other',
      order: order === 0n ? null : String(order),
    },
  }
}
