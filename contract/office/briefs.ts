/**
 * Common parts of lists and records of the back office: path, client, compared fact, parameters of a list. Each list
 * names its sort columns; all use cursors.
 */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientFlags, clientStatuses, languages } from '#rules/choices.ts'
import { officePageSizeMax } from '#rules/constants.ts'
import { decimalOf, minorOf } from '#rules/money.ts'
import { choice, id, idOf, isoDate, seconds, clientId, currency, lineInQuery, wholeNumberInQuery } from '../fields.ts'

export const root = '/api/backoffice'

export const staffBrief = z.object({ id: z.string(), name: z.string() })

/** An absence that has not ended, in calendar days of the firm's zone, both included; `isNow` once it has begun. */
export const absence = z.object({ from: isoDate, until: isoDate, isNow: z.boolean() })
export type Absence = z.output<typeof absence>

/** A colleague to choose, with their absence. */
export const colleague = z.object({ ...staffBrief.shape, absence: z._default(z.nullable(absence), null) })
export type Colleague = z.output<typeof colleague>

/** The client of a record. */
export const clientBrief = z.object({
  id: z.string(),
  number: z.string(),
  name: z.string(),
  email: z.string(),
  status: choice(clientMachine.states),
  clientStatus: choice(clientStatuses),
  country: z.string(),
  riskLevel: z.int(),
  since: z.nullable(seconds),
  language: choice(languages),
  flags: z.array(choice(clientFlags)),
})
export type ClientBrief = z.output<typeof clientBrief>

/** Clients who share data with the one on the page; `clients` is null for readers who see only the number (ADR 243). */
export const otherClients = z.object({ count: z.int(), clients: z.nullable(z.array(clientBrief)) })
export type OtherClients = z.output<typeof otherClients>

/** One check beside a decision, named by its code; both values are shown side by side if they differ. */
export const check = z.object({
  code: z.string(),
  verdict: choice(['ok', 'warn', 'differs', 'unknown']),
  ours: z.nullable(z.string()),
  theirs: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type Check = z.output<typeof check>

/** A record in the path. */
export const recordParams = z.object({ id })
export const clientParams = z.object({ id: clientId })
/** A record of this kind in the path: its id is typed as that kind's. */
export const paramsOf = <Kind extends string>() => z.object({ id: idOf<Kind>() })

export const nextCursor = z.nullable(z.string())

/** Returns the response of a list: one page of rows, and the cursor of the next one. */
export function page<Row extends z.ZodMiniType, More extends z.core.$ZodLooseShape = { next: typeof nextCursor }>(
  row: Row,
  more?: More,
) {
  return z.object({ rows: z.array(row), ...(more as More), next: nextCursor })
}

/** A search text, and a page. */
export const listQuery = {
  q: lineInQuery(200),
  cursor: z.optional(z.string().check(z.maxLength(2048, 'cursor-invalid'), z.regex(/^[\w.~=-]+$/, 'cursor-invalid'))),
  size: z.optional(wholeNumberInQuery(1, officePageSizeMax)),
}

/** Days in the firm's time zone, both included. */
export const listPeriod = { from: z.optional(isoDate), to: z.optional(isoDate) }

const amountText = z.string().check(z.regex(/^-?\d{1,13}(\.\d{1,2})?$/, 'filter-amount-invalid'))
const amountInQuery = (text: typeof amountText) =>
  z.codec(text, z.bigint(), { decode: (value) => minorOf(value) ?? 0n, encode: decimalOf })
const signedInQuery = amountInQuery(amountText)
const unsignedInQuery = amountInQuery(amountText.check(z.regex(/^[^-]/, 'filter-amount-negative')))

/** One currency, and a range of amounts, both included. */
export const amountFilters = {
  currency: z.optional(currency),
  amountFrom: z.optional(unsignedInQuery),
  amountTo: z.optional(unsignedInQuery),
}

/** The same for amounts that can be negative. */
export const signedAmountFilters = {
  currency: z.optional(currency),
  amountFrom: z.optional(signedInQuery),
  amountTo: z.optional(signedInQuery),
}

/** Returns the sort columns of a list: only those that stay fast with millions of rows. */
export function sortedBy<const Sorts extends readonly [string, ...string[]]>(...sorts: Sorts) {
  return { sort: z.optional(choice(sorts)), direction: z.optional(choice(['asc', 'desc'])) }
}

/**
 * Returns the query of a list: words, days and a page, its sort columns, and its own filters. Amounts are compared in
 * one currency.
 */
export function listOf<const Sorts extends readonly [string, ...string[]], Filters extends z.core.$ZodLooseShape>(
  sorts: Sorts,
  filters: Filters,
) {
  return z
    .strictObject({ ...listQuery, ...listPeriod, ...sortedBy(...sorts), ...filters })
    .check(z.refine(isInOneCurrency, { path: ['currency'], error: 'filter-currency-missing' }))
}

/** Returns whether a range of amounts, if any, is one of a single currency. */
function isInOneCurrency({ currency, amountFrom, amountTo }: Readonly<Record<string, unknown>>): boolean {
  return currency !== undefined || (amountFrom === undefined && amountTo === undefined)
}

/** Returns the schema of the state filter: by default pending ones; one state, or all of them. */
export function stateOrAll<const States extends readonly string[]>(states: States) {
  return z.optional(choice([...states, 'all'] as const as readonly [...States, 'all']))
}
