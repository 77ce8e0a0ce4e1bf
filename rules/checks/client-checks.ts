/** Checks of the client that several kinds of decisions share (requirements 19.7 to 19.11). */
import type { ClientState } from '../clients.ts'
import { dayOf, isoDay, monthsBefore } from '../dates.ts'
import { check, type Check, type Fact, type Judgement } from './check.ts'

/** Whether a setting makes an expired or changed item warn or block. */
export const severities = ['warn', 'block'] as const
export type Severity = (typeof severities)[number]

export interface ClientFacts {
  readonly clientState: Fact<ClientState>
  /** The current hold, or null. */
  readonly hold: Fact<{ readonly from: Date; readonly until: Date | null } | null>
  /** Until screening is connected this is the client's sanction flag. */
  readonly sanctionFlag: Fact<boolean>
  /** Requested documents that are not approved, by kind. */
  readonly requestedDocuments: Fact<readonly { readonly kind: string; readonly askedAt: Date }[]>
}

const stoppedStates: readonly ClientState[] = ['suspended', 'closed', 'rejected']

/** Returns whether the client's own payment requests are stopped; a remaining balance is paid as a last balance. */
export function arePaymentsStopped(state: ClientState): boolean {
  return stoppedStates.includes(state)
}

interface StatusFacts extends Pick<ClientFacts, 'clientState'> {
  /** Entered by finance as a last balance, which passes at every stage. */
  readonly isLastBalance?: boolean
}

/** It cannot be overridden: a suspended client must be reactivated first. */
export const clientStatus: Check<StatusFacts> = check(
  'client-status',
  null,
  ({ clientState }) => clientState,
  (state, { isLastBalance }) => ({
    result: arePaymentsStopped(state) && !isLastBalance ? 'block' : 'pass',
    sentence: !arePaymentsStopped(state) ? 'client-active' : isLastBalance ? 'client-last-balance' : 'client-stopped',
    values: { state: { word: state } },
    facts: { status: { word: state } },
  }),
)

/** It cannot be overridden: compliance lifts the hold. */
export const paymentsOnHold: Check<Pick<ClientFacts, 'hold'>> = check(
  'payments-on-hold',
  null,
  ({ hold }) => hold,
  (hold): Judgement => ({
    result: hold === null ? 'pass' : 'block',
    sentence: hold === null ? 'no-hold' : hold.until === null ? 'on-hold' : 'on-hold-until',
    values: hold?.until ? { until: { time: hold.until } } : {},
    facts: hold === null ? {} : { since: { time: hold.from }, until: hold.until && { time: hold.until } },
  }),
)

export const screening: Check<Pick<ClientFacts, 'sanctionFlag'>> = check(
  'screening',
  null,
  ({ sanctionFlag }) => sanctionFlag,
  (flagged) => ({
    result: flagged ? 'block' : 'not-carried-out',
    sentence: flagged ? 'sanction-flag' : 'screening-not-connected',
    facts: { sanctionFlag: { word: flagged ? 'yes' : 'no' } },
  }),
)

export const documentsRequested: Check<Pick<ClientFacts, 'requestedDocuments'>> = check(
  'documents-requested',
  'compliance',
  ({ requestedDocuments }) => requestedDocuments,
  (open) => ({
    result: open.length > 0 ? 'block' : 'pass',
    sentence: open.length > 0 ? 'documents-open' : 'no-documents-open',
    values: { document: { list: open.map(({ kind }) => ({ word: kind })) } },
    facts: Object.fromEntries(open.map(({ kind, askedAt }) => [kind, { time: askedAt }])),
  }),
)

export interface IdentityFacts {
  readonly today: string
  /** The latest expiry date of the approved identity documents; null if there are none. */
  readonly identityUntil: Fact<string | null>
  readonly identityExpired: Severity
  /** The day of issue of the newest approved proof of address. */
  readonly addressIssued: Fact<string | null>
  /** For how many months a proof of address is valid; 0 for no limit. */
  readonly addressMonths: number
}

export const identityDocument: Check<IdentityFacts> = check(
  'identity-document',
  'compliance',
  ({ identityUntil }) => identityUntil,
  (until, { today, identityExpired }) => {
    const isExpired = until !== null && until < today
    return {
      result: isExpired ? identityExpired : 'pass',
      sentence: until === null ? 'identity-unknown' : isExpired ? 'identity-expired' : 'identity-valid',
      values: { day: until === null ? null : { day: until } },
      facts: { expires: until === null ? null : { day: until } },
    }
  },
)

export const proofOfAddress: Check<IdentityFacts> = check(
  'proof-of-address',
  'compliance',
  ({ addressIssued }) => addressIssued,
  (issued, { today, addressMonths }): Judgement => {
    if (addressMonths === 0) return { result: 'pass', sentence: 'address-age-off', facts: {} }
    const day = dayOf(today)
    const isOld = issued !== null && day !== null && issued < isoDay(monthsBefore(day, addressMonths))
    return {
      result: isOld ? 'warn' : 'pass',
      sentence: issued === null ? 'address-unknown' : isOld ? 'address-old' : 'address-recent',
      values: { day: issued === null ? null : { day: issued }, months: { count: addressMonths } },
      facts: { issued: issued === null ? null : { day: issued } },
    }
  },
)

/** The checks of the client to whom a correction refunds a deposit, in addition to those of its account. */
export const refundChecks: readonly Check<Pick<ClientFacts, 'hold' | 'sanctionFlag'>>[] = [paymentsOnHold, screening]
