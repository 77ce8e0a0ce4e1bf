/** Reads the machine-readable zone of a passport or card from its lines and verifies its check digits. */
import { parse, states } from 'mrz'
import { allCountries } from '#rules/countries.ts'
import { Problem } from '../../http/problem.ts'

export interface Mrz {
  readonly lines: readonly string[]
  /** Whether every check digit is correct. */
  readonly valid: boolean
  readonly checkDigitsRight: number
  readonly checkDigits: number
  readonly surname: string | null
  readonly givenNames: string | null
  readonly number: string | null
  /** ISO date; the century is chosen so that the year of birth is not in the future. */
  readonly birthDate: string | null
  readonly expiry: string | null
  /** ISO 3166-1 alpha-2, or null if the zone's code is not one of our countries. */
  readonly nationality: string | null
}

/** Reads the lines. Throws `mrz-invalid` if they have no valid format. */
export function readMrz(lines: readonly string[], year: number): Mrz {
  const { fields, details } = parseLines(lines)
  const digits = details.filter(({ field }) => field?.endsWith('CheckDigit'))
  const right = digits.filter(({ valid }) => valid)
  return {
    lines,
    valid: digits.length > 0 && right.length === digits.length,
    checkDigitsRight: right.length,
    checkDigits: digits.length,
    surname: fields.lastName ?? null,
    givenNames: fields.firstName ?? null,
    number: fields.documentNumber ?? null,
    birthDate: isoOf(fields.birthDate ?? null, (short) => (2000 + short > year ? 1900 : 2000)),
    expiry: isoOf(fields.expirationDate ?? null, () => 2000),
    nationality: countryOfCode(
      details.find(({ field }) => field === 'nationality')?.value ?? fields.nationality ?? null,
    ),
  }
}

/** Parses the lines. The library throws plain errors for an unknown number or length of lines. */
function parseLines(lines: readonly string[]) {
  try {
    return parse([...lines])
  } catch {
    throw new Problem('mrz-invalid', { field: 'lines' })
  }
}

function isoOf(sixDigits: string | null, century: (short: number) => number): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(sixDigits ?? '')
  if (!match) return null
  const short = Number(match[1])
  return `${century(short) + short}-${match[2]}-${match[3]}`
}

/** Returns our country for a zone's code, which has three letters, or one for Germany. */
function countryOfCode(code: string | null): string | null {
  if (code === null) return null
  const name = (states as Readonly<Record<string, string>>)[code]
  if (name === undefined) return null
  const plain = (text: string) => text.toLowerCase().replace(/^the | \(.*\)|, .*$| of great britain.*$/g, '')
  return allCountries().find((country) => plain(country.name.en) === plain(name))?.code ?? null
}
