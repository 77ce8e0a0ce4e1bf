/** Transfers between own trading accounts (requirements 10.3, 10.5). */
import { transferQuoteSeconds } from './constants.ts'
import { defineStateMachine } from './state-machine.ts'
import { convert, inverseRate, isLessThan, type Currency, type Money } from './money.ts'

export const transferMachine = defineStateMachine({
  name: 'transfer',
  table: 'transfers',
  states: ['pending', 'processing', 'approved', 'rejected', 'cancelled'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    approve: { from: ['pending'], to: 'processing', by: ['operations'] },
    /** From processing only before the platform was called, while a check blocks the first leg. */
    reject: { from: ['pending', 'processing'], to: 'rejected', by: ['operations', 'recovery'] },
    cancel: { from: ['pending'], to: 'cancelled', by: ['client'] },
    /** Recovery found the first leg on the platform; the decision was lost (requirements 20.13). */
    adopt: { from: ['pending', 'rejected', 'cancelled'], to: 'processing', by: ['recovery'] },
    /** Both legs are done. */
    transferred: { from: ['processing'], to: 'approved', by: ['external'] },
    /** The first leg was refused, or the second was and the source has been credited again. */
    refused: { from: ['processing'], to: 'rejected', by: ['external'] },
  },
})
export type TransferState = (typeof transferMachine.states)[number]

/** Returns the status that a client sees: the state itself. */
export function transferStatusForClient(state: TransferState): TransferState {
  return state
}

export interface TransferAccount {
  readonly id: string
  readonly state: string
  /** The platform has disabled it: it can be a source, but no destination. */
  readonly closed: boolean
  readonly requestType: 'live' | 'demo'
}

export interface TransferRequest {
  readonly source: TransferAccount
  readonly destination: TransferAccount
  readonly amount: Money
  readonly minimum: Money
  readonly balance: Money
  readonly available: Money
  /** The arriving amount at the rate of the settings; null if they have no rate for the pair. */
  readonly arrives: Money | null
}

/** Returns why a transfer cannot be requested, or null. */
export function checkTransfer(request: TransferRequest) {
  const { source, destination, amount, minimum, balance, available, arrives } = request
  if (source.id === destination.id) return 'same-account'
  if (source.requestType === 'demo' || destination.requestType === 'demo') return 'demo-account'
  if (source.state !== 'approved' || destination.state !== 'approved' || destination.closed)
    return 'account-not-approved'
  if (amount.currency !== balance.currency) return 'currency-not-account'
  if (balance.minor <= 0n) return 'no-balance'
  if (isLessThan(amount, minimum)) return 'transfer-too-low'
  if (isLessThan(balance, amount)) return 'transfer-more-than-balance'
  if (isLessThan(available, amount)) return 'transfer-more-than-available'
  if (arrives === null) return 'no-rate'
  return arrives.minor > 0n ? null : 'transfer-too-low'
}

/** Rates of the settings: "EUR/GBP" to a decimal with at most 8 places. */
export type TransferRates = Readonly<Record<string, string>>

/** The time of the rates, "2026-06-19T10:00Z", and for how many days they are used. */
export interface RateAge {
  readonly asOf: string | null
  readonly maxAgeDays: number
}

/**
 * Returns the exchange rate from one currency to another: "1" within one currency, the inverse if only that is stored,
 * else null. The rates are the setting `rates`.
 */
export function rateBetween(from: Currency, to: Currency, rates: TransferRates): string | null {
  if (from === to) return '1'
  const straight = rates[`${from}/${to}`]
  if (straight !== undefined) return straight
  const reverse = rates[`${to}/${from}`]
  return reverse === undefined ? null : inverseRate(reverse)
}

/** Returns until when rates of this time are used, or null for rates without a time. */
export function ratesExpireAt({ asOf, maxAgeDays }: RateAge): Date | null {
  return asOf === null ? null : new Date(Date.parse(asOf) + maxAgeDays * 86_400_000)
}

/** Returns whether rates are used now: not before their time, nor when they are too old (requirements 24.167). */
export function areRatesCurrent(age: RateAge, now: Date): boolean {
  const until = ratesExpireAt(age)
  return until !== null && Date.parse(age.asOf ?? '') <= now.getTime() && now <= until
}

/** Returns the amount that arrives, rounded down; null without a rate. */
export function arrivingAmount(amount: Money, to: Currency, rates: TransferRates): Money | null {
  const rate = rateBetween(amount.currency, to, rates)
  return rate === null ? null : convert(amount, rate, to)
}

/** Returns until when a rate is shown as valid. A request is compared with the rate itself, not with this time. */
export function quotedUntil(now: Date): Date {
  return new Date(now.getTime() + transferQuoteSeconds * 1000)
}
