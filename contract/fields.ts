/** The kinds of field that many calls share. A check's message is a problem code of `problems.ts`. */
import type { Id } from '#rules/ids.ts'
import * as z from 'zod/mini'
import { hasHidden, trimHidden, withoutHidden } from '#rules/hidden-characters.ts'
import { checkPostcode } from '#rules/postcodes.ts'
import { currencies, decimalOf, largestMinor, minorOf } from '#rules/money.ts'
import type { ProblemCode } from './problems.ts'

// C0 and C1 control characters and lone surrogates have no place in a line of text.
const oneLinePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u

/** Limits a text to `max` code points; the problem names the limit. */
export function atMost(max: number) {
  return z.refine<string>((value) => [...value].length <= max, { error: 'too-long', params: { max } })
}

/** Cuts spaces and hidden characters at the ends: contact apps paste them. */
export const trimmed = z.overwrite<string>((value) => trimHidden(value))

/** What a terminal or a mail program obeys instead of showing it; tabs and line breaks are no such. */
const control = /[\p{Cc}--[\t\n\r]]/v

/** No hidden, direction-turning or control character inside a text that people read. */
export const nothingHidden = z.refine<string>((value) => !hasHidden(value) && !control.test(value), 'hidden-characters')

const oneLine = z.refine<string>((value) => value.isWellFormed() && oneLinePattern.test(value), 'not-a-line')

/** Text that may hold line breaks. */
export const severalLines = z.refine<string>((value) => value.isWellFormed() && !value.includes('\0'), 'not-a-text')

/**
 * Returns what is said of a field that was left out or empty, and of one with another value than those that are
 * possible.
 */
function missingOr(code: ProblemCode, missing: ProblemCode = 'required') {
  return {
    error: (issue: { readonly input?: unknown }): ProblemCode =>
      issue.input === undefined || issue.input === null || issue.input === '' ? missing : code,
  }
}

/** Returns a body: fields that it does not name are refused. */
export function body<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, 'malformed')
}

/** Returns a line of text of 1 to `max` code points; outer spaces are cut. `missing` is said of an empty one. */
export function line(max: number, missing: ProblemCode = 'required') {
  return z
    .string(missingOr('invalid', missing))
    .check(trimmed, z.minLength(1, missing), atMost(max), oneLine, nothingHidden)
}

/** Returns a line that may be left out or empty. */
export function optionalLine(max: number) {
  return z._default(z.string('required').check(trimmed, atMost(max), oneLine, nothingHidden), '')
}

/** Returns a line in a query: what is searched for, or why something is looked at. */
export function lineInQuery(max: number) {
  return z.optional(z.string().check(trimmed, atMost(max), oneLine, nothingHidden))
}

/** Returns a text of 1 to `max` code points that may have several lines. */
export function paragraph(max: number) {
  return z.string('required').check(trimmed, z.minLength(1, 'required'), atMost(max), severalLines, nothingHidden)
}

/** Returns an IBAN as it is written, spaces and all, or nothing; no hidden character of a pasted one is kept. */
export function iban(max: number) {
  return z._default(z.string('required').check(z.overwrite(withoutHidden), z.trim(), atMost(max), oneLine), '')
}

/** A postcode of any country: its form is hinted at, never required. Where a country has none, it is 00000. */
export const postcode = z.string('required').check(
  z.overwrite(withoutHidden),
  z.trim(),
  z.minLength(1, 'required'),
  z.refine((value) => checkPostcode(value) === null, 'postcode-length'),
  oneLine,
)

/** Returns a stored file's name, as the upload answered it; `missing` is said where there is none. */
export function fileName(missing: ProblemCode, kind: ProblemCode = missing) {
  return z.string(kind).check(
    z.minLength(1, missing),
    z.maxLength(255, 'file-unknown'),
    z.refine((value) => value.isWellFormed() && oneLinePattern.test(value), 'file-unknown'),
  )
}

export const id = z
  .string('required')
  .check(trimmed, z.minLength(1, 'required'), atMost(64), z.regex(/^[\w-]+$/, 'unknown-value'))

/** The same of a kind of record: what came through is that kind's, and taken for no other's. */
export const idOf = <Kind extends string>() => id as unknown as z.ZodMiniType<Id<Kind>, string>
export const clientId = idOf<'client'>()
export const accountId = idOf<'account'>()

const emailPattern =
  /^[^\s@,;<>()[\]\\"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}]{2,63}$/u

const emailLengthMax = 254

/**
 * Folded to one form (NFKC, lower case), at most 254 characters before any pattern is tried (ASVS 1.2.9), and after the
 * folding, which makes several letters of some signs.
 */
export const email = z.string('required').check(
  z.minLength(1, 'required'),
  z.maxLength(emailLengthMax, { error: 'email-invalid', abort: true }),
  z.refine((value) => value.isWellFormed(), 'email-invalid'),
  // A line break or space is no slip of pasting: an address with one is refused.
  z.overwrite((value) => trimHidden(value, false)),
  z.minLength(1, 'required'),
  z.refine((value) => !hasHidden(value), 'email-invalid'),
  z.overwrite((value) => value.normalize('NFKC').toLowerCase()),
  z.maxLength(emailLengthMax, 'email-invalid'),
  z.regex(emailPattern, 'email-invalid'),
)

export const currency = z.enum(currencies, missingOr('unknown-value'))

/** Returns one of a closed list of words, compared exactly. */
export function choice<const T extends readonly string[]>(words: T, missing: ProblemCode = 'required') {
  return z.enum(words, missingOr('unknown-value', missing))
}

/** Returns one of a closed list of whole numbers. */
export function numberChoice<const T extends readonly number[]>(numbers: T, missing: ProblemCode = 'required') {
  return z.literal(numbers, missingOr('unknown-value', missing)) as z.ZodMiniLiteral<T[number]>
}

/** Returns a whole number between two. */
export function whole(least: number, most: number, code: ProblemCode = 'invalid', missing: ProblemCode = 'required') {
  return z.int(missingOr(code, missing)).check(z.minimum(least, code), z.maximum(most, code))
}

/** Returns a whole number in a query, where everything is text. */
export function wholeInQuery(least: number, most: number) {
  return z.codec(
    z.string().check(z.regex(/^\d{1,9}$/, 'invalid')),
    z.int().check(z.minimum(least, 'invalid'), z.maximum(most, 'invalid')),
    {
      decode: Number,
      encode: String,
    },
  )
}

/** Yes or no in a query. */
export const flagInQuery = z.codec(z.enum(['true', 'false'], 'invalid'), z.boolean(), {
  decode: (value) => value === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** ISO 3166-1 alpha-2; whether the country exists and is available is the rules' matter. */
export const countryCode = z
  .string(missingOr('unknown-value'))
  .check(z.minLength(1, 'required'), z.regex(/^[A-Z]{2}$/, 'unknown-value'))

/** A password, plain or as a compact JWE: read, not yet judged. Nothing is trimmed. */
export const password = z.string('required').check(z.minLength(1, 'required'), z.maxLength(4096, 'password-long'))
/** Why a new password is not taken. */
export const newPasswordProblems = [
  'password-short',
  'password-long',
  'password-characters',
  'password-common',
  'password-leaked',
  'password-own',
  'password-garbled',
] as const satisfies readonly ProblemCode[]

/** Six digits of an authenticator, or a recovery code. */
export const code = z
  .string('required')
  .check(trimmed, z.minLength(1, 'required'), z.maxLength(32, 'code-wrong'), z.regex(/^[0-9A-Za-z -]+$/, 'code-wrong'))

/** A calendar day, "2026-11-21". */
export const isoDate = z.string('required').check(trimmed, z.regex(/^\d{4}-\d{2}-\d{2}$/, 'date-invalid'))

/** True, and nothing else. */
export const accepted = z.literal(true, 'must-accept')

/** What a column of PostgreSQL's type integer holds. */
export const largestInteger = 2_147_483_647

/** The version of a text that was read. */
export const textVersion = z
  .int(missingOr('invalid'))
  .check(z.minimum(1, 'invalid'), z.maximum(largestInteger, 'invalid'))

/**
 * Reads a decimal into minor units and writes minor units with two decimals. `isMeant` limits the amounts that are
 * allowed; none exceeds what a platform moves in one operation.
 */
function decimal(isMeant: (minor: bigint) => boolean) {
  return z.codec(
    z.union([z.string(), z.number()], missingOr('amount-invalid')).check(
      z.refine((value) => {
        const minor = minorOf(String(value))
        return minor !== null && isMeant(minor)
      }, 'amount-invalid'),
      z.refine((value) => {
        const minor = minorOf(String(value)) ?? 0n
        return minor <= largestMinor && minor >= -largestMinor
      }, 'amount-large'),
    ),
    z.bigint(),
    { decode: (value) => minorOf(String(value)) ?? 0n, encode: decimalOf },
  )
}

/** An amount that a person asks for: over nothing. */
export const amount = decimal((minor) => minor > 0n)

/** An amount that a form has a minimum for: nothing and less are refused as too low, by the person who knows the minimum. */
export const requestedAmount = decimal(() => true)

/** An amount of either sign, but not nothing: a correction. */
export const signedAmount = decimal((minor) => minor !== 0n)

/** What an account holds, as a statement says it: of either sign, or nothing. */
export const balance = decimal(() => true)

/** An amount that we answer: any sign. */
export const signedBalance = z.codec(z.string().check(z.regex(/^-?\d{1,15}\.\d{2}$/)), z.bigint(), {
  decode: (value) => minorOf(value) ?? 0n,
  encode: decimalOf,
})

/** Seconds since 1970, as all times on the wire (requirements 15.5); a Date inside. */
export const seconds = z.codec(z.int(), z.date(), {
  decode: (value) => new Date(value * 1000),
  encode: (value) => Math.floor(value.getTime() / 1000),
})
