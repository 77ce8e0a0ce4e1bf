/** Open positions and pending orders of a MetaTrader 5 server (webapi_position, webapi_order). */
import { lotsText } from '#rules/trading-days.ts'
import { Unavailable } from '../../errors.ts'
import type { OrderKind, PlatformOpenTrades, PlatformOrder, PlatformPosition } from '../trade-history.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import { hasOnlyLogins, groupByLogin } from './account-records.ts'
import type { Mt5Caller } from './caller.ts'
import { UnreadableValue, removeControlCharacters } from '../unreadable-records.ts'
import { amountOf, numberText, priceText, textOf, timeOf, nullIfUnreadable, volumeOf } from './values.ts'

type WireRecord = Record<string, unknown>

/** The number of accounts that are read in one query, with their logins in its body. */
const loginsAtOnce = 1000

export const positionsPath = '/api/position/get_batch'
export const ordersPath = '/api/order/get_batch'

/** Reads the records of positions or orders in the platform's format. The logins are an array, as in the pages' example. */
export async function openRecords(
  caller: Pick<Mt5Caller, 'listByBody'>,
  path: string,
  logins: readonly string[],
): Promise<WireRecord[]> {
  const found: WireRecord[] = []
  for (const part of splitIntoParts(logins, loginsAtOnce))
    found.push(...(await caller.listByBody(path, { login: part.map(Number) })))
  return found
}

/**
 * Reads the open trades of each account. An account with an invalid record is left out, without affecting the others.
 * Throws `Unavailable` for a record of none of these accounts, because one of theirs would be missing.
 */
export async function openTrades(
  caller: Mt5Caller,
  logins: readonly string[],
): Promise<ReadonlyMap<string, PlatformOpenTrades>> {
  const positions = groupByLogin(await openRecords(caller, positionsPath, logins))
  const orders = groupByLogin(await openRecords(caller, ordersPath, logins))
  if (!hasOnlyLogins(logins, positions, orders))
    throw new Unavailable('The platform returned an open trade of another account')
  return new Map(
    logins.flatMap((login) => {
      const trades = nullIfUnreadable(() => tradesFrom(positions.get(login) ?? [], orders.get(login) ?? []))
      return trades === null ? [] : [[login, trades] as const]
    }),
  )
}

/** Throws `Unavailable` for an invalid record. */
export function tradesFrom(positions: readonly WireRecord[], orders: readonly WireRecord[]): PlatformOpenTrades {
  return { positions: positions.map(positionFrom), orders: orders.flatMap((order) => orderFrom(order) ?? []) }
}

function positionFrom(position: WireRecord): PlatformPosition {
  return {
    ticket: numberText(position, 'Position'),
    login: textOf(position, 'Login'),
    symbol: removeControlCharacters(textOf(position, 'Symbol')),
    side: choiceOf(position, 'Action', sides),
    lots: lotsText(volumeOf(position, 'Volume')),
    openPrice: priceText(position, 'PriceOpen') ?? '0',
    price: priceText(position, 'PriceCurrent') ?? '0',
    stopLoss: priceText(position, 'PriceSL'),
    takeProfit: priceText(position, 'PriceTP'),
    swap: amountOf(position, 'Storage'),
    profit: amountOf(position, 'Profit'),
    time: timeOf(position, 'TimeCreate'),
  }
}

const sides = { 0: 'buy', 1: 'sell' } as const

/** Returns what a code stands for. Throws `UnreadableValue` for an unknown one. */
function choiceOf<Value>(record: WireRecord, name: string, choices: Readonly<Record<string, Value>>): Value {
  const text = textOf(record, name)
  const value = Object.hasOwn(choices, text) ? choices[text] : undefined
  if (value === undefined) throw new UnreadableValue(name, 'value', text, `The platform's ${name} is unknown`)
  return value
}

/** Market orders and closings by an opposite position are carried out immediately: they are not pending. */
const orderKinds: Readonly<Record<string, OrderKind | null>> = {
  0: null,
  1: null,
  8: null,
  2: 'buy-limit',
  3: 'sell-limit',
  4: 'buy-stop',
  5: 'sell-stop',
  6: 'buy-stop-limit',
  7: 'sell-stop-limit',
}

/** Returns a pending order, or null for any other order. */
function orderFrom(order: WireRecord): PlatformOrder | null {
  const kind = choiceOf(order, 'Type', orderKinds)
  if (kind === null) return null
  return {
    ticket: numberText(order, 'Order'),
    login: textOf(order, 'Login'),
    symbol: removeControlCharacters(textOf(order, 'Symbol')),
    kind,
    lots: lotsText(volumeOf(order, 'VolumeCurrent')),
    price: priceText(order, 'PriceOrder') ?? '0',
    stopLoss: priceText(order, 'PriceSL'),
    takeProfit: priceText(order, 'PriceTP'),
    time: timeOf(order, 'TimeSetup'),
  }
}
