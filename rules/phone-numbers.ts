/** Telephone numbers in national notation and in international form (E.164). */

interface Prefixed {
  readonly code: string
  /** "+49" */
  readonly prefix: string
}

/** Countries without a trunk prefix, where a leading 0 belongs to the number (numbering plans of ITU-T E.164). */
const leadingZeroCountries: readonly string[] = ['BF', 'BJ', 'CG', 'CI', 'GA', 'IT', 'SM', 'TJ', 'VA']

/** Trunk prefixes other than 0, with what follows them (national numbering plans, ITU-T E.164). */
const trunkPrefixes: Readonly<Record<string, RegExp>> = {
  BY: /^80?(?=\d{9}$)/,
  CA: /^1(?=\d{10}$)/,
  HU: /^06/,
  KZ: /^8(?=\d{10}$)/,
  LT: /^8(?=\d{8}$)/,
  RU: /^8(?=\d{10}$)/,
  TM: /^8(?=\d{8}$)/,
  US: /^1(?=\d{10}$)/,
}

/** The country assumed for a prefix that several countries share. */
const preferredCountries: readonly string[] = 'AU CW FI FK GB GP IT MA NF NO NZ RE RU US'.split(' ')

/**
 * Returns the number with its country code: "+491701234567" for "0170 1234567" in Germany, or '' if there is no number
 * or no code.
 */
export function internationalNumber(country: Prefixed, written: string): string {
  const digits = written.replace(/\D/g, '').replace(trunkPrefixes[country.code] ?? '', '')
  const national = leadingZeroCountries.includes(country.code) ? digits : digits.replace(/^0+/, '')
  const prefix = country.prefix.replace(/\D/g, '')
  return national && prefix ? `+${prefix}${national}` : ''
}

/**
 * Returns "+491701234567" for "0049 170 1234567" or "+49 170…", which have a country code, or null for any other
 * number.
 */
export function parseInternational(written: string): string | null {
  const signs = written.replace(/[^\d+]/g, '')
  if (signs.startsWith('+')) return signs
  return /^00[1-9]\d{7}/.test(signs) ? `+${signs.slice(2)}` : null
}

/**
 * Splits an international number into its country and the rest. The longest code wins; among equal codes the hinted
 * country, then the one with most users. Null if no code matches.
 */
export function splitNumber(
  number: string,
  countries: readonly Prefixed[],
  hinted = '',
): { code: string; rest: string } | null {
  if (!number.startsWith('+')) return null
  const digits = number.replace(/\D/g, '')
  const likelihood = (code: string) => (code === hinted ? 2 : Number(preferredCountries.includes(code)))
  const [fitting] = countries
    .map(({ code, prefix }) => ({ code, prefix: prefix.replace(/\D/g, '') }))
    .filter(({ prefix }) => prefix !== '' && digits.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length || likelihood(b.code) - likelihood(a.code))
  return fitting ? { code: fitting.code, rest: digits.slice(fitting.prefix.length) } : null
}
