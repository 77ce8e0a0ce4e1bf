/** Schemas of the gateway's responses, which are validated before they are used. */
import * as z from 'zod/mini'
import { platformRights } from '#contract/office/platform-rights.ts'
import { currencies } from '#rules/money.ts'
import type { RefusalReason } from '../../errors.ts'

const number = z.string().check(z.regex(/^[1-9]\d{0,17}$/))
const decimal = z.string().check(z.regex(/^-?\d{1,15}\.\d{2}$/))
const lots = z.string().check(z.regex(/^\d{1,9}(\.\d{1,8})?$/))
const price = z.string().check(z.regex(/^\d{1,15}(\.\d{1,10})?$/))
const instant = z.iso.datetime({ offset: true })

/** A gateway of the contract's first edition does not send it. */
export const healthAnswer = z.object({ tradeHistory: z.optional(z.boolean()) })

export const loginAnswer = z.object({ login: number })
export const groupsAnswer = z.object({
  groups: z.array(z.object({ name: z.string(), currency: z.string(), passwordMin: z.int() })),
})
export const ticketAnswer = z.object({ ticket: number })
export const timeAnswer = z.object({ time: instant })

export const accountAnswer = z.object({
  login: number,
  group: z.string(),
  currency: z.enum(currencies),
  comment: z.string(),
  openPositions: z.int().check(z.nonnegative()),
  leverage: z.int().check(z.positive()),
  enabled: z.boolean(),
  balance: decimal,
  credit: decimal,
  equity: z.optional(decimal),
  margin: z.optional(decimal),
  freeMargin: z.optional(decimal),
  profit: z.optional(decimal),
})

export const accountsAnswer = z.object({ accounts: z.array(accountAnswer) })

export const rightsAnswer = z.object({ missing: z.array(z.enum(platformRights)) })

const operation = {
  ticket: number,
  login: number,
  amount: decimal,
  comment: z.string(),
  at: instant,
}

export const operationsAnswer = z.object({ operations: z.array(z.object(operation)), next: z.nullable(z.string()) })

/** In operations of all accounts each names its currency. */
export const allOperationsAnswer = z.object({
  operations: z.array(z.object({ ...operation, currency: z.enum(currencies) })),
  next: z.nullable(z.string()),
})

const opened = { ticket: number, login: number, symbol: z.string(), lots, openedAt: instant, openPrice: price }
const levels = { stopLoss: z.nullable(price), takeProfit: z.nullable(price) }
const result = { swap: decimal, commission: decimal, profit: decimal, comment: z.string() }

const trade = z.object({
  ...opened,
  ...levels,
  ...result,
  kind: z.enum(['buy', 'sell', 'balance', 'credit']),
  /** Both are null while it is open. */
  closedAt: z.nullable(instant),
  closePrice: z.nullable(price),
  taxes: decimal,
  deleted: z.boolean(),
  changedAt: instant,
})
export const tradesAnswer = z.object({ trades: z.array(trade), next: z.nullable(z.string()) })

const position = z.object({ ...opened, ...levels, ...result, side: z.enum(['buy', 'sell']), price })
const pendingOrder = z.object({
  ticket: number,
  login: number,
  symbol: z.string(),
  kind: z.enum(['buy-limit', 'sell-limit', 'buy-stop', 'sell-stop']),
  lots,
  placedAt: instant,
  price,
  ...levels,
  expiresAt: z.nullable(instant),
  comment: z.string(),
})
export const openTradesAnswer = z.object({
  positions: z.array(position),
  orders: z.array(pendingOrder),
  next: z.nullable(z.string()),
})

export const errorAnswer = z.object({ code: z.string(), message: z.string(), native: z.optional(z.string()) })

/**
 * Codes that certainly mean "no, and nothing was applied". `busy` was not accepted; `timeout` may have been applied.
 */
export const refusals: Readonly<Record<string, RefusalReason | undefined>> = {
  not_found: 'not-found',
  no_money: 'not-enough-money',
  bad_password: 'weak-password',
  bad_group: 'bad-input',
  bad_request: 'bad-input',
  disabled: 'trading-disabled',
  permission: 'no-permission',
}
