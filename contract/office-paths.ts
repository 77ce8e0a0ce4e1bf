/**
 * All paths of the back office, from which screens, emails to staff and the inbox build their links. All begin with
 * /office.
 */

import { decimalOf } from '#rules/money.ts'
import type { WorkItemKind } from '#rules/work-items.ts'

const segment = encodeURIComponent

/** Paths inside the back office, as its screens use them; emails prepend `officeBase`. */
export const officePaths = {
  signIn: '/sign-in',
  /** Redirects to this person's start page: the overview or the inbox. */
  landing: '/',
  /** The page of an invitation or a reset of staff: password and second factor. */
  welcome: (id: string) => `/welcome/${segment(id)}`,
  overview: '/overview',
  inbox: '/inbox',
  documents: '/documents',
  document: (clientId: string) => `/documents/${segment(clientId)}`,
  clients: '/clients',
  clientsToApprove: '/clients?list=to-approve',
  client: (id: string) => `/clients/${segment(id)}`,
  /** The answer of compliance to a client's access request. */
  accessRequest: (clientId: string) => `/clients/${segment(clientId)}/access-request`,
  /** One trading account: its figures, curve, positions and closed trades. */
  account: (platform: string, number: string) => `/accounts/${segment(platform)}/${segment(number)}`,
  accountRequests: '/account-requests',
  accountRequest: (id: string) => `/account-requests/${segment(id)}`,
  leverage: '/leverage',
  leverageRequest: (id: string) => `/leverage/${segment(id)}`,
  bankDetails: '/bank-details',
  bankRecord: (id: string) => `/bank-details/${segment(id)}`,
  professional: '/professional',
  professionalApplication: (id: string) => `/professional/${segment(id)}`,
  profileChanges: '/profile-changes',
  profileChange: (id: string) => `/profile-changes/${segment(id)}`,
  enquiries: '/enquiries',
  /** The register of complaints. */
  complaints: '/enquiries?type=complaint&state=all',
  enquiry: (id: string) => `/enquiries/${segment(id)}`,
  deposits: '/deposits',
  deposit: (id: string) => `/deposits/${segment(id)}`,
  withdrawals: '/withdrawals',
  withdrawal: (id: string) => `/withdrawals/${segment(id)}`,
  payoutBatches: '/payout-batches',
  /** One list of payments in every state, of one account. */
  paymentsOfAccount: (list: 'deposits' | 'withdrawals' | 'transfers', account: string) =>
    `/${list}?state=all&q=${segment(account)}`,
  /** The creation of a batch of the approved withdrawals in a currency. */
  newPayoutBatch: (currency: string) => `/payout-batches?create=${segment(currency)}`,
  payoutBatch: (id: string) => `/payout-batches/${segment(id)}`,
  transfers: '/transfers',
  transfer: (id: string) => `/transfers/${segment(id)}`,
  corrections: '/corrections',
  correction: (id: string) => `/corrections/${segment(id)}`,
  /**
   * The form for a correction, with the account's number, the amount in minor units and the returned deposit filled in.
   */
  askCorrection: (account: string, minor: bigint, deposit?: string) =>
    `/corrections?account=${segment(account)}&amount=${decimalOf(minor)}${deposit === undefined ? '' : `&deposit=${segment(deposit)}`}`,
  clientMoney: '/client-money',
  firmMoney: (id: string) => `/client-money/${segment(id)}`,
  reconciliation: '/reconciliation',
  recovery: '/recovery',
  recoveryItem: (id: string) => `/recovery/${segment(id)}`,
  imports: '/imports',
  audit: '/audit',
  reports: '/reports',
  settings: '/settings',
  settingSection: (section: string) => `/settings/${segment(section)}`,
  staff: '/staff',
  failedJobs: '/failed-jobs',
  mySecurity: '/my-security',
} as const

export const officeBase = '/office'

/**
 * Returns the page of a pending item, for inbox, menu and emails to staff. For `document`, `erasure` and `factor_reset`
 * the record is the client.
 */
export function pathOfWorkItem(kind: WorkItemKind, record: string): string {
  const paths: Record<WorkItemKind, string> = {
    document: officePaths.document(record),
    client: officePaths.client(record),
    account: officePaths.accountRequest(record),
    leverage_request: officePaths.leverageRequest(record),
    bank_details: officePaths.bankRecord(record),
    professional: officePaths.professionalApplication(record),
    profile_change: officePaths.profileChange(record),
    enquiry: officePaths.enquiry(record),
    deposit: officePaths.deposit(record),
    bank_line: `${officePaths.imports}?line=${segment(record)}`,
    withdrawal: officePaths.withdrawal(record),
    payout_batch: officePaths.payoutBatch(record),
    payout_stop: officePaths.payoutBatches,
    transfer: officePaths.transfer(record),
    correction: officePaths.correction(record),
    firm_money: officePaths.firmMoney(record),
    difference: `${officePaths.reconciliation}?record=${segment(record)}`,
    setting_change: `${officePaths.settings}?change=${segment(record)}`,
    staff_change: `${officePaths.staff}?change=${segment(record)}`,
    operation: `${officePaths.failedJobs}?record=${segment(record)}`,
    erasure: officePaths.client(record),
    factor_reset: officePaths.client(record),
    recovery: officePaths.recovery,
    recovery_item: officePaths.recoveryItem(record),
  }
  return paths[kind]
}
