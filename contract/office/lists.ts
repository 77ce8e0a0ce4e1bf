/** Parameters of the back office's lists. Each names its sort columns; all use cursors. */
import * as z from 'zod/mini'
import { officePageSizeMax } from '#rules/constants.ts'
import { decimalOf, minorOf } from '#rules/money.ts'
import { choice, currency, isoDate, lineInQuery, wholeInQuery } from '../fields.ts'

/** A search text, and a page. */
export const listQuery = {
  q: lineInQuery(200),
  cursor: z.optional(z.string().check(z.maxLength(2048, 'cursor-invalid'), z.regex(/^[\w.~=-]+$/, 'cursor-invalid'))),
  size: z.optional(wholeInQuery(1, officePageSizeMax)),
}

/** Days in the firm's time zone, both included. */
export const listPeriod = { from: z.optional(isoDate), to: z.optional(isoDate) }

const amountInQuery = z.codec(z.string().check(z.regex(/^-?\d{1,13}(\.\d{1,2})?$/, 'amount-invalid')), z.bigint(), {
  decode: (value) => minorOf(value) ?? 0n,
  encode: decimalOf,
})

/** One currency, and a range of amounts, both included. */
export const amountFilters = {
  currency: z.optional(currency),
  amountFrom: z.optional(amountInQuery),
  amountTo: z.optional(amountInQuery),
}

/** Returns the sort columns of a list: only those that stay fast with millions of rows. */
export function sortedBy<const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) {
  return { sort: z.optional(choice(sorts)), direction: z.optional(choice(['asc', 'desc'])) }
}

/** Returns the query of a list: words, days and a page, its sort columns, and its own filters. */
export function listOf<const Sorts extends readonly [string, ...string[]], Filters extends z.core.$ZodLooseShape>(
  sorts: Sorts,
  filters: Filters,
) {
  return z.strictObject({ ...listQuery, ...listPeriod, ...sortedBy(...sorts), ...filters })
}

/** Returns the schema of the state filter: by default pending ones; one state, or all of them. */
export function stateOrAll<const States extends readonly string[]>(states: States) {
  return z.optional(choice([...states, 'all'] as const as readonly [...States, 'all']))
}
