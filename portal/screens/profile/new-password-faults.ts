/** A new password that is written twice: the specification's alerts, under the fields, all of them at once. */
import { useLingui } from '@lingui/react/macro'
import { type FieldErrors, noErrors } from '#ui/form-values.ts'

/** What is wrong with the fields `password` and `confirm_password`; `shortest` is the setting in force. */
export function useNewPasswordFaults(shortest: number): (password: string, again: string) => FieldErrors {
  const { t } = useLingui()
  return (password, again) => ({
    ...(password === '' ? { password: t`Write a new password.` } : noErrors),
    ...(password !== '' && [...password].length < shortest
      ? { password: t`Password MUST contain at least ${shortest} characters!` }
      : noErrors),
    ...(again === '' ? { confirm_password: t`Write it once more.` } : noErrors),
    ...(password !== '' && again !== '' && password !== again
      ? { confirm_password: t`Passwords MUST match!` }
      : noErrors),
  })
}
