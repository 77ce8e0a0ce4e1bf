/** Open positions and pending orders of a MetaTrader 5 server (webapi_position, webapi_order). */
import { lotsText } from '#rules/trading-days.ts'
import type { OrderKind, PlatformOpenTrades, PlatformOrder, PlatformPosition } from '../trade-history.ts'
import { inParts } from './account-search.ts'
import type { Mt5Caller } from './caller.ts'
import { amountOf, priceText, textOf, volumeOf } from './values.ts'

type WireRecord = Record<string, unknown>

/** How many accounts are read in one question, whose logins are in its body. */
const loginsAtOnce = 1000

/** Reads the positions of some accounts, and the orders of as many or more: an order can wait where nothing is open. */
export async function openTrades(
  caller: Mt5Caller,
  withPositions: readonly string[],
  withOrders: readonly string[],
): Promise<PlatformOpenTrades> {
  const listed = async (path: string, logins: readonly string[]) => {
    const found: WireRecord[] = []
    for (const part of inParts(logins, loginsAtOnce))
      found.push(...(await caller.listByBody(path, { login: part.join(',') })))
    return found
  }
  return {
    positions: (await listed('/api/position/get_batch', withPositions)).map(positionFrom),
    orders: (await listed('/api/order/get_batch', withOrders)).flatMap((order) => orderFrom(order) ?? []),
  }
}

function positionFrom(position: WireRecord): PlatformPosition {
  return {
    ticket: textOf(position, 'Position'),
    login: textOf(position, 'Login'),
    symbol: textOf(position, 'Symbol'),
    side: position.Action === '0' ? 'buy' : 'sell',
    lots: lotsText(volumeOf(position, 'Volume')),
    openPrice: priceText(position, 'PriceOpen') ?? '0',
    price: priceText(position, 'PriceCurrent') ?? '0',
    stopLoss: priceText(position, 'PriceSL'),
    takeProfit: priceText(position, 'PriceTP'),
    swap: amountOf(position, 'Storage'),
    profit: amountOf(position, 'Profit'),
    time: Number(textOf(position, 'TimeCreate')) * 1000,
  }
}

const orderKinds: Readonly<Record<string, OrderKind>> = {
  2: 'buy-limit',
  3: 'sell-limit',
  4: 'buy-stop',
  5: 'sell-stop',
  6: 'buy-stop-limit',
  7: 'sell-stop-limit',
}

/** Returns a pending order, or null for any other order. */
function orderFrom(order: WireRecord): PlatformOrder | null {
  const kind = orderKinds[textOf(order, 'Type')]
  if (kind === undefined) return null
  return {
    ticket: textOf(order, 'Order'),
    login: textOf(order, 'Login'),
    symbol: textOf(order, 'Symbol'),
    kind,
    lots: lotsText(volumeOf(order, 'VolumeCurrent')),
    price: priceText(order, 'PriceOrder') ?? '0',
    stopLoss: priceText(order, 'PriceSL'),
    takeProfit: priceText(order, 'PriceTP'),
    time: Number(textOf(order, 'TimeSetup')) * 1000,
  }
}
