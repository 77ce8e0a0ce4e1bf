import { useLingui } from '@lingui/react/macro'
import './password-strength.css'

export type Strength = 0 | 1 | 2 | 3

/**
 * How hard a password is to guess: 0 too short, 1 weak, 2 fair, 3 strong. Length counts most, then kinds of
 * characters; repeated characters and plain rows (1234, abcd) count little. The server alone knows the list of common ones.
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

/** Holds the place of the word, so that nothing moves with the first character. */
const noWord = '\u00a0'

/** The strength meter: a bar of three parts and, since colour alone says nothing, its word. */
export function PasswordStrength({ password, shortest }: { password: string; shortest: number }) {
  const { t } = useLingui()
  const strength = passwordStrength(password, shortest)
  const words = [
    t`Too short: ${shortest} characters at least`,
    t`Weak: a longer one is safer`,
    t`Fair: longer or less regular is safer`,
    t`Strong`,
  ]
  return (
    <div className={`password-strength level-${strength}`} role="status">
      <span className="password-strength-bar" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>{password ? words[strength] : noWord}</span>
    </div>
  )
}
