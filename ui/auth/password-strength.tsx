import { useLingui } from '@lingui/react/macro'
import { passwordStrength } from '#rules/passwords.ts'
import './password-strength.css'

/** Placeholder of the label, so that the layout does not shift with the first character. */
const noWord = '\u00a0'

/** The password strength: a bar of three parts, with a label because colour alone is not accessible. */
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
