/** Documents of identity and address (requirements 6). */
import type { RiskLevel } from './country-data.ts'
import { compareDays, isPast, monthsBefore, isValidDate, type PlainDate } from './dates.ts'
import { defineStateMachine } from './state-machine.ts'
import { proofOfAddressMonthsMax } from './constants.ts'

export const documentMachine = defineStateMachine({
  name: 'document',
  table: 'documents',
  states: ['uploaded', 'pending_approval', 'approved', 'rejected', 'expired'],
  first: 'uploaded',
  undecided: ['pending_approval'],
  transitions: {
    replace: { from: ['uploaded', 'rejected', 'expired'], to: 'uploaded', by: ['client'] },
    send: { from: ['uploaded'], to: 'pending_approval', by: ['client'] },
    approve: { from: ['pending_approval'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending_approval'], to: 'rejected', by: ['compliance'] },
    /** One file of an approved document is requested again. */
    askAgain: { from: ['approved'], to: 'rejected', by: ['compliance'] },
    expire: { from: ['approved'], to: 'expired', by: ['clock'] },
  },
})
export type DocumentState = (typeof documentMachine.states)[number]

/** Returns the status that a client sees: the state itself. */
export function documentStatusForClient(state: DocumentState): DocumentState {
  return state
}

/** Returns whether the client cannot change a document: during the review, and after the approval. */
export function isLocked(state: DocumentState): boolean {
  return !documentMachine.transitions.replace.from.some((open) => open === state)
}

/** Returns the group that a kind proves. */
export function groupOf(kind: DocumentKind): DocumentGroup {
  if (kind === 'source_of_wealth') return 'source_of_wealth'
  return isIdentityKind(kind) ? 'proof_of_identity' : 'proof_of_address'
}

export function isIdentityKind(kind: DocumentKind): kind is IdentityKind {
  return (identityKinds as readonly string[]).includes(kind)
}

/**
 * Returns whether the kind has two sides: a passport's photo page and proofs of address are one file with one or more
 * pages.
 */
export function hasBack(kind: DocumentKind): boolean {
  return kind === 'id' || kind === 'drivers_licence'
}

/** Returns whether a level accepts a kind. A requested source of wealth is always accepted. */
export function isAccepted(kind: DocumentKind, level: RiskLevel): boolean {
  if (kind === 'source_of_wealth') return level !== 5
  return (isIdentityKind(kind) ? identityAccepted(level) : addressAccepted(level)).includes(kind as never)
}

export interface DocumentForm {
  readonly kind: DocumentKind
  /** The level of the document's country; null for an unknown country. */
  readonly level: RiskLevel | null
  readonly date: PlainDate
  readonly front: boolean
  readonly back: boolean
  /** The state of the saved record, null for none. */
  readonly state: DocumentState | null
  readonly wealthAsked: boolean
}

/** Returns the first error of a document form with its field, or null. `today` is the firm's. */
export function checkDocument(form: DocumentForm, today: PlainDate) {
  if (form.state === 'pending_approval') return { field: 'server', problem: 'document-locked' } as const
  if (form.state === 'approved') return { field: 'server', problem: 'document-approved' } as const
  if (form.kind === 'source_of_wealth' && !form.wealthAsked)
    return { field: 'server', problem: 'wealth-not-asked' } as const
  const wrong = checkContent(form, today)
  if (wrong) return wrong
  if (!form.front) return { field: 'documentFront', problem: 'front-required' } as const
  return form.back || !hasBack(form.kind) ? null : ({ field: 'documentBack', problem: 'back-required' } as const)
}

/**
 * Returns the error in a document's details, or null. It runs again when the document is sent, because its expiry date
 * or its country's level may have changed since it was saved.
 */
export function checkContent({ kind, level, date }: Pick<DocumentForm, 'kind' | 'level' | 'date'>, today: PlainDate) {
  if (level === null) return { field: 'country', problem: 'unknown-value' } as const
  if (!isAccepted(kind, level)) return { field: 'country', problem: 'document-not-accepted' } as const
  const dated = checkDocumentDate(kind, date, today)
  return dated && ({ field: 'expiryDay', problem: dated } as const)
}

/**
 * Returns the error in a document's date, or null. An identity document must not be expired. An address document needs
 * a date of issue that is not in the future and at most 3 calendar months old. A source of wealth needs a date that is
 * not in the future.
 */
export function checkDocumentDate(kind: DocumentKind, date: PlainDate, today: PlainDate) {
  if (!isValidDate(date)) return 'date-invalid'
  if (isIdentityKind(kind)) return isPast(date, today) ? 'document-expired' : null
  if (compareDays(date, today) > 0) return 'issue-in-future'
  if (kind === 'source_of_wealth') return null
  return compareDays(date, monthsBefore(today, proofOfAddressMonthsMax)) < 0 ? 'issue-too-old' : null
}

/** A client's documents: kinds and states. */
export type Documents = readonly {
  readonly kind: DocumentKind
  readonly state: DocumentState
  /** Saved, but cannot be sent (`checkContent`). */
  readonly isBlocked?: boolean
}[]

/** Returns whether the client has done everything for a group: a document can be sent, is pending or is approved. */
export function isSatisfied(group: DocumentGroup, documents: Documents): boolean {
  return documents.some((document) => groupOf(document.kind) === group && (isSendable(document) || isSent(document)))
}

/** Returns whether a document is included when the client sends. */
export function isSendable({ state, isBlocked = false }: Documents[number]): boolean {
  return state === 'uploaded' && !isBlocked
}

/** Returns whether a document of a group is pending or approved: the client need not send anything more for it. */
export function isGroupSent(group: DocumentGroup, documents: Documents): boolean {
  return documents.some((document) => groupOf(document.kind) === group && isSent(document))
}

function isSent({ state }: Documents[number]): boolean {
  return state === 'pending_approval' || state === 'approved'
}

/** Returns whether a group is approved. */
export function isApproved(group: DocumentGroup, documents: Documents): boolean {
  return documents.some(({ kind, state }) => groupOf(kind) === group && state === 'approved')
}

type SendRefusal =
  | { readonly problem: 'identity-missing' | 'address-missing' | 'nothing-to-send' }
  | { readonly blocked: DocumentKind }

const missing = { proof_of_identity: 'identity-missing', proof_of_address: 'address-missing' } as const

/**
 * Returns why documents cannot be sent for approval, or null: an accepted identity kind, a proof of address and at
 * least one new document are needed. If an existing document cannot be sent, the result names its kind.
 */
export function checkSend(documents: Documents): SendRefusal | null {
  for (const group of ['proof_of_identity', 'proof_of_address'] as const) {
    if (isSatisfied(group, documents)) continue
    const blocked = documents.find(({ kind, state }) => groupOf(kind) === group && state === 'uploaded')
    return blocked ? { blocked: blocked.kind } : { problem: missing[group] }
  }
  if (documents.some(isSendable)) return null
  const blocked = documents.find(({ state }) => state === 'uploaded')
  return blocked ? { blocked: blocked.kind } : { problem: 'nothing-to-send' }
}

/** Returns the group that the upload wizard opens after choose_type (requirements 6.6). */
export function nextGroup(documents: Documents): 'proof_of_identity' | 'proof_of_address' | 'finished' {
  if (!isSatisfied('proof_of_identity', documents)) return 'proof_of_identity'
  return isSatisfied('proof_of_address', documents) ? 'finished' : 'proof_of_address'
}

export const identityKinds = ['passport', 'id', 'drivers_licence'] as const
export type IdentityKind = (typeof identityKinds)[number]
/** Kinds with a machine-readable zone that the server reads; driving licences follow other standards. */
export const zoneKinds = ['passport', 'id'] as const
/** `proofOfAddress` is the only address kind on /documents. */
export const addressKinds = ['bank_statement', 'utility_bill', 'government_letter', 'proofOfAddress'] as const
type AddressKind = (typeof addressKinds)[number]
export const documentKinds = [...identityKinds, ...addressKinds, 'source_of_wealth'] as const
export type DocumentKind = (typeof documentKinds)[number]
export const documentGroups = ['proof_of_identity', 'proof_of_address', 'source_of_wealth'] as const
export type DocumentGroup = (typeof documentGroups)[number]

/** Returns the identity kinds that a level accepts: 1 and 2 all three, 3 and 4 no drivers licence, 5 none. */
export function identityAccepted(level: RiskLevel): readonly IdentityKind[] {
  if (level === 5) return []
  return level <= 2 ? identityKinds : identityKinds.filter((kind) => kind !== 'drivers_licence')
}

/** Returns the address kinds that a risk level accepts. */
export function addressAccepted(level: RiskLevel): readonly AddressKind[] {
  return level === 5 ? [] : addressKinds
}
