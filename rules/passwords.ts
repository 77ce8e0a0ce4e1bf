/** Requirements for passwords (requirements 4.13). Nothing is trimmed. */
import { passwordLengthMax, tradingPasswordLengthMax, tradingPasswordLengthMin } from './constants.ts'

/** Data for the check of a password; the list of common ones is an argument because it is large. */
interface PasswordContext {
  /** In code points: the current setting, 6 by default, 12 for staff. */
  readonly lengthMin: number
  readonly isCommon: (password: string) => boolean
  /** The person's own names and email address. */
  readonly own: readonly string[]
}

/** Returns why a password is rejected, or null. Lengths count code points. */
export function checkPassword(password: string, ground: PasswordContext) {
  if (password === '') return 'required'
  const length = [...password].length
  if (length < ground.lengthMin) return 'password-short'
  if (length > passwordLengthMax) return 'password-long'
  if (!password.isWellFormed() || /\p{Cc}/u.test(password)) return 'password-characters'
  if (password.trim() === '' || ground.isCommon(password.toLowerCase())) return 'password-common'
  return isOwn(password, ground.own) ? 'password-own' : null
}

function isOwn(password: string, own: readonly string[]): boolean {
  const folded = password.normalize('NFKC').toLowerCase()
  return own
    .flatMap((word) => [word, word.split('@')[0] ?? ''])
    .map((word) => word.normalize('NFKC').trim().toLowerCase())
    .some(
      (word) =>
        [...word].length >= 3 &&
        (folded === word || folded.replace(/(?<![\d\p{P}\p{S}])[\d\p{P}\p{S}]+$/u, '') === word),
    )
}

type Strength = 0 | 1 | 2 | 3

/**
 * Estimates how hard a password is to guess: 0 too short, 1 weak, 2 fair, 3 strong. Length counts most, then character
 * classes; repetitions and sequences (1234, abcd) count little. Only the server has the list of common passwords.
 */
export function passwordStrength(password: string, shortest: number): Strength {
  const characters = [...password]
  if (characters.length < shortest) return 0
  const distinct = new Set(characters).size
  const steps = characters.slice(1).filter((character, index) => {
    const step = (character.codePointAt(0) ?? 0) - (characters[index]?.codePointAt(0) ?? 0)
    return Math.abs(step) > 1
  }).length
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  const points = Math.min(distinct, steps + 2) + kinds * 2
  return points >= 17 ? 3 : points >= 12 ? 2 : 1
}

/**
 * Returns why a trading password is rejected, or null: both platforms accept 8 to 15 characters with a lower-case and
 * an upper-case letter, a digit and a special character (requirements 7.12). A MetaTrader 5 server might read three
 * characters differently from how they were entered (ADR 341).
 */
export function checkTradingPassword(password: string) {
  if (password === '') return 'required'
  if (/[=|\\]/.test(password)) return 'trading-password-characters'
  const fits = password.length >= tradingPasswordLengthMin && password.length <= tradingPasswordLengthMax
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].every((kind) => kind.test(password))
  return fits && kinds && /^[\x21-\x7e]+$/.test(password) ? null : 'trading-password-weak'
}
