/** Compares a document with the client's entries and computes the checks of a decision. Decides nothing. */
import type { OfficeDocument } from '#contract/office/documents.ts'
import type { Check } from '#contract/office/briefs.ts'
import { expiryNoticeDaysAhead } from '#rules/constants.ts'
import { countryOf, type CountryChanges } from '#rules/countries.ts'
import { compareDays, dayIn, dayOf, isoDay, type PlainDate, dayMs } from '#rules/dates.ts'
import { checkDocumentDate, isAccepted, isIdentityKind } from '#rules/documents.ts'
import type { StoredProfile } from '#rules/profile-fields.ts'
import { readMrz, type Mrz } from './read-mrz.ts'
import type { DocumentRow } from './queries.ts'
import { pageCheck } from '../../office/records.ts'

export type Profile = Pick<StoredProfile, 'name' | 'surname' | 'birthDate' | 'nationality' | 'country' | 'address'>

type Comparison = OfficeDocument['comparisons'][number]

/**
 * Returns the rows of the comparison. Without a machine-readable zone only the client's entries are known. Values read
 * from the image have a confidence.
 */
export function comparisonsOf(
  document: DocumentRow,
  profile: Profile,
  mrz: Mrz | null,
  shown: (number: string) => string,
  confidenceOf: (code: Comparison['code']) => number | null = () => null,
): Comparison[] {
  const line = (
    code: Comparison['code'],
    documentValue: string | null,
    known: string | null,
    alike = isSameName,
  ): Comparison => {
    const verdict =
      documentValue === null || known === null ? 'unknown' : alike(documentValue, known) ? 'ok' : 'differs'
    return {
      code,
      document: documentValue,
      client: known,
      verdict,
      confidence: documentValue === null ? null : confidenceOf(code),
    }
  }
  if (!isIdentityKind(document.kind)) {
    return [
      line('issue', null, document.expiry_date),
      line('address', null, profile.address),
      line('country', document.country, profile.country),
    ]
  }
  const number = line('number', mrz?.number ?? null, document.document_number, isSameNumber)
  return [
    line('surname', mrz?.surname ?? null, profile.surname),
    line('givenNames', mrz?.givenNames ?? null, profile.name, isSameGivenName),
    line('birthDate', mrz?.birthDate ?? null, profile.birthDate),
    line('nationality', mrz?.nationality ?? null, profile.nationality),
    { ...number, document: number.document && shown(number.document), client: number.client && shown(number.client) },
    line('expiry', mrz?.expiry ?? null, document.expiry_date),
  ]
}

/** Returns the zone of a document, or null if none was entered. */
export function mrzOf(lines: readonly string[] | null, today: PlainDate): Mrz | null {
  return lines === null || lines.length === 0 ? null : readMrz(lines, today.year)
}

/** Returns text in the letters of a machine-readable zone: Müller is MUELLER, O’Neill is ONEILL. */
function mrzLetters(text: string): string {
  return text
    .toUpperCase()
    .replace(/Ä/g, 'AE')
    .replace(/Ö/g, 'OE')
    .replace(/Ü/g, 'UE')
    .replace(/ß|ẞ/g, 'SS')
    .replace(/Ø/g, 'OE')
    .replace(/Å/g, 'AA')
    .replace(/Æ/g, 'AE')
    .normalize('NFD')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
}

function isSameName(a: string, b: string): boolean {
  return (
    mrzLetters(a) === mrzLetters(b) ||
    mrzLetters(a.normalize('NFD').replace(/\p{M}/gu, '')) === mrzLetters(b.normalize('NFD').replace(/\p{M}/gu, ''))
  )
}

/** Returns whether the given names match; a document may have more of them than the client uses. */
function isSameGivenName(onDocument: string, given: string): boolean {
  const names = mrzLetters(onDocument).split(' ')
  return mrzLetters(given)
    .split(' ')
    .every((name) => names.includes(name))
}

function isSameNumber(a: string, b: string): boolean {
  return mrzLetters(a).replaceAll(' ', '') === mrzLetters(b).replaceAll(' ', '')
}

/** Returns days until an identity document expires, or since another was issued. */
export function daysUntilOrSince(document: Pick<DocumentRow, 'kind' | 'expiry_date'>, today: PlainDate): number {
  const days = Math.round((Date.parse(document.expiry_date) - Date.parse(isoDay(today))) / dayMs)
  return isIdentityKind(document.kind) ? days : -days
}

interface CheckFacts {
  readonly document: DocumentRow
  readonly changes: CountryChanges
  readonly today: PlainDate
  /** The firm's. */
  readonly timeZone: string
  readonly mrz: Mrz | null
  readonly elsewhere: number
  readonly fileStates: readonly string[]
  /** Warnings about the origin of its files from their metadata. */
  readonly metadataWarnings: number
}

/** Returns the checks of one document. The codes: accepted, valid, issued, elsewhere, mrz, scanned, metadata. */
export function checksOf({
  document,
  changes,
  today,
  timeZone,
  mrz,
  elsewhere,
  fileStates,
  metadataWarnings,
}: CheckFacts): Check[] {
  const level = countryOf(document.country, changes)?.level ?? null
  const accepted = level !== null && isAccepted(document.kind, level)
  const checks = [pageCheck('accepted', accepted ? 'ok' : 'differs', level, document.country)]
  const date = dayOf(document.expiry_date)
  // A proof of address must be recent on the day of sending, because the client is not responsible for our queue.
  const sentOn = document.sent_at ? dayIn(document.sent_at, timeZone) : today
  const wrong = date === null || checkDocumentDate(document.kind, date, sentOn) !== null
  if (isIdentityKind(document.kind)) {
    const soon = daysUntilOrSince(document, today) <= expiryNoticeDaysAhead
    const over = date === null || compareDays(date, today) < 0
    checks.push(
      pageCheck(
        'valid',
        over ? 'differs' : soon ? 'warn' : 'ok',
        document.expiry_date,
        daysUntilOrSince(document, today),
      ),
    )
  } else {
    checks.push(pageCheck('issued', wrong ? 'differs' : 'ok', document.expiry_date, daysUntilOrSince(document, today)))
  }
  checks.push(pageCheck('elsewhere', elsewhere === 0 ? 'ok' : 'differs', null, elsewhere))
  if (isIdentityKind(document.kind)) {
    const digits = mrz && `${mrz.checkDigitsRight}/${mrz.checkDigits}`
    checks.push(pageCheck('mrz', mrz === null ? 'unknown' : mrz.valid ? 'ok' : 'differs', null, digits))
  }
  if (fileStates.some((state) => state !== 'clean')) checks.push(pageCheck('scanned', 'warn'))
  if (metadataWarnings > 0) checks.push(pageCheck('metadata', 'warn', null, metadataWarnings))
  return checks
}
