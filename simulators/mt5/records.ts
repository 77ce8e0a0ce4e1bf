/** The server's records in its format: every number is a string. */
import { decimal } from '../platform/hundredths.ts'
import type { DayEnd } from '../platform/nights.ts'
import { priceNow } from '../platform/trading.ts'
import type { Account, Deal, Figures, Order, Position } from '../platform/store.ts'
import type { Group } from './groups.ts'
import type { ManagerRights } from './manager-rights.ts'

export type Written = Record<string, unknown>

/** The fields that are empty for a manager without access to personal data (webapi_preparing). */
const personalFields = [
  'Name',
  'FirstName',
  'LastName',
  'MiddleName',
  'Country',
  'City',
  'State',
  'ZIPCode',
  'Address',
  'Phone',
  'Email',
  'Comment',
  'ID',
  'Status',
]

export function userRecord(account: Account, rights: ManagerRights): Written {
  const record: Written = {
    Login: account.login,
    Group: account.group,
    CertSerialNumber: '0',
    Rights: String(account.rights),
    Registration: String(account.registeredAt),
    LastAccess: String(account.registeredAt),
    LastIP: '0.0.0.0',
    Name: account.name,
    ...account.details,
    Country: account.country,
    Email: account.email,
    ID: account.id,
    Comment: account.comment,
    Leverage: String(account.leverage),
    Balance: decimal(account.balance),
    Credit: decimal(account.credit),
  }
  if (!rights.has('personal')) for (const name of personalFields) record[name] = ''
  return record
}

export function tradeStateRecord(account: Account, figures: Figures): Written {
  return {
    Login: account.login,
    CurrencyDigits: '2',
    Balance: decimal(account.balance),
    Credit: decimal(account.credit),
    Margin: decimal(figures.margin),
    MarginFree: decimal(figures.freeMargin),
    MarginLevel: figures.margin === 0 ? '0.00' : decimal(Math.round((figures.equity / figures.margin) * 10_000)),
    MarginLeverage: String(account.leverage),
    Profit: decimal(figures.profit - figures.storage),
    Storage: decimal(figures.storage),
    Floating: decimal(figures.profit),
    Equity: decimal(figures.equity),
  }
}

/** Decimal places of prices, if not 5. */
const places: Readonly<Record<string, number>> = { USDJPY: 3, XAUUSD: 2 }

/** `padding` fills an unused field, so that responses are as long as those of busy servers. */
export function dealRecord(deal: Deal, padding = 0): Written {
  const isTrade = deal.action < 2
  return {
    Deal: deal.ticket,
    ExternalID: 'x'.repeat(padding),
    Login: deal.login,
    Dealer: '0',
    Order: isTrade ? deal.ticket : '0',
    Action: String(deal.action),
    Entry: String(deal.entry ?? 0),
    Reason: String(deal.reason ?? 0),
    Digits: isTrade ? String(placesOf(deal.symbol)) : '0',
    DigitsCurrency: '2',
    ContractSize: isTrade ? '100000.00' : '0.00',
    Time: String(deal.time),
    TimeMsc: String(deal.time * 1000),
    Symbol: deal.symbol,
    Price: priceOf(deal, deal.price),
    PriceSL: priceOf(deal, deal.stopLoss),
    PriceTP: priceOf(deal, deal.takeProfit),
    PricePosition: priceOf(deal, deal.pricePosition),
    ...volumes('Volume', deal.lots ?? 0),
    ...volumes('VolumeClosed', deal.closedLots ?? 0),
    PositionID: deal.position,
    Profit: decimal(deal.amount),
    Storage: decimal(deal.storage ?? 0),
    Commission: decimal(deal.commission ?? 0),
    // The Web API's page has no Fee; servers that charge one send it.
    ...(deal.fee !== undefined && { Fee: decimal(deal.fee) }),
    Comment: deal.comment,
  }
}

/** Returns a price with the decimal places of its symbol; 0 if there is none. */
function priceOf({ symbol }: { readonly symbol: string }, price = 0): string {
  return price.toFixed(placesOf(symbol))
}

function placesOf(symbol: string): number {
  return places[symbol] ?? 5
}

/** Returns a volume in ten-thousandths of a lot, and with more places in hundred-millionths. */
function volumes(name: string, lots: number): Written {
  return { [name]: String(Math.round(lots * 10_000)), [`${name}Ext`]: String(Math.round(lots * 100_000_000)) }
}

export function positionRecord(position: Position): Written {
  return {
    Position: position.position,
    ExternalID: '',
    Login: position.login,
    Symbol: position.symbol,
    Action: position.side === 'buy' ? '0' : '1',
    Digits: String(placesOf(position.symbol)),
    DigitsCurrency: '2',
    ContractSize: '100000.00',
    PriceOpen: priceOf(position, position.price),
    PriceCurrent: priceOf(position, priceNow(position)),
    PriceSL: priceOf(position, position.stopLoss),
    PriceTP: priceOf(position, position.takeProfit),
    ...volumes('Volume', position.lots),
    Profit: decimal(position.profit),
    Storage: decimal(position.storage ?? 0),
    TimeCreate: String(position.time),
  }
}

/** EnOrderType; the first two are market orders, which are never pending. */
const orderTypes = [
  'buy',
  'sell',
  'buy-limit',
  'sell-limit',
  'buy-stop',
  'sell-stop',
  'buy-stop-limit',
  'sell-stop-limit',
]

export function orderRecord(order: Order): Written {
  return {
    Order: order.order,
    ExternalID: '',
    Login: order.login,
    Dealer: '0',
    Symbol: order.symbol,
    Digits: String(placesOf(order.symbol)),
    DigitsCurrency: '2',
    ContractSize: '100000.00',
    State: '1',
    Reason: '0',
    TimeSetup: String(order.time),
    TimeExpiration: '0',
    Type: String(orderTypes.indexOf(order.kind)),
    PriceOrder: priceOf(order, order.price),
    PriceSL: priceOf(order, 0),
    PriceTP: priceOf(order, 0),
    ...volumes('VolumeInitial', order.lots),
    ...volumes('VolumeCurrent', order.lots),
    PositionID: '0',
    Comment: '',
  }
}

const filetimeEpochSeconds = 11_644_473_600
/** Reports are created one second before midnight. */
const beforeMidnight = 1

/**
 * Returns a daily report: its time is a FILETIME in UTC, while the time of the previous one is by the server's clock.
 */
export function dailyRecord(
  { account, time, balance, credit, deals, positions }: DayEnd,
  zoneMinutes: number,
): Written {
  const written = time - beforeMidnight
  const sum = (of: (deal: Deal) => number | undefined) => decimal(deals.reduce((all, deal) => all + (of(deal) ?? 0), 0))
  const profit = positions.reduce((all, position) => all + position.profit, 0)
  const storage = positions.reduce((all, position) => all + (position.storage ?? 0), 0)
  const margin = positions.reduce((all, { notional }) => all + Math.round(notional / account.leverage), 0)
  const equity = balance + credit + profit + storage
  return {
    Timestamp: `${written - zoneMinutes * 60 + filetimeEpochSeconds}2466852`,
    DatetimePrev: String(written - 86_400),
    Login: account.login,
    Name: account.name,
    Group: account.group,
    CurrencyDigits: '2',
    Balance: decimal(balance),
    Credit: decimal(credit),
    Margin: decimal(margin),
    MarginFree: decimal(equity - margin),
    Profit: decimal(profit),
    ProfitStorage: decimal(storage),
    ProfitEquity: decimal(equity),
    DailyProfit: sum((deal) => (deal.action < 2 ? deal.amount : 0)),
    DailyBalance: sum((deal) => (deal.action === 2 ? deal.amount : 0)),
    DailyCredit: sum((deal) => (deal.action === 3 ? deal.amount : 0)),
    DailyCharge: sum((deal) => (deal.action === 4 ? deal.amount : 0)),
    DailyCorrection: sum((deal) => (deal.action === 5 ? deal.amount : 0)),
    DailyBonus: sum((deal) => (deal.action === 6 ? deal.amount : 0)),
    DailyStorage: sum(({ storage: swap }) => swap),
    DailyCommInstant: sum(({ commission }) => commission),
    DailyInterest: '0.00',
  }
}

export function groupRecord(group: Group): Written {
  return {
    Group: group.name,
    Server: '1',
    Currency: group.currency,
    CurrencyDigits: '2',
    AuthPasswordMin: String(group.passwordMin),
    MarginCall: '100.00',
    MarginStopOut: '50.00',
    DemoLeverage: '30',
    DemoDeposit: '10000.00',
    ReportsMode: group.reports ? '1' : '0',
    Symbols: [],
    Commissions: [],
  }
}
