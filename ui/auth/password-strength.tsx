import { useLingui } from '@lingui/react/macro'
import { passwordStrength } from '#rules/passwords.ts'
import './password-strength.css'

/** Holds the place of the word, so that nothing moves with the first character. */
const noWord = '\u00a0'

/** The strength meter: a bar of three parts and, since colour alone says nothing, its word. */
export function PasswordStrength({ password, shortest }: { password: string; shortest: number }) {
  const { t } = useLingui()
  const strength = passwordStrength(password, shortest)
  const words = [
    t`Too short. Use at least ${shortest} characters.`,
    t`Weak. Use a longer password.`,
    t`Fair. Use a longer or less predictable password.`,
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
