/**
 * What each staff role may read, and do beyond the steps tables: product-decisions section 2. An administrator is let in
 * wherever another deciding role is; the auditor reads everything and changes nothing.
 */
import { actorsOf, type Acting, type StaffRole } from './actors.ts'
import type { Lifecycle } from './state-machine.ts'

const everyone = ['compliance', 'operations', 'finance', 'administrator', 'auditor'] as const
const money = ['compliance', 'operations', 'finance', 'administrator', 'auditor'] as const
const books = ['finance', 'administrator', 'auditor'] as const

/** Who reads what. */
export const readers = {
  inbox: everyone,
  clients: everyone,
  documents: ['compliance', 'administrator', 'auditor'],
  pictures: ['compliance', 'operations', 'administrator', 'auditor'],
  accountRequests: money,
  leverageRequests: money,
  bankDetails: money,
  deposits: money,
  withdrawals: money,
  payouts: ['operations', 'finance', 'administrator', 'auditor'],
  transfers: money,
  professional: ['compliance', 'administrator', 'auditor'],
  profileChanges: ['compliance', 'administrator', 'auditor'],
  corrections: books,
  clientMoney: books,
  recovery: everyone,
  reconciliation: ['operations', 'finance', 'administrator', 'auditor'],
  settings: ['compliance', 'administrator', 'auditor'],
  staff: ['administrator', 'auditor'],
  audit: ['compliance', 'administrator', 'auditor'],
  reports: ['compliance', 'finance', 'administrator', 'auditor'],
  failedJobs: ['operations', 'finance', 'administrator', 'auditor'],
} as const satisfies Record<string, readonly StaffRole[]>
export type Area = keyof typeof readers

/** What staff do outside a lifecycle. */
export const doers = {
  assign: ['compliance', 'operations', 'finance', 'administrator'],
  writeNote: ['compliance', 'operations', 'finance', 'administrator'],
  setFlag: ['compliance', 'administrator'],
  holdPayments: ['compliance', 'administrator'],
  liftHold: ['compliance', 'administrator'],
  askSourceOfWealth: ['compliance', 'administrator'],
  checkSecurityAnswer: ['compliance', 'operations', 'finance', 'administrator'],
  sendResetLink: ['compliance', 'operations', 'administrator'],
  signOutClient: ['compliance', 'operations', 'administrator'],
  inviteClient: ['compliance', 'operations', 'administrator'],
  askErasure: ['compliance', 'administrator'],
  askFactorReset: ['compliance', 'administrator'],
  askEmailChange: ['compliance', 'administrator'],
  correctField: ['compliance', 'administrator'],
  importStatement: ['operations', 'finance', 'administrator'],
  typeLine: ['operations', 'administrator'],
  payLastBalance: ['finance', 'administrator'],
  createPayoutBatch: ['operations', 'finance', 'administrator'],
  savePayoutFile: ['finance', 'administrator'],
  askCorrection: ['finance', 'administrator'],
  proposeFirmMoney: ['finance', 'administrator'],
  reconcileNow: ['finance', 'administrator'],
  confirmAccess: ['compliance', 'administrator'],
  confirmBank: ['finance'],
  saveSettings: ['administrator', 'compliance'],
  inviteStaff: ['administrator'],
  changeRoles: ['administrator'],
  resetFactor: ['administrator'],
  retryJob: ['operations', 'finance', 'administrator'],
  verifyAudit: ['compliance', 'administrator', 'auditor'],
  exportAudit: ['compliance', 'administrator', 'auditor'],
  exportEvidence: ['compliance', 'administrator', 'auditor'],
} as const satisfies Record<string, readonly StaffRole[]>
export type Doing = keyof typeof doers

/** Whether somebody may read an area. */
export function mayRead(area: Area, roles: readonly StaffRole[]): boolean {
  return readers[area].some((role) => roles.includes(role))
}

/** Whether somebody may do a deed. */
export function mayDo(deed: Doing, roles: readonly StaffRole[]): boolean {
  return doers[deed].some((role) => roles.includes(role))
}

/** The roles that a verb of a life lets in, the administrator with them: the `who` of its endpoint. */
export function decidersOf(life: Pick<Lifecycle, 'name' | 'steps'>, verb: string): StaffRole[] {
  const step = life.steps[verb]
  if (!step) throw new Error(`${life.name} has no verb ${verb}`)
  const acting = (role: StaffRole): Acting => ({ kind: 'staff', id: '', roles: [role] })
  return everyone.filter((role) => actorsOf(acting(role)).some((actor) => step.by.includes(actor)))
}

/** Compliance keeps the countries' risk, the administrator everything (product-decisions section 2). */
export function maySave(section: string, roles: readonly StaffRole[]): boolean {
  return roles.includes('administrator') || (section === 'countries' && roles.includes('compliance'))
}

/** Bank and document numbers are masked for those who only audit; pictures need a written reason from them. */
export function seesNumbers(roles: readonly StaffRole[]): boolean {
  return roles.some((role) => role !== 'auditor')
}
