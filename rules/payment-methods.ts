/** In which countries a payment method can be offered (requirements 8.5). */
import type { MethodType } from './choices.ts'

interface Method {
  readonly type: MethodType
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[]
}

/**
 * Returns whether clients of a country are offered a method. iDEAL is Dutch, whatever the list says; AstroPay is offered in
 * listed countries only; for the other methods an empty list means everywhere.
 */
export function isMethodOf({ type, countries }: Method, country: string): boolean {
  if (type === 'ideal') return country === 'NL'
  if (type === 'astropay') return countries.includes(country)
  return countries.length === 0 || countries.includes(country)
}
