/**
 * What each staff role may read, and do beyond the transition tables (requirements 1.5 to 1.9). An administrator has
 * access wherever another deciding role has; the auditor reads everything and changes nothing.
 */
import type { StaffId } from './ids.ts'
import { actorsOf, decidingRoles, staffRoles, type ActorIdentity, type StaffRole } from './actors.ts'
import type { StateMachine } from './state-machine.ts'

const ledgerReaders = ['finance', 'administrator', 'auditor'] as const

/**
 * The roles that may read each area. `by` in each state machine has the roles that decide (`bankDetailsMachine`,
 * `withdrawalMachine` …).
 */
export const readPermissions = {
  inbox: staffRoles,
  overview: staffRoles,
  clients: staffRoles,
  documents: ['compliance', 'administrator', 'auditor'],
  pictures: ['compliance', 'operations', 'administrator', 'auditor'],
  tradingAccounts: staffRoles,
  accountRequests: staffRoles,
  leverageRequests: staffRoles,
  bankDetails: staffRoles,
  deposits: staffRoles,
  withdrawals: staffRoles,
  payouts: ['operations', 'finance', 'administrator', 'auditor'],
  transfers: staffRoles,
  professional: ['compliance', 'administrator', 'auditor'],
  profileChanges: ['compliance', 'administrator', 'auditor'],
  enquiries: ['compliance', 'operations', 'administrator', 'auditor'],
  corrections: ledgerReaders,
  clientMoney: ledgerReaders,
  recovery: staffRoles,
  reconciliation: ['operations', 'finance', 'administrator', 'auditor'],
  settings: ['compliance', 'administrator', 'auditor'],
  staff: ['administrator', 'auditor'],
  audit: ['compliance', 'administrator', 'auditor'],
  reports: ['compliance', 'finance', 'administrator', 'auditor'],
  failedJobs: ['operations', 'finance', 'administrator', 'auditor'],
} as const satisfies Record<string, readonly StaffRole[]>
export type Area = keyof typeof readPermissions

/** Actions of staff beyond the state machines. */
export const permissions = {
  assign: decidingRoles,
  writeNote: decidingRoles,
  setFlag: ['compliance', 'administrator'],
  holdPayments: ['compliance', 'administrator'],
  liftHold: ['compliance', 'administrator'],
  seeLinkedClients: ['compliance', 'administrator'],
  askSourceOfWealth: ['compliance', 'administrator'],
  checkSecurityAnswer: decidingRoles,
  sendResetLink: ['compliance', 'operations', 'administrator'],
  signOutClient: ['compliance', 'operations', 'administrator'],
  inviteClient: ['compliance', 'operations', 'administrator'],
  askErasure: ['compliance', 'administrator'],
  answerAccessRequest: ['compliance', 'administrator'],
  askFactorReset: ['compliance', 'administrator'],
  askEmailChange: ['compliance', 'administrator'],
  correctField: ['compliance', 'administrator'],
  importStatement: ['operations', 'finance', 'administrator'],
  importBankDirectory: ['operations', 'finance', 'administrator'],
  typeLine: ['operations', 'administrator'],
  payLastBalance: ['finance', 'administrator'],
  createPayoutBatch: ['operations', 'finance', 'administrator'],
  savePayoutFile: ['finance', 'administrator'],
  askCorrection: ['finance', 'administrator'],
  proposeFirmMoney: ['finance', 'administrator'],
  reconcileNow: ['finance', 'administrator'],
  confirmAccess: ['compliance', 'administrator'],
  confirmBank: ['finance', 'administrator'],
  saveSettings: ['administrator', 'compliance'],
  inviteStaff: ['administrator'],
  changeRoles: ['administrator'],
  resetFactor: ['administrator'],
  setAbsence: ['administrator'],
  removeLeftView: ['administrator'],
  retryJob: ['operations', 'finance', 'administrator'],
  verifyAudit: ['compliance', 'administrator', 'auditor'],
  exportAudit: ['compliance', 'administrator', 'auditor'],
  exportEvidence: ['compliance', 'administrator', 'auditor'],
} as const satisfies Record<string, readonly StaffRole[]>
export type Permission = keyof typeof permissions

/** Returns whether these roles may read an area. */
export function canRead(area: Area, roles: readonly StaffRole[]): boolean {
  return readPermissions[area].some((role) => roles.includes(role))
}

/** Returns whether these roles may perform an action. */
export function can(permission: Permission, roles: readonly StaffRole[]): boolean {
  return permissions[permission].some((role) => roles.includes(role))
}

/**
 * Returns the roles that may perform an action of a state machine, including the administrator: the access of its
 * endpoint.
 */
export function rolesFor(machine: Pick<StateMachine, 'name' | 'transitions'>, action: string): StaffRole[] {
  const step = machine.transitions[action]
  if (!step) throw new Error(`${machine.name} has no action ${action}`)
  const identity = (role: StaffRole): ActorIdentity => ({ kind: 'staff', id: '' as StaffId, roles: [role] })
  return staffRoles.filter((role) => actorsOf(identity(role)).some((actor) => step.by.includes(actor)))
}

/**
 * Returns whether these roles may save a section: compliance saves the country risk, the administrator every section
 * (requirements 1.5, 1.8).
 */
export function canSave(section: string, roles: readonly StaffRole[]): boolean {
  return roles.includes('administrator') || (section === 'countries' && roles.includes('compliance'))
}

/**
 * Returns whether these roles see images of identity papers and proofs of address: an auditor gives a written reason,
 * other roles see none.
 */
export function canSeeDocuments(roles: readonly StaffRole[]): boolean {
  return roles.includes('compliance') || roles.includes('administrator')
}

/** Returns whether these roles see bank and document numbers, which are masked for people who are only auditors. */
export function canSeeNumbers(roles: readonly StaffRole[]): boolean {
  return roles.some((role) => role !== 'auditor')
}
