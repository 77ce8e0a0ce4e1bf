/** Reads a balance operation in the gateway's format. */
import type { Currency } from '#rules/money.ts'
import { exactAmount } from '../figures.ts'
import { removeControlCharacters } from '../unreadable-records.ts'
import type { BalanceOperation } from '../trading-server.ts'
import * as answers from './answers.ts'

/** Account and currency, if the operations are those of one account. */
interface Asked {
  readonly login?: string
  readonly currency?: Currency
}

export interface ReadOperation extends Omit<BalanceOperation, 'at'> {
  readonly login: string
  /** Null if it cannot be read. */
  readonly at: Date | null
}

/**
 * Returns a balance operation. Unreadable fields are empty or null, so that it is still found by its reference or
 * ticket and does not stop other accounts (ADR 328).
 */
export function operationFrom(item: unknown, asked: Asked = {}): ReadOperation {
  const record = answers.recordOf(item)
  const { ticket, login, comment, at, currency } = answers.operation
  const number = answers.readField(ticket, record.ticket)
  const of = asked.currency ?? answers.readField(currency, record.currency)
  const words = answers.readField(comment, record.comment)
  const time = answers.readField(at, record.at)
  return {
    ticket: number ?? '',
    login: answers.readField(login, record.login) ?? asked.login ?? '',
    amount: number === null || of === null ? null : exactAmount(record.amount, of),
    comment: words === null ? null : removeControlCharacters(words),
    at: time === null ? null : new Date(time),
  }
}
