/** The server's records as it writes them: every number is a string. */
import { decimal } from '../platform/store.ts'
import type { Account, Deal, Figures, Position } from '../platform/store.ts'
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
    Profit: decimal(figures.profit),
    Storage: '0.00',
    Floating: decimal(figures.profit),
    Equity: decimal(figures.equity),
  }
}

/** `padding` fills a field of which we make no use: answers as long as those of busy servers. */
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
    Reason: '0',
    Digits: isTrade ? '5' : '0',
    DigitsCurrency: '2',
    ContractSize: isTrade ? '100000.00' : '0.00',
    Time: String(deal.time),
    TimeMsc: String(deal.time * 1000),
    Symbol: deal.symbol,
    Price: (deal.price ?? 0).toFixed(5),
    PriceSL: '0.00000',
    PriceTP: '0.00000',
    PricePosition: (deal.pricePosition ?? 0).toFixed(5),
    ...volumes('Volume', deal.lots ?? 0),
    ...volumes('VolumeClosed', deal.entry === 1 ? (deal.lots ?? 0) : 0),
    PositionID: deal.position,
    Profit: decimal(deal.amount),
    Storage: decimal(deal.storage ?? 0),
    Commission: decimal(deal.commission ?? 0),
    Comment: deal.comment,
  }
}

/** A volume in ten-thousandths of a lot, and with more places in hundred-millionths. */
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
    Digits: '5',
    DigitsCurrency: '2',
    ContractSize: '100000.00',
    PriceOpen: position.price.toFixed(5),
    PriceCurrent: position.price.toFixed(5),
    PriceSL: '0.00000',
    PriceTP: '0.00000',
    ...volumes('Volume', position.lots),
    Profit: decimal(position.profit),
    Storage: '0.00',
    TimeCreate: String(position.time),
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
    ReportsMode: '1',
    Symbols: [],
    Commissions: [],
  }
}
