import { checkPostcode, postcodeDigits } from '#rules/postcodes.ts'
import { refuse } from '../http/problem.ts'

/** Refuses a postcode that its country cannot have, and says how many digits it has there. */
export function refusePostcode(country: string, postcode: string): void {
  refuse(checkPostcode(country, postcode), { field: 'postcode', values: { digits: postcodeDigits(country) ?? 0 } })
}
