/** What the lists of the back office take. Each names the columns that it sorts by; all of them are paged by cursor. */
import * as z from 'zod/mini'
import { officePageSizeMax } from '#rules/constants.ts'
import { decimalOf, minorOf } from '#rules/money.ts'
import { choice, currency, isoDate, lineInQuery, wholeInQuery } from '../fields.ts'

/** Words to look for, and a page. */
export const listQuery = {
  q: lineInQuery(200),
  cursor: z.optional(z.string().check(z.maxLength(2048, 'cursor-invalid'), z.regex(/^[\w.~=-]+$/, 'cursor-invalid'))),
  size: z.optional(wholeInQuery(1, officePageSizeMax)),
}

/** Days of the firm's zone, both included. */
export const listPeriod = { from: z.optional(isoDate), to: z.optional(isoDate) }

const amountInQuery = z.codec(z.string().check(z.regex(/^-?\d{1,13}(\.\d{1,2})?$/, 'amount-invalid')), z.bigint(), {
  decode: (value) => minorOf(value) ?? 0n,
  encode: decimalOf,
})

/** One currency, and amounts from one to another, both included. */
export const amountFilters = {
  currency: z.optional(currency),
  amountFrom: z.optional(amountInQuery),
  amountTo: z.optional(amountInQuery),
}

/** Returns the columns that a list sorts by: those alone that stay fast among millions of rows. */
export function sortedBy<const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) {
  return { sort: z.optional(choice(sorts)), direction: z.optional(choice(['asc', 'desc'])) }
}

/** Returns what waits where nothing is named; one state, or all of them. */
export function stateOrAll<const States extends readonly string[]>(states: States) {
  return z.optional(choice([...states, 'all'] as const as readonly [...States, 'all']))
}
