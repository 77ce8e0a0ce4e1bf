/** Work items of the inbox: their kinds, who may decide them, and when they are due (requirements 18.21). */
import type { Area } from './permissions.ts'
import { dueHours, dueWorkingDays } from './constants.ts'
import { workingDaysAfter, hourMs } from './dates.ts'

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

/** Units of due times: hours pass at night and on all days, working days by the firm's calendar. */
export const dueUnits = ['hours', 'workingDays'] as const
export interface DueTime {
  readonly number: number
  readonly unit: (typeof dueUnits)[number]
}

/** The kinds with a due time. A failed operation keeps money or an email back, so it is due when its item opens. */
export type TimedKind = Exclude<WorkItemKind, 'operation'>
export const timedKinds = workItemKinds.filter((kind): kind is TimedKind => kind !== 'operation')
export type DueTimes = Readonly<Record<TimedKind, DueTime>>

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

/** Returns the group of queues of a kind of item, which has one head (section `decisionsByPerson` of the settings). */
export function queueGroupOf(kind: WorkItemKind): 'documents' | 'clients' | 'money' | 'enquiries' | 'other' {
  if (kind === 'document') return 'documents'
  if (kind === 'client') return 'clients'
  if (kind === 'enquiry') return 'enquiries'
  return moneyKinds.includes(kind) ? 'money' : 'other'
}

/** The due times of a new firm. */
export const defaultDueTimes = Object.fromEntries(
  timedKinds.map((kind): [TimedKind, DueTime] => {
    const group = queueGroupOf(kind)
    return [
      kind,
      group === 'other' ? { number: dueWorkingDays, unit: 'workingDays' } : { number: dueHours[group], unit: 'hours' },
    ]
  }),
) as DueTimes

/** Returns the due time of a kind of item; null if its items are due when they open. */
export function dueTimeOf(kind: WorkItemKind, times: DueTimes): DueTime | null {
  return kind === 'operation' ? null : times[kind]
}

/** Returns when an item that opens now is due. Complaints have a due date of their own (rules/enquiries.ts). */
export function dueAt(
  kind: WorkItemKind,
  now: Date,
  timeZone: string,
  { times, holidays }: { readonly times: DueTimes; readonly holidays: readonly string[] },
): Date {
  const target = dueTimeOf(kind, times)
  if (target === null) return now
  return target.unit === 'hours'
    ? new Date(now.getTime() + target.number * hourMs)
    : workingDaysAfter(now, target.number, timeZone, holidays)
}
