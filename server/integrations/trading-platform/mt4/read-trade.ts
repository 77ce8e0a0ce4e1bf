/** Reads a trade in the gateway's format. An unreadable field affects only its own account (ADR 328). */
import type * as z from 'zod/mini'
import { rawOf, removeControlCharacters, type UnreadableField } from '../unreadable-records.ts'
import type { Unreadable } from '../trade-history.ts'
import * as answers from './answers.ts'

export type WireTrade = z.infer<typeof answers.tradesAnswer>['trades'][number]

export interface ReadTrade extends Omit<WireTrade, 'kind'> {
  /** Null if it cannot be read. */
  readonly kind: WireTrade['kind'] | null
  /** The fields that cannot be read, in the order of their weight; they are zero or empty. */
  readonly unreadableFields: readonly UnreadableField[]
  /** As it was sent, without its comment. */
  readonly raw: Readonly<Record<string, string>>
}

type Readings = { readonly [Field in keyof WireTrade]: readonly [Unreadable['reason'], ReadTrade[Field]] }

/** The expected type of each field, and the value that replaces an unreadable one. */
const readings: Readings = {
  login: ['number', ''],
  ticket: ['number', ''],
  openedAt: ['time', new Date(0).toISOString()],
  closedAt: ['time', null],
  kind: ['action', null],
  symbol: ['missing', ''],
  lots: ['number', '0'],
  openPrice: ['number', '0'],
  closePrice: ['number', null],
  profit: ['amount', '0.00'],
  swap: ['amount', '0.00'],
  commission: ['amount', '0.00'],
  taxes: ['amount', '0.00'],
  stopLoss: ['number', null],
  takeProfit: ['number', null],
  deleted: ['missing', false],
  comment: ['missing', ''],
  // No deal depends on it.
  changedAt: ['time', ''],
}

/** Returns a trade. `owner`: the account whose trades were requested, if it was only one. */
export function tradeFrom(item: unknown, owner: string | null): ReadTrade {
  const record = answers.recordOf(item)
  const unreadableFields: UnreadableField[] = []
  const read = Object.entries(readings).map(([field, [reason, instead]]) => {
    const found = answers.trade[field as keyof WireTrade].safeParse(record[field])
    if (found.success) return [field, found.data]
    unreadableFields.push({ field, reason: record[field] === undefined ? 'missing' : reason })
    return [field, instead]
  })
  const trade = Object.fromEntries(read) as Omit<ReadTrade, 'unreadableFields' | 'raw'>
  const isOrder = trade.kind === 'buy' || trade.kind === 'sell'
  if (isOrder && trade.closedAt !== null && record.closePrice === null)
    unreadableFields.push({ field: 'closePrice', reason: 'missing' })
  const { comment: _left, ...sent } = record
  return {
    ...trade,
    login: trade.login === '' ? (owner ?? '') : trade.login,
    symbol: removeControlCharacters(trade.symbol),
    comment: removeControlCharacters(trade.comment),
    unreadableFields,
    raw: rawOf(sent),
  }
}

/** The fields without which a deal cannot be stored. */
const keyFields: readonly string[] = ['login', 'ticket', 'openedAt', 'closedAt']

/** Returns the field without which a trade cannot be stored, or null. */
export function unreadableKeyField({ unreadableFields }: ReadTrade): UnreadableField | null {
  return unreadableFields.find(({ field }) => keyFields.includes(field)) ?? null
}
