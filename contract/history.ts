/** Deposits, withdrawals and transfers of a client (requirements 11). */
import * as z from 'zod/mini'
import { methodTypes } from '#rules/payment-methods.ts'
import { historyPageSizes } from '#rules/constants.ts'
import { depositMachine } from '#rules/deposits.ts'
import { transferMachine } from '#rules/transfers.ts'
import { endpoint } from './endpoint.ts'
import { choice, currency, signedBalance, id, isoDate, seconds } from './fields.ts'
import { withdrawalStatus } from './withdrawals.ts'

/** Fields of every request. `cancellable`: whether the client can cancel it now. */
const request = {
  id: z.string(),
  reference: z.string(),
  comment: z.string(),
  timestamp: seconds,
  timeApproved: z.nullable(seconds),
  timeRejected: z.nullable(seconds),
  cancellable: z.boolean(),
}

export const depositRow = z.object({
  ...request,
  accountNumber: z.string(),
  depositType: choice(methodTypes),
  depositMethod: z.string(),
  depositAmountSent: signedBalance,
  /** The received amount, if it differs from the announced one or is known by now. */
  depositAmountReceived: z.nullable(signedBalance),
  depositFee: signedBalance,
  /** Refunds and chargebacks, separately; neither is a negative deposit. */
  depositRefunded: signedBalance,
  depositChargedBack: signedBalance,
  depositCurrency: currency,
  status: choice(depositMachine.states),
})
export type DepositRow = z.output<typeof depositRow>

export const withdrawalRow = z.object({
  ...request,
  accountNumber: z.string(),
  withdrawalType: choice(methodTypes),
  withdrawalMethod: z.string(),
  withdrawalAmount: signedBalance,
  withdrawalFee: signedBalance,
  withdrawalCurrency: currency,
  bankName: z.string(),
  /** The last four characters of the IBAN or account number. */
  bankEnding: z.string(),
  status: withdrawalStatus,
  timePaid: z.nullable(seconds),
  timeReturned: z.nullable(seconds),
})
export type WithdrawalRow = z.output<typeof withdrawalRow>

export const transferRow = z.object({
  ...request,
  sourceAccount: z.string(),
  destinationAccount: z.string(),
  transferAmount: signedBalance,
  transferCurrency: currency,
  rate: z.string(),
  arrives: signedBalance,
  arrivesCurrency: currency,
  status: choice(transferMachine.states),
})
export type TransferRow = z.output<typeof transferRow>

export const historyLists = ['deposits', 'withdrawals', 'transfers'] as const
export type HistoryList = (typeof historyLists)[number]

/** The columns by which a list can be sorted: those that it shows. */
export const historySorts = [
  'timestamp',
  'status',
  'accountNumber',
  'depositType',
  'depositAmountSent',
  'withdrawalType',
  'withdrawalAmount',
  'sourceAccount',
  'destinationAccount',
  'transferAmount',
  'timeApproved',
  'timeRejected',
] as const

export const cursor = z.string().check(z.maxLength(512, 'cursor-invalid'), z.regex(/^[\w.~=-]+$/, 'cursor-invalid'))

/** Filters that apply to all lists alike. */
const filtersOfAll = {
  account: z.optional(z.string().check(z.maxLength(20, 'invalid'), z.regex(/^\d+$/, 'invalid'))),
  /** Dates in the firm's time zone, both included. */
  from: z.optional(isoDate),
  to: z.optional(isoDate),
}

const filters = {
  ...filtersOfAll,
  status: z.optional(choice([...new Set([...depositMachine.states, 'paid', 'returned'] as const)])),
}

const next = z.nullable(z.string())

/** The permitted page sizes, as in a query. */
export const historySizes = historyPageSizes.map((size) => `${size}` as const)

/** Longer lists are not counted, because it would take too long. */
export const historyCountMax = 200

export const getTransferHistory = endpoint('getTransferHistory', 'GET /api/accounts/getTransferHistory', {
  summary:
    'Returns the newest 20 deposits, withdrawals and transfers. With `list`, returns only that list, filtered, sorted and paginated by cursor.',
  access: ['approved'],
  query: z.strictObject({
    list: z.optional(choice(historyLists)),
    size: z.optional(z.enum(historySizes, 'invalid')),
    cursor: z.optional(cursor),
    sort: z.optional(choice(historySorts)),
    direction: z.optional(choice(['asc', 'desc'])),
    ...filters,
  }),
  response: z.object({
    deposits: z.optional(z.array(depositRow)),
    withdrawals: z.optional(z.array(withdrawalRow)),
    transfers: z.optional(z.array(transferRow)),
    /** The number of matching requests in the requested list; null above `historyCountMax`. */
    total: z.optional(z.nullable(z.int())),
    /** A cursor for each list, or for the requested one. */
    next: z.union([z.object({ deposits: next, withdrawals: next, transfers: next }), next]),
  }),
  problems: ['cursor-invalid', 'date-invalid', 'unknown-value', 'invalid'],
})

const count = z.nullable(z.int())

export const countTransferHistory = endpoint('countTransferHistory', 'GET /api/accounts/transferHistoryCounts', {
  summary: 'Returns the number of matching deposits, withdrawals and transfers.',
  access: ['approved'],
  query: z.strictObject(filtersOfAll),
  /** Null above `historyCountMax`. */
  response: z.object({ deposits: count, withdrawals: count, transfers: count }),
  problems: ['date-invalid', 'invalid'],
})

/** The events of a request, oldest first; of staff's texts only the reason. */
const timelineEntry = z.object({ verb: z.string(), state: z.string(), at: seconds, text: z.string() })

export const getTransferTimeline = endpoint('getTransferTimeline', 'GET /api/accounts/getTransferTimeline/:list/:id', {
  summary: 'Returns one deposit, withdrawal or transfer with its timeline.',
  access: ['approved'],
  params: z.object({ list: choice(historyLists), id }),
  response: z.object({
    /** The record itself, under the name of its kind: a link in an email or notice may lead to any of them. */
    deposit: z.optional(depositRow),
    withdrawal: z.optional(withdrawalRow),
    transfer: z.optional(transferRow),
    timeline: z.array(timelineEntry),
    /** When we continue with a withdrawal, if a change of the client's sign-in details delays it (requirements 9.10). */
    continuesAt: z.nullable(seconds),
    /** When the payment of a pending bank transfer was received, before staff have matched it (requirements 24.187). */
    arrivedAt: z.nullable(seconds),
    /** Recovery has stopped payments: requests cannot be cancelled now. */
    cancelStopped: z.boolean(),
  }),
})

export const historyCsv = endpoint('historyCsv', 'GET /api/accounts/transferHistory.csv', {
  summary: 'Returns one list as CSV, with its filters applied.',
  access: ['approved'],
  query: z.strictObject({ list: choice(historyLists), ...filters }),
  produces: 'text/csv',
  problems: ['date-invalid', 'unknown-value'],
})

export const historyPdf = endpoint('historyPdf', 'GET /api/accounts/statement.pdf', {
  summary: 'Returns a statement of deposits, withdrawals and transfers as PDF, with its filters applied.',
  access: ['approved'],
  query: z.strictObject(filters),
  produces: 'application/pdf',
  problems: ['date-invalid'],
})

/** Statuses with a receipt: money was credited, paid, transferred or returned. */
export const receiptStatuses: readonly string[] = ['approved', 'paid', 'returned']

export const receiptPdf = endpoint('receiptPdf', 'GET /api/accounts/receipt/:list/:id.pdf', {
  summary: 'Returns the receipt for an approved, paid or returned deposit, withdrawal or transfer, as a one-page PDF.',
  access: ['approved'],
  params: z.object({ list: choice(historyLists), id }),
  produces: 'application/pdf',
  problems: ['wrong-state'],
})
