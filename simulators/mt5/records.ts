/** The server's records as it writes them: every number is a string. */
import { decimal } from '../platform/store.ts'
import type { Account, Deal, Figures, Position } from '../platform/store.ts'
import type { Group } from './groups.ts'

export type Written = Record<string, string>

export function userRecord(account: Account): Written {
  return {
    Login: account.login,
    Group: account.group,
    CertSerialNumber: '0',
    Rights: String(account.rights),
    Registration: String(account.registeredAt),
    LastAccess: String(account.registeredAt),
    LastIP: '0.0.0.0',
    Name: account.name,
    Country: account.country,
    Email: account.email,
    ID: account.id,
    Comment: account.comment,
    Leverage: String(account.leverage),
    Balance: decimal(account.balance),
    Credit: decimal(account.credit),
  }
}

export function accountRecord(account: Account, figures: Figures): Written {
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

export function dealRecord(deal: Deal): Written {
  return {
    Deal: deal.ticket,
    ExternalID: '',
    Login: deal.login,
    Dealer: '0',
    Order: '0',
    Action: String(deal.action),
    Entry: deal.position === '0' ? '0' : '1',
    DigitsCurrency: '2',
    Time: String(deal.time),
    TimeMsc: String(deal.time * 1000),
    Symbol: deal.symbol,
    PositionID: deal.position,
    Profit: decimal(deal.amount),
    Comment: deal.comment,
  }
}

export function positionRecord(position: Position): Written {
  return {
    Position: position.position,
    ExternalID: '',
    Login: position.login,
    Symbol: position.symbol,
    Action: position.side === 'buy' ? '0' : '1',
    PriceOpen: String(position.price),
    Volume: String(Math.round(position.lots * 10_000)),
    Profit: decimal(position.profit),
    TimeCreate: String(position.time),
  }
}

export function groupRecord(group: Group): Written {
  return {
    Group: group.name,
    Server: '1',
    Currency: group.currency,
    CurrencyDigits: '2',
    AuthPasswordMin: '8',
    MarginCall: '100.00',
    MarginStopOut: '50.00',
    DemoLeverage: '30',
    DemoDeposit: '10000.00',
  }
}
