/**
 * References that people read out: the firm's prefix, 7 characters of Crockford base 32 and a check character (mechanics
 * section 2). They are also the bank's EndToEndId.
 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Crockford's check alphabet holds five characters more; a prime modulus finds every single wrong or swapped one. */
const checkModulus = 31n

export const referenceLength = 8

/** A reference from 5 random bytes or more: "CR-7F2K91QX". */
export function referenceFrom(prefix: string, random: Uint8Array): string {
  let number = 0n
  for (const byte of random.subarray(0, 5)) number = number * 256n + BigInt(byte)
  let text = ''
  for (let place = 0; place < referenceLength - 1; place += 1) {
    text = alphabet[Number(number % 32n)] + text
    number /= 32n
  }
  return `${prefix}-${text}${checkCharacter(text)}`
}

function checkCharacter(text: string): string {
  let sum = 0n
  for (const character of text) sum = (sum * 32n + BigInt(alphabet.indexOf(character))) % checkModulus
  // 32 is 1 modulo 31, so places are weighed by their number to find swapped neighbours.
  let weighed = 0n
  for (const [place, character] of [...text].entries())
    weighed += BigInt(place + 2) * BigInt(alphabet.indexOf(character))
  return alphabet[Number((sum + weighed) % checkModulus)] ?? '0'
}

/**
 * The reference in the form in which it is kept, from what a person typed who read or heard it: O is 0, I and L are 1. Null
 * for what is none.
 */
export function readReference(text: string): string | null {
  const [, prefix, rest] = /^([A-Z]{1,4})[-\s]+([A-Z0-9]+)$/.exec(text.trim().toUpperCase()) ?? []
  const read = rest?.replaceAll('O', '0').replace(/[IL]/g, '1') ?? ''
  if (read.length !== referenceLength || [...read].some((character) => !alphabet.includes(character))) return null
  return checkCharacter(read.slice(0, -1)) === read.at(-1) ? `${prefix}-${read}` : null
}
