import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { newPassword } from '#contract/passwords.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { AuthLayout } from '../../layout/auth-layout.tsx'
import { usePortalSettings } from '../../portal-settings.ts'
import { session } from '../../session.ts'
import { useNewPasswordErrors } from '../profile/new-password-errors.ts'

/** Sets a new password by a link in an email; then the user continues at the start page. */
export default function NewPassword({ params }: ScreenProps) {
  const { t } = useLingui()
  useWindowTitle(t`New password`)
  return (
    <AuthLayout>
      <NewPasswordForm id={params['id'] ?? ''} />
    </AuthLayout>
  )
}

/** Reasons why the link is invalid; only a new one helps. */
const linkCodes = ['link-unknown', 'link-used', 'link-expired']

function NewPasswordForm({ id }: { id: string }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const shortest = usePortalSettings()?.limits.passwordMin ?? 6
  const form = useFormValues({ password: '', confirm_password: '' })
  const [pending, setPending] = useState(false)
  const [linkError, setLinkError] = useState<ApiError | null>(null)
  const faultsOf = useNewPasswordErrors(shortest)
  const { password, confirm_password: again } = form.values
  const send = async () => {
    if (form.sayErrors(() => faultsOf(password, again))) return
    setPending(true)
    try {
      await call(newPassword, { id, password: await encryptPassword(password) })
      session.end('logout')
      showToast(() => t`Your password has been changed. Log in with your new password.`)
      navigate(portalPaths.home)
    } catch (thrown) {
      if (thrown instanceof ApiError && linkCodes.includes(thrown.code)) setLinkError(thrown)
      else form.refuse(thrown)
      setPending(false)
    }
  }
  if (linkError) return <InvalidLink sentence={linkError.error} />
  return (
    <>
      <header>
        <h1>{t`New password`}</h1>
      </header>
      <form ref={form.ref} noValidate onSubmit={submitHandler(() => void send())}>
        <div className="field">
          <PasswordField
            {...form.text('password')}
            label={t`New password`}
            error={form.errors['password'] ?? form.errors['passwordincorrect']}
            autoComplete="new-password"
          />
          <PasswordStrength password={password} shortest={shortest} />
        </div>
        <PasswordField
          {...form.text('confirm_password')}
          label={t`Confirm password`}
          error={form.errors['confirm_password'] ?? form.errors['server']}
          autoComplete="new-password"
        />
        <Button kind="primary" type="submit" full pending={pending}>{t`SAVE`}</Button>
      </form>
    </>
  )
}

/** Shown without fields, because no entry can help any more. */
function InvalidLink({ sentence }: { sentence: string }) {
  return (
    <>
      <StepHeader title={<Trans>New password</Trans>} />
      <Alert kind="bad">{sentence}</Alert>
      <ButtonLink href={portalPaths.forgotPassword} kind="primary" full className="entrance-command">
        <Trans>REQUEST A NEW LINK</Trans>
      </ButtonLink>
    </>
  )
}
