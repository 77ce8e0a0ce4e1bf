/** The state of an account's page in its URL: period, chart or table, and the filters of its closed trades. */
import * as z from 'zod/mini'
import type { Account } from '#contract/accounts.ts'
import { historySizes } from '#contract/history.ts'
import { curvePeriods } from '#contract/trading-history.ts'
import { dateInUrl } from '#ui/navigation/url-state.ts'

/** The context of every part of the page. */
export interface AccountAddress {
  platform: Account['platform']
  number: string
}

export const accountUrl = z.object({
  period: z._default(z.enum(curvePeriods), '3m'),
  table: z.optional(z.literal('1')),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
  symbol: z.optional(z.string().check(z.regex(/^[\w.#&!+-]{1,32}$/))),
  side: z.optional(z.enum(['buy', 'sell'])),
  result: z.optional(z.enum(['profit', 'loss'])),
  size: z._default(z.enum(historySizes), '10'),
  direction: z._default(z.enum(['asc', 'desc']), 'desc'),
  after: z.optional(z.string()),
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  trade: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
})
export type AccountUrl = z.output<typeof accountUrl>

/** Another filter, order or page size starts at the first page. */
export const firstPage = { after: undefined, page: undefined, trade: undefined } as const

export function filtersOf({ from, to, symbol, side, result }: AccountUrl) {
  return { from, to, symbol, side, result }
}
