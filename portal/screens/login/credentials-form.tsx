import { IconLock } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useContext, useState } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { login } from '#contract/users-session.ts'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { submitting, useFormValues } from '#ui/forms/form-values.ts'
import { Link, PrefetchContext } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { EmailField } from '#ui/forms/text-field.tsx'
import { session } from '../../session.ts'

interface CredentialsFormProps {
  email: string
  onEmail: (email: string) => void
  said: string | undefined
  onToken: (token: string) => void
  onTicket: (ticket: string) => void
}

/** Email and password; errors are shown under the fields by the keys of requirements 16.1. */
export function CredentialsForm({ email, onEmail, said, onToken, onTicket }: CredentialsFormProps) {
  const { t } = useLingui()
  const form = useFormValues({ email, password: '' })
  const [pending, setPending] = useState(false)
  const prefetch = useContext(PrefetchContext)
  const errors = form.errors
  const send = async () => {
    const missing = {
      ...(form.values.email.trim() === '' ? { email: t`Enter your email address.` } : {}),
      ...(form.values.password === '' ? { password: t`Enter your password.` } : {}),
    }
    if (form.sayErrors(missing)) return
    onEmail(form.values.email)
    setPending(true)
    try {
      const answer = await call(login, {
        email: form.values.email.trim(),
        password: await encryptPassword(form.values.password),
      })
      if (answer.token) onToken(answer.token)
      else if (answer.ticket) onTicket(answer.ticket)
    } catch (thrown) {
      form.refuse(
        thrown instanceof ApiError && Object.keys(thrown.errors).length === 0
          ? new ApiError({
              status: thrown.status,
              code: thrown.code,
              error: thrown.error,
              errors: { server: thrown.error },
            })
          : thrown,
      )
    }
    setPending(false)
  }
  const ended = session.endReason()
  return (
    <>
      <header>
        <h1>{t`Log in`}</h1>
        <p>
          <Trans>
            New here? <Link href={portalPaths.register}>Open an account</Link>
          </Trans>
        </p>
      </header>
      <form ref={form.ref} noValidate onSubmit={submitting(() => void send())}>
        {said && <Alert kind="wait">{said}</Alert>}
        {!said && (ended === 'expired' || ended === 'ended') && (
          <Alert kind="wait">{t`Your session has ended. Log in again.`}</Alert>
        )}
        <EmailField {...form.text('email')} label={t`Email`} autoComplete="username" />
        <PasswordField
          {...form.text('password')}
          label={t`Password`}
          labelEnd={<Link href={portalPaths.forgotPassword}>{t`Forgot password`}</Link>}
          error={errors['password'] ?? errors['passwordincorrect'] ?? errors['emailorpassword'] ?? errors['server']}
          autoComplete="current-password"
          // The page after the login is prefetched while the password is entered.
          onFocus={() => prefetch(portalPaths.tradingAccounts)}
        />
        <Button kind="primary" type="submit" full pending={pending}>{t`SIGN IN`}</Button>
        <p className="entrance-note">
          <IconLock className="small" aria-hidden="true" />
          <span>{t`Your password is encrypted in this browser before it is sent.`}</span>
        </p>
      </form>
    </>
  )
}
