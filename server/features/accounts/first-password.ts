/**
 * The first password of a trading account: generated, encrypted under a label with the account's id, and decrypted
 * (requirements 4).
 */
import { randomBytes } from 'node:crypto'
import { tradingPasswordLength } from '#rules/constants.ts'
import type { AccountId } from '#rules/ids.ts'
import { encryptSecret, decryptSecret, type Keys } from '../../crypto/keys.ts'

const passwordCharacters = {
  lower: 'abcdefghijkmnopqrstuvwxyz',
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digit: '23456789',
  special: '#$%+*?@!',
} as const

/**
 * Creates a password of 12 characters from all four classes, accepted by both platforms, without look-alike characters
 * and without those of `checkTradingPassword` that a platform might read differently (ADR 341).
 */
export function newTradingPassword(): string {
  const all = Object.values(passwordCharacters).join('')
  const drawn = [
    ...Object.values(passwordCharacters).map(randomFrom),
    ...Array.from({ length: tradingPasswordLength - 4 }, () => randomFrom(all)),
  ]
  return drawn
    .map((character) => ({ character, order: randomBytes(4).readUInt32BE() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ character }) => character)
    .join('')
}

/** Returns one character, each with equal probability: bytes beyond the last whole multiple are drawn again. */
function randomFrom(letters: string): string {
  const most = 256 - (256 % letters.length)
  for (;;) {
    const byte = randomBytes(1)[0] ?? 0
    if (byte < most) return letters.charAt(byte % letters.length)
  }
}

export const passwordLabel = (accountId: AccountId) => `first-password:${accountId}`

/** Returns the first password of an account in plain text. */
export function firstPassword(keys: Keys, accountId: AccountId, sealed: Buffer): string {
  return decryptSecret(keys.factor, passwordLabel(accountId), sealed).toString()
}

/** Returns the stored password re-encrypted under the current key. */
export function reencryptFirstPassword(keys: Keys, accountId: AccountId, sealed: Buffer): Buffer {
  return encryptSecret(keys.factor, passwordLabel(accountId), Buffer.from(firstPassword(keys, accountId, sealed)))
}
