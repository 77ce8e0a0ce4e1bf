/** The usual form of postcodes. Only a hint for the user; no postcode is rejected by country. */

const usualDigits: Readonly<Record<string, number>> = { DE: 5, AT: 4, CH: 4, FR: 5, ES: 5, IT: 5, DK: 4, BE: 4 }

/** Countries without postcodes (UPU, addressing systems). */
const countriesWithoutPostcodes = new Set(
  (
    'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GM GQ GY HK JM KI KM KN KP ML MO MR MW NR NU ' +
    'QA RW SB SC SL SR ST SY TG TK TL TO TV UG VU YE ZW'
  ).split(' '),
)

/** Entered if a country has no postcodes. */
export const noPostcode = '00000'

/** Returns whether addresses of a country have no postcode. */
export function hasNoPostcodes(country: string): boolean {
  return countriesWithoutPostcodes.has(country)
}

/** Returns the usual number of digits if the postcode has another form, or null. */
export function unusualPostcode(country: string, postcode: string): number | null {
  const digits = usualDigits[country]
  const written = postcode.trim()
  if (digits === undefined || written === '') return null
  return /^\d+$/.test(written) && written.length === digits ? null : digits
}

const lengths = { least: 3, most: 10 }

/** Returns why a postcode is rejected, or null. */
export function checkPostcode(postcode: string) {
  const { length } = [...postcode]
  return length < lengths.least || length > lengths.most ? 'postcode-length' : null
}
