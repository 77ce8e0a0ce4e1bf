/** The leverage available to a client (requirements 7.9). */
import { professionalLeverages, retailLeverage } from './constants.ts'
import type { ClientStatus } from './choices.ts'

/** Returns the leverages available to a client, or on an account of that status: 1:30 alone for a retail client. */
export function leveragesFor(status: ClientStatus): readonly number[] {
  return status === 'professional' ? professionalLeverages : [retailLeverage]
}

/** Returns the leverages of an account: more than the retail one only if both client and account are professional. */
export function leveragesForAccount(client: ClientStatus, account: ClientStatus): readonly number[] {
  return leveragesFor(client === 'professional' && account === 'professional' ? 'professional' : 'retail')
}

/** Returns a leverage as "1:30". */
export function formatLeverage(leverage: number): string {
  return `1:${leverage}`
}
