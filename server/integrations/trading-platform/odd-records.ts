/** What the adapters share to read records of which a field cannot be read (ADR 328). */
import type { Money } from '#rules/money.ts'
import { Unavailable } from '../errors.ts'
import type { Unreadable } from './trade-history.ts'
import type { BalanceOperation } from './trading-server.ts'

export type OddField = Pick<Unreadable, 'field' | 'reason'>

/** The action of a deal whose own cannot be read; no platform has it. */
export const noAction = 9_999
/** The length to which a value is kept that may be anything. */
const lengthMax = 100

/** Returns a text of the platform without control characters and halves of characters: the database stores neither. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, '')
}

/** Returns whether an operation may be any: neither its amount nor its reference can be read. */
export function mayBeAny({ amount, comment }: Pick<BalanceOperation, 'amount' | 'comment'>): boolean {
  return amount === null && comment === ''
}

/**
 * Returns the operation with a reference, or null if there is none. Throws `Unavailable` if it, or one that may be it,
 * cannot be read: absent would mean that it was not carried out.
 */
export function operationOf(
  operations: readonly Pick<BalanceOperation, 'ticket' | 'amount' | 'comment'>[],
  ref: string,
): { ticket: string; amount: Money } | null {
  const found = operations.find(({ comment }) => comment === ref) ?? operations.find(mayBeAny)
  if (found === undefined) return null
  const { ticket, amount } = found
  if (amount === null) throw new Unavailable(`Operation ${ticket || '?'} cannot be read`)
  return { ticket, amount }
}

/** Returns a record as it was sent. Comments may say anything about anybody; callers leave them out (ADR 210). */
export function rawOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [name, withoutControls(text).slice(0, lengthMax).toWellFormed()]
    }),
  )
}
