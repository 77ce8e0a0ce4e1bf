/**
 * Payout batches: one person creates a batch, a second one releases it, and a person other than the releaser confirms
 * that the bank has sent it (requirements 19.18; ADR 115).
 */
import type { StaffId } from '#rules/ids.ts'
import { defineStateMachine } from './state-machine.ts'
import { dayIn, daysAfter, instantIn, isWorkingDay, minuteMs } from './dates.ts'
import type { Currency } from './money.ts'

export const payoutBatchMachine = defineStateMachine({
  name: 'payout_batch',
  table: 'payout_batches',
  states: ['created', 'released', 'sent', 'partly_returned', 'closed', 'void_requested', 'void'],
  first: 'created',
  undecided: ['created', 'released', 'void_requested'],
  transitions: {
    /**
     * By neither the creator nor, unless the firm's setting allows it, a person who entered or approved one of its
     * payments.
     */
    release: { from: ['created'], to: 'released', by: ['finance'] },
    discard: { from: ['created'], to: 'void', by: ['finance'] },
    /** The bank has sent it: its payments are paid. By a person who did not release it. */
    confirm: { from: ['released'], to: 'sent', by: ['finance'] },
    /**
     * Two people confirm that the bank executed none of it; until the second one does, it cannot be confirmed as sent.
     */
    askVoid: { from: ['released'], to: 'void_requested', by: ['finance'] },
    confirmVoid: { from: ['void_requested'], to: 'void', by: ['finance'] },
    dropVoid: { from: ['void_requested'], to: 'released', by: ['finance'] },
    /** Follows the return of a payment; the batch is closed once all have been returned. */
    paymentReturned: {
      from: ['sent', 'partly_returned'],
      to: ['partly_returned', 'closed'],
      by: ['finance', 'recovery'],
    },
    close: { from: ['sent', 'partly_returned'], to: 'closed', by: ['finance'] },
  },
})
export type PayoutBatchState = (typeof payoutBatchMachine.states)[number]

/** Maximum payments of one batch: its release and its confirmation are one transaction each. */
export const batchPaymentsMax = 500

interface ReleaseAttempt {
  readonly staffId: StaffId
  readonly createdBy: string | null
  /** Everyone who entered one of the payments, as a last balance, or approved it. */
  readonly involved: readonly (string | null)[]
  /** The firm's setting: the releaser must have entered and approved none of the payments. */
  readonly byUninvolved: boolean
}

/** Returns why a person may not release a batch, or null. */
export function checkRelease({ staffId, createdBy, involved, byUninvolved }: ReleaseAttempt) {
  if (staffId === createdBy) return 'own-batch'
  return byUninvolved && involved.includes(staffId) ? 'approved-in-batch' : null
}

/** Returns why a person may not confirm that the bank has sent a batch, or null. */
export function checkSentConfirmation(releasedBy: string | null, staffId: StaffId) {
  return releasedBy === staffId ? 'own-release' : null
}

/** Returns the bank's next cut-off for payout files on a working day; null without a time such as "14:00". */
export function nextCutOff(
  now: Date,
  time: string,
  { timeZone, holidays }: { timeZone: string; holidays: readonly string[] },
): Date | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? []
  if (hours === undefined) return null
  const on = (day: ReturnType<typeof dayIn>) =>
    new Date(instantIn(day, Number(hours), timeZone).getTime() + Number(minutes) * minuteMs)
  let day = dayIn(now, timeZone)
  while (!isWorkingDay(day, holidays) || on(day) <= now) day = daysAfter(day, 1)
  return on(day)
}

/** Returns the number as shown and in the bank's file: "PB-000041". */
export function batchNumber(number: bigint | number): string {
  return `PB-${String(number).padStart(6, '0')}`
}

/** Returns the entered number, with or without its prefix and zeros; null if it is invalid. */
export function readBatchNumber(text: string): bigint | null {
  const [, digits] = /^(?:PB)?[-\s]*0*(\d{1,15})$/i.exec(text.trim()) ?? []
  return digits === undefined ? null : BigInt(digits)
}

export function payoutFileName(currency: Currency, number: string): string {
  return `payout-${currency}-${number}.csv`
}
