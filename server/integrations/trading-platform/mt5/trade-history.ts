/** Deals, positions, orders and daily reports of a MetaTrader 5 server (webapi_deal, webapi_position, webapi_daily). */
import { minorOf } from '#rules/money.ts'
import { lotsText, tradingDay } from '#rules/trading-days.ts'
import { Unavailable } from '../../errors.ts'
import { offsetBetween, type ZoneOfServer } from '../server-clock.ts'
import type {
  OrderKind,
  PlatformDayEnd,
  PlatformDeal,
  PlatformOrder,
  PlatformPosition,
  TradeHistory,
} from '../trade-history.ts'
import { accountsAtOnce, inParts } from './account-search.ts'
import { namesInParts } from './all-deals.ts'
import type { Mt5Caller } from './caller.ts'
import { dealsBetween } from './deals.ts'
import { recordOf, textOf } from './values.ts'

type WireRecord = Record<string, unknown>

const orderKinds: Readonly<Record<string, OrderKind>> = {
  2: 'buy-limit',
  3: 'sell-limit',
  4: 'buy-stop',
  5: 'sell-stop',
  6: 'buy-stop-limit',
  7: 'sell-stop-limit',
}

/** Reads deals, positions and orders over the Web API. Times in and out are ms by the platform's clock. */
export function mt5TradeHistory(caller: Mt5Caller, zone: () => Promise<ZoneOfServer>): TradeHistory {
  const ofAll = async (path: string, logins: readonly string[], further: Record<string, string> = {}) => {
    const found: WireRecord[] = []
    for (const part of inParts(logins, accountsAtOnce))
      found.push(...(await caller.listOrOne(path, { login: part.join(','), ...further })))
    return found
  }
  return {
    zone,
    async deals(whose, fromMs, toMs) {
      const [from, to] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)]
      const parts =
        'logins' in whose
          ? inParts(whose.logins, accountsAtOnce).map((part) => ({ login: part.join(',') }))
          : namesInParts(whose.groups).map((part) => ({ group: part.join(',') }))
      const found: PlatformDeal[] = []
      for (const part of parts)
        for (const deal of await dealsBetween(caller, part, from, to)) found.push(dealFrom(deal))
      return found
    },
    async positions(logins) {
      return {
        positions: (await ofAll('/api/position/get_batch', logins)).map(positionFrom),
        orders: (await ofAll('/api/order/get_batch', logins)).flatMap((order) => orderFrom(order) ?? []),
      }
    },
    async dayEnds(logins, fromMs, toMs) {
      const seconds = { from: String(Math.floor(fromMs / 1000)), to: String(Math.ceil(toMs / 1000)) }
      const reports = await ofAll('/api/daily/get_light_batch', logins, seconds)
      return dayEndsFrom(reports, await zone())
    },
    async groupsOf(logins) {
      const users = await ofAll('/api/user/get_batch', logins)
      return new Map(users.map((user) => [textOf(user, 'Login'), textOf(user, 'Group')]))
    },
    async floating(logins) {
      const states = await ofAll('/api/user/account/get_batch', logins)
      const known = states.map((state) => ({
        login: textOf(state, 'Login'),
        of: (name: string) => amountOf(state, name),
      }))
      return new Map(known.map(({ login, of }) => [login, of('Equity') - of('Balance') - of('Credit')]))
    },
    async sums(login) {
      const answer = await caller.record('/api/user/check_balance', { login, fixflag: '0' })
      const history = (name: string) => amountOf(recordOf(answer[name]), 'History')
      return { balance: history('Balance'), credit: history('Credit') }
    },
  }
}

function dealFrom(deal: WireRecord): PlatformDeal {
  return {
    ticket: textOf(deal, 'Deal'),
    login: textOf(deal, 'Login'),
    order: textOf(deal, 'Order'),
    position: textOf(deal, 'PositionID'),
    symbol: textOf(deal, 'Symbol'),
    action: Number(textOf(deal, 'Action')),
    entry: Number(textOf(deal, 'Entry')),
    reason: Number(textOf(deal, 'Reason')),
    volume: volumeOf(deal, 'Volume'),
    closedVolume: volumeOf(deal, 'VolumeClosed'),
    price: priceText(deal, 'Price') ?? '0',
    pricePosition: priceText(deal, 'PricePosition') ?? '0',
    stopLoss: priceText(deal, 'PriceSL'),
    takeProfit: priceText(deal, 'PriceTP'),
    profit: amountOf(deal, 'Profit'),
    swap: amountOf(deal, 'Storage'),
    commission: amountOf(deal, 'Commission'),
    // Servers older than the field do not send it.
    fee: deal.Fee === undefined ? 0n : amountOf(deal, 'Fee'),
    comment: textOf(deal, 'Comment'),
    time: deal.TimeMsc === undefined ? Number(textOf(deal, 'Time')) * 1000 : Number(textOf(deal, 'TimeMsc')),
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

const filetimeEpochMs = 11_644_473_600_000

/**
 * Returns the day ends of daily reports. A report has its own time in UTC (a FILETIME) and the time of the report
 * before it by the server's clock; the next report therefore gives this one's server time, and the difference is the
 * offset of the day.
 */
function dayEndsFrom(reports: readonly WireRecord[], zone: ZoneOfServer): PlatformDayEnd[] {
  const ends: PlatformDayEnd[] = []
  for (const own of Map.groupBy(reports, (report) => textOf(report, 'Login')).values()) {
    const written = own
      .map((report) => ({
        report,
        utc: Number(BigInt(textOf(report, 'Timestamp')) / 10_000n) - filetimeEpochMs,
        previous: Number(textOf(report, 'DatetimePrev')) * 1000,
      }))
      .toSorted((one, other) => one.utc - other.utc)
    for (const [index, { report, utc }] of written.entries()) {
      const own = written[index + 1]?.previous ?? zone.theirs(utc)
      const offsetMs = offsetBetween(own, utc)
      const [balance, credit] = [amountOf(report, 'Balance'), amountOf(report, 'Credit')]
      ends.push({
        login: textOf(report, 'Login'),
        day: tradingDay(utc + offsetMs),
        offsetMs,
        balance,
        credit,
        floating: amountOf(report, 'ProfitEquity') - balance - credit,
      })
    }
  }
  return ends
}

/**
 * Returns an amount of two decimals, or more if they are zeros. A server that rounds otherwise makes a sum that does
 * not add up and is investigated.
 */
function amountOf(record: WireRecord, name: string): bigint {
  const [whole = '', places = ''] = textOf(record, name).split('.')
  const minor = minorOf(`${whole}.${places.slice(0, 2).padEnd(2, '0')}`)
  if (minor === null) throw new Unavailable(`The platform's ${name} is no amount`)
  return minor
}

/** Returns a volume in hundred-millionths of a lot; servers without the longer field give ten-thousandths. */
function volumeOf(record: WireRecord, name: string): bigint {
  const longer = record[`${name}Ext`]
  return typeof longer === 'string' && longer !== '0' ? BigInt(longer) : BigInt(textOf(record, name)) * 10_000n
}

/** Returns the price with its decimals, or null for none. */
function priceText(record: WireRecord, name: string): string | null {
  const text = textOf(record, name)
  return Number(text) === 0 ? null : text
}
