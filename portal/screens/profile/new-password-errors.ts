/**
 * A new password that is entered twice: the alerts of requirements 4.14 under the fields, all of them at the same time.
 */
import { useLingui } from '@lingui/react/macro'
import { type FieldErrors, noErrors } from '#ui/forms/form-state.ts'

/** Returns the errors of an entered password; `shortest` is the current setting. */
export function usePasswordError(shortest: number): (password: string) => FieldErrors {
  const { t } = useLingui()
  return (password) =>
    password !== '' && [...password].length < shortest
      ? { password: t`Password MUST contain at least ${shortest} characters!` }
      : noErrors
}

/** Returns the errors of the fields `password` and `confirm_password`. */
export function useNewPasswordErrors(shortest: number): (password: string, again: string) => FieldErrors {
  const { t } = useLingui()
  const faultOf = usePasswordError(shortest)
  return (password, again) => ({
    ...(password === '' ? { password: t`Enter a new password.` } : noErrors),
    ...faultOf(password),
    ...(again === '' ? { confirm_password: t`Enter the password again.` } : noErrors),
    ...(password !== '' && again !== '' && password !== again
      ? { confirm_password: t`Passwords MUST match!` }
      : noErrors),
  })
}
