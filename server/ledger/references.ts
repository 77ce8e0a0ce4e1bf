/**
 * Derived references (requirements 18.17): the same leg of the same request has the same reference in every copy of the
 * database, it can be verified as ours, and staff can read the request in it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { crockford, generationMax, referenceFrom, referenceLegs, type ReferenceLeg } from '#rules/references.ts'

/** The length of the code at the end: 70 bits, which cannot be guessed. */
const codeLength = 14
const platformCommentMax = 31
const merchantReferenceMax = 30

interface Leg {
  /** The reference key's bytes. */
  readonly key: Uint8Array
  /** The request's visible reference: "CR-7F2K91QX". */
  readonly shown: string
  readonly leg: ReferenceLeg
  /** 0 at first; increased by each resend after a rejection. */
  readonly generation: number
}

/** Returns the comment of a leg on a trading platform: "CR-7F2K91QX-W0-" and the code, at most 31 characters. */
export function platformComment(leg: Leg): string {
  return derived(leg, platformCommentMax)
}

/** Returns the reference of a checkout at the payment provider, at most 30 characters. */
export function merchantReference({
  key,
  shown,
  generation = 0,
}: Omit<Leg, 'leg' | 'generation'> & { generation?: number }): string {
  return derived({ key, shown, leg: 'checkout', generation }, merchantReferenceMax)
}

/** Returns the reference under which a card payment is refunded, once. */
export function refundReference(key: Uint8Array, shown: string, generation: number): string {
  return derived({ key, shown, leg: 'checkout-refund', generation }, merchantReferenceMax)
}

function derived({ key, shown, leg, generation }: Leg, most: number): string {
  if (!Number.isInteger(generation) || generation < 0 || generation > generationMax)
    throw new RangeError(`Invalid generation ${generation}`)
  const open = `${shown}-${referenceLegs[leg]}${crockford.charAt(generation)}`
  const reference = `${open}-${codeOf(key, open)}`
  if (!form.test(reference) || reference.length > most) throw new TypeError(`No reference can be derived from ${shown}`)
  return reference
}

interface VerifiedReference {
  readonly shown: string
  /** Null for a letter that only a later version knows. */
  readonly leg: ReferenceLeg | null
  readonly generation: number
}

const letters = '[0-9A-HJKMNP-TV-Z]'
const form = new RegExp(`^([A-Z]{1,3}-${letters}{8})-(${letters})(${letters})-(${letters}{${codeLength}})$`)
const legsByLetter = new Map(
  Object.entries(referenceLegs).map(([leg, letter]) => [letter as string, leg as ReferenceLeg]),
)

/**
 * Returns the parts of a text that we derived ourselves; null for any other text, including forgeries in our format.
 */
export function verifiedReference(key: Uint8Array, text: string): VerifiedReference | null {
  const [, shown = '', letter = '', generation = '', code = ''] = form.exec(text) ?? []
  if (shown === '') return null
  const expected = codeOf(key, `${shown}-${letter}${generation}`)
  if (!timingSafeEqual(Buffer.from(code), Buffer.from(expected))) return null
  return { shown, leg: legsByLetter.get(letter) ?? null, generation: crockford.indexOf(generation) }
}

/** Returns the generation of a leg from a comment that was verified before. */
export function generationOf(verified: string): number {
  return crockford.indexOf(form.exec(verified)?.[3] ?? '0')
}

function codeOf(key: Uint8Array, open: string): string {
  let bits = BigInt(`0x${createHmac('sha256', key).update(open).digest('hex').slice(0, 18)}`) >> 2n
  let code = ''
  for (let place = 0; place < codeLength; place += 1) {
    code = crockford.charAt(Number(bits % 32n)) + code
    bits /= 32n
  }
  return code
}

/**
 * Returns the visible reference of an unexpected deposit, derived from the firm's account and the bank's id of its
 * transaction. `round` counts the earlier deposits from this transaction, all rejected by the platform.
 */
export function referenceOfLine(
  key: Uint8Array,
  prefix: string,
  line: { bankAccount: string; bankId: string },
  round: number,
): string {
  const source = JSON.stringify(['bank-line', line.bankAccount, line.bankId, round])
  return referenceFrom(prefix, createHmac('sha256', key).update(source).digest())
}

/**
 * Returns the visible reference under which two people reverse an unknown deal on its platform. The same reversal in
 * another copy of the database has the same reference.
 */
export function referenceOfDeal(key: Uint8Array, prefix: string, platform: string, ticket: string): string {
  const source = JSON.stringify(['deal', platform, ticket])
  return referenceFrom(prefix, createHmac('sha256', key).update(source).digest())
}
