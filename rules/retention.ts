/**
 * Retention periods, and the erasure of a client's data after the relationship (ASVS 14.2.7). Ledger and audit log are
 * kept permanently, without personal data.
 */
import { unusedFileDays } from './constants.ts'
import type { ClientState } from './clients.ts'
import { defineStateMachine } from './state-machine.ts'

interface Period {
  /** The default. */
  readonly usual: number
  readonly least: number
  readonly most: number
}

/**
 * Each class by the name of its setting. Identity, payments and correspondence of a customer are kept for five years
 * after the relationship, as anti-money-laundering law requires, and for ten at most.
 */
export const retentionPeriods = {
  /** Registrations whose email address was never confirmed. */
  registrationDays: { usual: 30, least: 1, most: 365 },
  /** Clients who never completed their registration. */
  unfinishedClientDays: { usual: 365, least: 30, most: 3650 },
  /** Uploads that no record ever used. */
  unusedFileDays: { usual: unusedFileDays, least: 1, most: 365 },
  /** Ended sessions, with device and address. */
  sessionDays: { usual: 90, least: 1, most: 3650 },
  /** One-time links that were used, replaced or have expired. */
  linkDays: { usual: 30, least: 1, most: 365 },
  noticeDays: { usual: 1095, least: 30, most: 3650 },
  /** Emails to recipients without a client record: staff and unconfirmed registrations. */
  otherLetterDays: { usual: 90, least: 7, most: 3650 },
  /** Messages of visitors, including complaints, after the last one. */
  enquiryDays: { usual: 1826, least: 30, most: 3650 },
  closedClientYears: { usual: 5, least: 5, most: 10 },
  rejectedClientYears: { usual: 5, least: 5, most: 10 },
} as const satisfies Record<string, Period>
export type RetentionClass = keyof typeof retentionPeriods
export type RetentionTimes = Readonly<Record<RetentionClass, number>>
export const retentionClasses = Object.keys(retentionPeriods) as RetentionClass[]

export const defaultRetentionTimes = Object.fromEntries(
  retentionClasses.map((name) => [name, retentionPeriods[name].usual]),
) as Record<RetentionClass, number>

/** Returns the time before which data is expired. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}

/** The states in which the relationship is over, with the retention of the record. */
const retentionAfterEnd: Readonly<Partial<Record<ClientState, RetentionClass>>> = {
  closed: 'closedClientYears',
  rejected: 'rejectedClientYears',
}

/**
 * Returns the end of the retention of a client's legal record, years after the end of the relationship, or null for a
 * person who never became a customer.
 */
export function retentionEnd(client: { readonly state: ClientState; readonly endedAt: Date }, times: RetentionTimes) {
  const years = retentionAfterEnd[client.state]
  if (years === undefined) return null
  const until = new Date(client.endedAt)
  until.setUTCFullYear(until.getUTCFullYear() + times[years])
  return until
}

/** Returns why no data of a client can be erased now, or null. */
export function checkErasure(client: {
  readonly state: ClientState
  readonly isErased: boolean
  readonly isAsked: boolean
  readonly owed: bigint
  readonly openRequests: number
}) {
  if (client.isErased) return 'erased-already'
  if (client.isAsked) return 'erasure-waits'
  if (client.state !== 'registering' && retentionAfterEnd[client.state] === undefined) return 'client-lives'
  if (client.openRequests > 0) return 'requests-open'
  return client.owed === 0n ? null : 'money-left'
}

/**
 * A client's erasure, with dual approval. Data under legal retention is deleted automatically when the retention ends.
 */
export const erasureMachine = defineStateMachine({
  name: 'erasure',
  table: 'erasures',
  states: ['pending', 'approved', 'done', 'rejected', 'cancelled'],
  first: 'pending',
  /** Without a request: the legal retention has ended. */
  alsoFirst: ['approved'],
  undecided: ['pending'],
  transitions: {
    /** Never by the person who requested it; done immediately if nothing must be kept. */
    approve: { from: ['pending'], to: ['approved', 'done'], by: ['compliance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['compliance'] },
    /** By the person who requested it. */
    cancel: { from: ['pending'], to: 'cancelled', by: ['compliance'] },
    complete: { from: ['approved'], to: 'done', by: ['clock'] },
  },
})
