/** Schemas of the gateway's responses, which are validated before they are used. */
import * as z from 'zod/mini'
import { platformRights } from '#contract/office/platform-rights.ts'
import { currencies } from '#rules/money.ts'
import type { RefusalReason } from '../../errors.ts'
import { UnreadableValue } from '../unreadable-records.ts'

const number = z.string().check(z.regex(/^[1-9]\d{0,17}$/))
const decimal = z.string().check(z.regex(/^-?\d{1,15}\.\d{2}$/))
const lots = z.string().check(z.regex(/^\d{1,9}(\.\d{1,8})?$/))
const price = z.string().check(z.regex(/^\d{1,15}(\.\d{1,10})?$/))
const instant = z.iso.datetime({ offset: true })

/** A gateway of the contract's first edition does not send it. */
export const healthAnswer = z.object({ tradeHistory: z.optional(z.boolean()) })

export const loginAnswer = z.object({ login: number })
/** The fields of a group, each read separately. */
export const group = { name: z.string(), currency: z.string(), passwordMin: z.int().check(z.nonnegative()) }
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

/** Returns an account. Throws `UnreadableValue` with the first field that does not follow the contract. */
export function accountOf(record: Readonly<Record<string, unknown>>): z.output<typeof accountAnswer> {
  const read = accountAnswer.safeParse(record)
  if (read.success) return read.data
  const field = String(read.error.issues[0]?.path[0])
  const reason = amountFields.includes(field) ? 'amount' : 'value'
  throw new UnreadableValue(field, reason, record[field], `The gateway's ${field} does not follow the contract`)
}

const amountFields: readonly string[] = ['balance', 'credit', 'equity', 'margin', 'freeMargin', 'profit']

/** The fields for which lists of many accounts are read; an account with only other unreadable fields is included. */
export const accountGroup = z.pick(accountAnswer, { login: true, group: true })
export const accountResult = z.pick(accountAnswer, {
  login: true,
  balance: true,
  credit: true,
  equity: true,
  margin: true,
  openPositions: true,
})

export const rightsAnswer = z.object({ missing: z.array(z.enum(platformRights)) })

/** The fields of a balance operation, each read separately. In the list of all accounts each names its currency. */
export const operation = {
  ticket: number,
  login: number,
  comment: z.string(),
  at: instant,
  currency: z.enum(currencies),
}

const opened = { ticket: number, login: number, symbol: z.string(), lots, openedAt: instant, openPrice: price }
const levels = { stopLoss: z.nullable(price), takeProfit: z.nullable(price) }
const result = { swap: decimal, commission: decimal, profit: decimal, comment: z.string() }

/** The fields of a trade, each read separately. */
export const trade = {
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
}
export const tradesAnswer = z.object({ trades: z.array(z.object(trade)), next: z.nullable(number) })

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
  next: z.nullable(number),
})
export const openTradesOfAccount = z.omit(openTradesAnswer, { next: true })

/**
 * Lists of many accounts, whose records are read one by one: an unreadable one does not affect the others (ADR 328).
 */
const records = z.array(z.unknown())
export const accountRecords = z.object({ accounts: records })
export const groupRecords = z.object({ groups: records })
export const operationRecords = z.object({ operations: records, next: z.nullable(number) })
export const tradeRecords = z.object({ trades: records, next: z.nullable(number) })
export const openTradeRecords = z.object({ positions: records, orders: records, next: z.nullable(number) })

/** Returns the records that match the schema. */
export function readableRecords<Schema extends z.ZodMiniType>(
  schema: Schema,
  list: readonly unknown[],
): z.output<Schema>[] {
  return list.flatMap((record) => {
    const read = schema.safeParse(record)
    return read.success ? [read.data] : []
  })
}

/** Returns the value of one field, or null if it does not match the schema. */
export function readField<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const read = schema.safeParse(value)
  return read.success ? read.data : null
}

/** Returns an item of a list as a record; anything else becomes a record without fields. */
export function recordOf(item: unknown): Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}
}

export const errorAnswer = z.object({ code: z.string(), message: z.string(), native: z.optional(z.string()) })

/**
 * Codes that certainly mean "no, and nothing was applied". `busy` was not accepted; `timeout` may have been applied.
 */
export const refusals: ReadonlyMap<string, RefusalReason> = new Map<string, RefusalReason>([
  ['not_found', 'not-found'],
  ['no_money', 'not-enough-money'],
  ['bad_password', 'weak-password'],
  ['bad_group', 'bad-input'],
  ['bad_request', 'bad-input'],
  ['disabled', 'trading-disabled'],
  ['permission', 'no-permission'],
])
