/** The form of postcodes, where a country's are digits alone. */

const digitsOf: Readonly<Record<string, number>> = { DE: 5, AT: 4, CH: 4, FR: 5, ES: 5, IT: 5, DK: 4, BE: 4 }

/** How many digits a country's postcodes have; null where their form is not known here. */
export function postcodeDigits(country: string): number | null {
  return digitsOf[country] ?? null
}

/** Why a postcode cannot be, or null: a missing one is said by its field. */
export function checkPostcode(country: string, postcode: string) {
  const digits = postcodeDigits(country)
  const written = postcode.trim()
  if (digits === null || written === '') return null
  return /^\d+$/.test(written) && written.length === digits ? null : 'postcode-digits'
}
