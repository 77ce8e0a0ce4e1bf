/** Work items of the inbox: their kinds, who may decide them, and when they are due (requirements 18.21). */
import type { Area } from './permissions.ts'
import { dueHours, dueWorkingDays, enquiryDueHours } from './constants.ts'
import { workingDaysAfter } from './dates.ts'

/**
 * The kinds of work item, which are the names of the state machines, each with the area of the back office for its menu
 * entry and its readers. A `document` item covers all documents that a client sent; its record is the client.
 */
export const workItemAreas = {
  document: 'documents',
  client: 'clients',
  account: 'accountRequests',
  leverage_request: 'leverageRequests',
  bank_details: 'bankDetails',
  professional: 'professional',
  profile_change: 'profileChanges',
  enquiry: 'enquiries',
  deposit: 'deposits',
  bank_line: 'deposits',
  withdrawal: 'withdrawals',
  payout_batch: 'payouts',
  payout_stop: 'payouts',
  transfer: 'transfers',
  correction: 'corrections',
  firm_money: 'clientMoney',
  difference: 'reconciliation',
  setting_change: 'settings',
  staff_change: 'staff',
  operation: 'failedJobs',
  erasure: 'clients',
  factor_reset: 'clients',
  recovery: 'recovery',
  recovery_item: 'recovery',
} as const satisfies Record<string, Area>
export type WorkItemKind = keyof typeof workItemAreas
export const workItemKinds = Object.keys(workItemAreas) as [WorkItemKind, ...WorkItemKind[]]

/** The queues' target times in hours, as stored in settings; `other` counts working days of 24 hours. */
interface QueueTimes {
  readonly documents: number
  readonly clients: number
  readonly money: number
  readonly enquiries: number
  readonly other: number
}
export const defaultQueueTimes: QueueTimes = { ...dueHours, enquiries: enquiryDueHours, other: dueWorkingDays * 24 }

const moneyKinds: readonly WorkItemKind[] = [
  'deposit',
  'bank_line',
  'withdrawal',
  'payout_batch',
  'payout_stop',
  'transfer',
  'correction',
  'firm_money',
  'difference',
  'operation',
  'recovery',
]

/** Returns the group of queues of a kind of item. */
export function queueGroupOf(kind: WorkItemKind): keyof QueueTimes {
  if (kind === 'document') return 'documents'
  if (kind === 'client') return 'clients'
  if (kind === 'enquiry') return 'enquiries'
  return moneyKinds.includes(kind) ? 'money' : 'other'
}

/** Returns the target time of a kind of item in hours; for `other` in hours of working days. */
export function targetHours(kind: WorkItemKind, times: QueueTimes): number {
  return times[queueGroupOf(kind)]
}

/**
 * Returns when an item is due: documents, clients and enquiries after 48 hours, payments after 24, others after one
 * working day of the firm's calendar. Complaints have a due date of their own (rules/enquiries.ts).
 */
export function dueAt(
  kind: WorkItemKind,
  now: Date,
  timeZone: string,
  times: QueueTimes & { readonly holidays: readonly string[] },
): Date {
  const hours = targetHours(kind, times)
  return queueGroupOf(kind) !== 'other'
    ? hoursAfter(now, hours)
    : workingDaysAfter(now, Math.ceil(hours / 24), timeZone, times.holidays)
}

function hoursAfter(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * 3_600_000)
}
