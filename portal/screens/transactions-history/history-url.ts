/** The state of the history in its URL: list, filters, sort, page and the record in the open drawer. */
import * as z from 'zod/mini'
import { type HistoryList, historyLists, historySizes, historySorts } from '#contract/history.ts'
import { depositMachine } from '#rules/deposits.ts'
import { transferMachine } from '#rules/transfers.ts'
import { dateInUrl } from '#ui/navigation/url-state.ts'

export const historyUrl = z.object({
  list: z._default(z.enum(historyLists), 'deposits'),
  size: z._default(z.enum(historySizes), '10'),
  sort: z._default(z.enum(historySorts), 'timestamp'),
  direction: z._default(z.enum(['asc', 'desc']), 'desc'),
  account: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
  status: z.optional(z.string().check(z.regex(/^[a-z]{1,20}$/))),
  /** Days in the firm's time zone, both included. */
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
  cursor: z.optional(z.string()),
  /** The number of the cursor's page, from 1. */
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  record: z.optional(z.string()),
})
export type HistoryUrl = z.output<typeof historyUrl>
export type ChangeUrl = (
  change: Partial<Record<keyof HistoryUrl, string | number | undefined>>,
  options?: { replace?: boolean },
) => void

/** Another filter, sort or page size starts at the first page. */
export const firstPage = { cursor: undefined, page: undefined, record: undefined } as const

/** The kind of a list's requests. */
export const kindOf = { deposits: 'deposit', withdrawals: 'withdrawal', transfers: 'transfer' } as const

/** The statuses that a list's requests can have, as the client sees them (requirements 11.5). */
export const listStatuses = {
  deposits: depositMachine.states,
  withdrawals: ['pending', 'processing', 'approved', 'paid', 'returned', 'rejected', 'cancelled'],
  transfers: transferMachine.states,
} as const satisfies Record<HistoryList, readonly string[]>

/** The fields that a list can be sorted by. */
const listSorts: Record<HistoryList, readonly string[]> = {
  deposits: ['timestamp', 'accountNumber', 'depositType', 'depositAmountSent', 'status'],
  withdrawals: ['timestamp', 'accountNumber', 'withdrawalType', 'withdrawalAmount', 'status'],
  transfers: ['timestamp', 'sourceAccount', 'destinationAccount', 'transferAmount', 'status'],
}

/** Returns the query of the page in the URL, without parameters of another list. */
export function pageQuery(address: HistoryUrl) {
  const sorted = listSorts[address.list].includes(address.sort)
  return {
    list: address.list,
    size: address.size,
    sort: sorted ? address.sort : ('timestamp' as const),
    direction: sorted ? address.direction : ('desc' as const),
    cursor: address.cursor,
    ...filtersOf(address),
  }
}

export type HistoryFilters = ReturnType<typeof filtersOf>

export function filtersOf({ list, account, status, from, to }: HistoryUrl) {
  const known = listStatuses[list].find((one) => one === status)
  return { account, status: known as (typeof listStatuses)['withdrawals'][number] | undefined, from, to }
}

export function isFiltered(filters: HistoryFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
