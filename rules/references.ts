/**
 * References for people: the firm's prefix, 7 characters of Crockford base 32 and a check character (requirements
 * 18.16). They are also the bank's EndToEndId, and every reference at a platform or a provider begins with one.
 */
export const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * Crockford's check alphabet has five characters more; a prime modulus detects every single wrong or transposed
 * character.
 */
const checkModulus = 31n

const referenceLength = 8

/**
 * The letter of a derived reference that identifies its leg, a movement of its request. A letter is never reused for
 * another leg, because deals on the platforms keep it permanently.
 */
export const referenceLegs = {
  'withdrawal-debit': 'W',
  'withdrawal-reversal': 'V',
  'withdrawal-return': 'R',
  'transfer-withdraw': 'S',
  'transfer-deposit': 'T',
  'transfer-compensate': 'C',
  'deposit-credit': 'D',
  /** A payment at the provider: its merchant reference. */
  checkout: 'K',
  /** The refund of a payment at the provider. */
  'checkout-refund': 'B',
  correction: 'A',
  'demo-balance': 'P',
  /** The reversal of an unknown balance operation on the platform. */
  'deal-reversal': 'X',
  /** The compensation of a negative balance. */
  'negative-balance': 'N',
  /** The remaining balance of a closed account. */
  'account-closing': 'Z',
} as const
export type ReferenceLeg = keyof typeof referenceLegs
/** A leg that changes a balance on a platform. */
export type BalanceLeg = Exclude<ReferenceLeg, 'checkout' | 'checkout-refund'>

/** A generation is one character: the first attempt and 31 more, each after a refusal. */
export const generationMax = 31

/** Returns a reference from at least 5 random bytes: "CR-7F2K91QX". */
export function referenceFrom(prefix: string, random: Uint8Array): string {
  let number = 0n
  for (const byte of random.subarray(0, 5)) number = number * 256n + BigInt(byte)
  let text = ''
  for (let place = 0; place < referenceLength - 1; place += 1) {
    text = crockford[Number(number % 32n)] + text
    number /= 32n
  }
  return `${prefix}-${text}${checkCharacter(text)}`
}

function checkCharacter(text: string): string {
  let sum = 0n
  for (const character of text) sum = (sum * 32n + BigInt(crockford.indexOf(character))) % checkModulus
  // 32 is 1 modulo 31, so positions are weighted by their number to detect transpositions.
  let weightedSum = 0n
  for (const [place, character] of [...text].entries())
    weightedSum += BigInt(place + 2) * BigInt(crockford.indexOf(character))
  return crockford[Number((sum + weightedSum) % checkModulus)] ?? '0'
}

/**
 * Returns the references that a payment's text may name, in their stored form: banks and payers change spaces, hyphens
 * and case. By chance some letters of a text look like one, so the caller searches for their records.
 */
export function referencesIn(text: string): string[] {
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const found = new Set<string>()
  for (const { index, 1: rest = '' } of letters.matchAll(/(?=([0-9A-HJKMNP-TV-Z]{8}))/g)) {
    if (checkCharacter(rest.slice(0, -1)) !== rest.at(-1)) continue
    const [before = ''] = /[A-Z]{0,3}$/.exec(letters.slice(0, index)) ?? []
    for (let place = 0; place < before.length; place += 1) found.add(`${before.slice(place)}-${rest}`)
  }
  return [...found]
}

/** Returns a typed reference in its stored form, or null if it is none. O is read as 0, I and L as 1. */
export function readReference(text: string): string | null {
  const [, prefix, rest] = /^([A-Z]{1,3})[-\s]+([A-Z0-9]+)$/.exec(text.trim().toUpperCase()) ?? []
  const read = rest?.replaceAll('O', '0').replace(/[IL]/g, '1') ?? ''
  if (read.length !== referenceLength || [...read].some((character) => !crockford.includes(character))) return null
  return checkCharacter(read.slice(0, -1)) === read.at(-1) ? `${prefix}-${read}` : null
}
