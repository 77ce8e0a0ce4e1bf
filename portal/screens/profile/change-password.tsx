import { Trans, useLingui } from '@lingui/react/macro'
import { useSending } from '#ui/auth/use-sending.ts'
import { changePassword } from '#contract/passwords.ts'
import { listSessions } from '#contract/security.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { noErrors, submitting, useFormValues } from '#ui/forms/form-values.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { useNewPasswordErrors } from './new-password-errors.ts'

/** A form of Security: disabled while another one is open. */
interface ChangePasswordProps {
  open: boolean
  waits: boolean
  onOpen: (open: boolean) => void
}

/** The change of the password; keeps this session and ends the others. */
export function ChangePassword({ open, waits, onOpen }: ChangePasswordProps) {
  const { t } = useLingui()
  if (open) return <PasswordForm onClose={() => onOpen(false)} />
  return (
    <>
      <p className="muted size-14">{t`Changing your password ends all other sessions.`}</p>
      <Button
        size="small"
        disabledReason={waits ? t`Complete or cancel the form below first.` : undefined}
        onClick={() => onOpen(true)}
      >
        <Trans>Change password</Trans>
      </Button>
    </>
  )
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const shortest = usePortalSettings()?.limits.passwordMin ?? 6
  const form = useFormValues({ currentPassword: '', password: '', confirm_password: '' })
  const { pending, send } = useSending(form, 'confirm_password')
  const { currentPassword, password, confirm_password: again } = form.values
  const faultsOf = useNewPasswordErrors(shortest)
  const wrong = () => ({
    ...(currentPassword === '' ? { currentPassword: t`Enter your current password.` } : noErrors),
    ...faultsOf(password, again),
  })
  const submit = () => {
    if (form.sayErrors(wrong())) return
    void send(async () => {
      await call(changePassword, {
        currentPassword: await encryptPassword(currentPassword),
        password: await encryptPassword(password),
      })
      showToast(t`Your password has been changed. We have ended your other sessions.`)
      void refresh(queries, [listSessions])
      onClose()
    })
  }
  return (
    <form ref={form.ref} className="profile-edit stack" noValidate onSubmit={submitting(submit)}>
      <PasswordField {...form.text('currentPassword')} label={t`Current password`} autoComplete="current-password" />
      <div>
        <PasswordField {...form.text('password')} label={t`New password`} autoComplete="new-password" />
        <PasswordStrength password={password} shortest={shortest} />
      </div>
      <PasswordField {...form.text('confirm_password')} label={t`Confirm password`} autoComplete="new-password" />
      <FormActions pending={pending} onCancel={onClose}>{t`CHANGE PASSWORD`}</FormActions>
    </form>
  )
}
