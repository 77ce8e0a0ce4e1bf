/** Common types of fields. A check's message is a problem code of `problems.ts`. */
import type { Id } from '#rules/ids.ts'
import * as z from 'zod/mini'
import { hasHidden, trimHidden, withoutHidden } from '#rules/hidden-characters.ts'
import { checkPostcode } from '#rules/postcodes.ts'
import { currencies, decimalOf, largestMinor, minorOf } from '#rules/money.ts'
import type { ProblemCode } from './problems.ts'

// A line of text must not contain C0 and C1 control characters and lone surrogates.
const oneLinePattern = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u

/** Limits a text to `max` code points; the problem names the limit. */
export function atMost(max: number) {
  return z.refine<string>((value) => [...value].length <= max, { error: 'too-long', params: { max } })
}

/** Removes spaces and hidden characters at the ends, which contact apps paste. */
export const trimmed = z.overwrite<string>((value) => trimHidden(value))

/**
 * Characters that a terminal or a mail program interprets instead of showing; tabs and line breaks are not among them.
 */
const control = /[\p{Cc}--[\t\n\r]]/v

/** Rejects hidden, bidirectional and control characters in text that people read. */
export const noHiddenCharacters = z.refine<string>(
  (value) => !hasHidden(value) && !control.test(value),
  'hidden-characters',
)

const oneLine = z.refine<string>((value) => value.isWellFormed() && oneLinePattern.test(value), 'not-a-line')

/** Text that may contain line breaks. */
export const severalLines = z.refine<string>((value) => value.isWellFormed() && !value.includes('\0'), 'not-a-text')

/** Returns the problem of a missing or empty field, and that of an invalid value. */
export function missingOr(code: ProblemCode, missing: ProblemCode = 'required') {
  return {
    error: (issue: { readonly input?: unknown }): ProblemCode =>
      issue.input === undefined || issue.input === null || issue.input === '' ? missing : code,
  }
}

/** Returns the schema of a body; unknown fields are rejected. */
export function body<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, 'malformed')
}

/**
 * Returns the schema of a line of 1 to `max` code points; outer spaces are removed. `missing` is the problem of an
 * empty one.
 */
export function line(max: number, missing: ProblemCode = 'required') {
  return z
    .string(missingOr('invalid', missing))
    .check(trimmed, z.minLength(1, missing), atMost(max), oneLine, noHiddenCharacters)
}

/** Returns the schema of a line that may be absent or empty. */
export function optionalLine(max: number) {
  return z._default(z.string('required').check(trimmed, atMost(max), oneLine, noHiddenCharacters), '')
}

/** Returns the schema of a line in a query: a search text, or the reason of an access. */
export function lineInQuery(max: number) {
  return z.optional(z.string().check(trimmed, atMost(max), oneLine, noHiddenCharacters))
}

/** Returns the schema of a text of 1 to `max` code points that may have several lines. */
export function paragraph(max: number) {
  return z.string('required').check(trimmed, z.minLength(1, 'required'), atMost(max), severalLines, noHiddenCharacters)
}

/** Returns the schema of an IBAN as entered, including spaces, or empty; hidden characters are removed. */
export function iban(max: number) {
  return z._default(z.string('required').check(z.overwrite(withoutHidden), z.trim(), atMost(max), oneLine), '')
}

/** A postcode of any country: its form is hinted at, never required. Countries without postcodes have 00000. */
export const postcode = z.string('required').check(
  z.overwrite(withoutHidden),
  z.trim(),
  z.minLength(1, 'required'),
  z.refine((value) => checkPostcode(value) === null, 'postcode-length'),
  oneLine,
)

/** Returns the schema of a stored file's name, as returned by the upload; `missing` is the problem of an absent one. */
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

/** Returns the same for a kind of record: the parsed id is typed as that kind's. */
export const idOf = <Kind extends string>() => id as unknown as z.ZodMiniType<Id<Kind>, string>
export const clientId = idOf<'client'>()
export const accountId = idOf<'account'>()

const emailPattern =
  /^[^\s@,;<>()[\]\\"\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}]{2,63}$/u

const emailLengthMax = 254

/**
 * Normalised (NFKC, lower case). At most 254 characters before any pattern is tried (ASVS 1.2.9), and again after the
 * normalisation, which expands some characters.
 */
export const email = z.string('required').check(
  z.minLength(1, 'required'),
  z.maxLength(emailLengthMax, { error: 'email-invalid', abort: true }),
  z.refine((value) => value.isWellFormed(), 'email-invalid'),
  // Line breaks and spaces inside an address are not trimmed as pasting errors: it is rejected.
  z.overwrite((value) => trimHidden(value, false)),
  z.minLength(1, 'required'),
  z.refine((value) => !hasHidden(value), 'email-invalid'),
  z.overwrite((value) => value.normalize('NFKC').toLowerCase()),
  z.maxLength(emailLengthMax, 'email-invalid'),
  z.regex(emailPattern, 'email-invalid'),
)

export const currency = z.enum(currencies, missingOr('unknown-value'))

/** Returns the schema of one of a closed list of words, compared exactly. */
export function choice<const T extends readonly string[]>(words: T) {
  return z.enum(words, missingOr('unknown-value'))
}

/** Returns the schema of one of a closed list of whole numbers. */
export function numberChoice<const T extends readonly number[]>(numbers: T, missing: ProblemCode = 'required') {
  return z.literal(numbers, missingOr('unknown-value', missing)) as z.ZodMiniLiteral<T[number]>
}

/** Returns the schema of a whole number in a range. */
export function wholeNumber(
  least: number,
  most: number,
  code: ProblemCode = 'invalid',
  missing: ProblemCode = 'required',
) {
  return z.int(missingOr(code, missing)).check(z.minimum(least, code), z.maximum(most, code))
}

/** Returns the schema of a whole number in a query, where every value is text. */
export function wholeNumberInQuery(least: number, most: number) {
  return z.codec(
    z.string().check(z.regex(/^\d{1,9}$/, 'invalid')),
    z.int().check(z.minimum(least, 'invalid'), z.maximum(most, 'invalid')),
    { decode: Number, encode: String },
  )
}

/** A boolean in a query. */
export const flagInQuery = z.codec(z.enum(['true', 'false'], 'invalid'), z.boolean(), {
  decode: (value) => value === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** ISO 3166-1 alpha-2; the rules check whether the country exists and is available. */
export const countryCode = z
  .string(missingOr('unknown-value'))
  .check(z.minLength(1, 'required'), z.regex(/^[A-Z]{2}$/, 'unknown-value'))

/** A password, in plain text or as a compact JWE, not yet checked. Nothing is trimmed. */
export const password = z.string('required').check(z.minLength(1, 'required'), z.maxLength(4096, 'password-long'))
/** Problems of a new password. */
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

/** A calendar date, "2026-11-21". */
export const isoDate = z.string('required').check(trimmed, z.regex(/^\d{4}-\d{2}-\d{2}$/, 'date-invalid'))

/** True only. */
export const accepted = z.literal(true, 'must-accept')

/** The maximum of PostgreSQL's type integer. */
export const largestInteger = 2_147_483_647

/** The version of the accepted text. */
export const textVersion = z
  .int(missingOr('invalid'))
  .check(z.minimum(1, 'invalid'), z.maximum(largestInteger, 'invalid'))

/**
 * Parses a decimal into minor units and formats minor units with two decimals. `isMeant` limits the permitted amounts;
 * none exceeds the maximum of one platform operation.
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

/** A requested amount above zero. */
export const amount = decimal((minor) => minor > 0n)

/** A charge: an amount of zero or more. */
export const charge = decimal((minor) => minor >= 0n)

/**
 * A requested amount with a minimum: zero and negative amounts are rejected as too low by the handler, which knows the
 * minimum.
 */
export const requestedAmount = decimal(() => true)

/** A non-zero amount of either sign, for corrections. */
export const signedAmount = decimal((minor) => minor !== 0n)

/** A balance, as a statement states it: of either sign, or zero. */
export const balance = decimal(() => true)

/** An amount in a response, of any sign. */
export const signedBalance = z.codec(z.string().check(z.regex(/^-?\d{1,15}\.\d{2}$/)), z.bigint(), {
  decode: (value) => minorOf(value) ?? 0n,
  encode: decimalOf,
})

/** Seconds since 1970, as all times in requests and responses (requirements 15.5); a Date inside. */
export const seconds = z.codec(z.int(), z.date(), {
  decode: (value) => new Date(value * 1000),
  encode: (value) => Math.floor(value.getTime() / 1000),
})

/** The problems of a file that is to be stored, of clients and of staff. */
export const storedFileProblems = [
  'file-kind',
  'file-heic',
  'file-broken',
  'file-pages',
  'file-active',
  'file-large',
  'file-infected',
  'storage-full',
] as const
