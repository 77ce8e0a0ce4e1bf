import { Trans, useLingui } from '@lingui/react/macro'
import { useState, useContext } from 'react'
import { IconLock } from '@tabler/icons-react'
import { loginSecondFactor, login } from '#contract/users-session.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { useCodeForm } from '#ui/auth/code-form.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { CodeField, EmailField } from '#ui/forms/text-field.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { Link, PrefetchContext } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import type { EndReason } from '#ui/auth/session.ts'
import { AuthLayout } from '../../layout/auth-layout.tsx'
import { session } from '../../session.ts'

/** The second factor replaces the fields; `reason` is why that step was left. */
type Step = { name: 'credentials'; reason?: ApiError } | { name: 'second-factor'; ticket: string }

/** The landing page of visitors. The guard redirects as soon as there is a token. */
export default function Login() {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>({ name: 'credentials' })
  const [email, setEmail] = useState('')
  useWindowTitle(t`Log in`)
  const done = (token: string) => session.keep(token)
  return (
    <AuthLayout>
      {step.name === 'credentials' ? (
        <CredentialsForm
          email={email}
          onEmail={setEmail}
          reason={step.reason}
          onToken={done}
          onTicket={(ticket) => setStep({ name: 'second-factor', ticket })}
        />
      ) : (
        <SecondFactorForm
          ticket={step.ticket}
          onToken={done}
          onBack={(reason) => setStep(reason ? { name: 'credentials', reason } : { name: 'credentials' })}
        />
      )}
    </AuthLayout>
  )
}

interface SecondFactorFormProps {
  ticket: string
  onToken: (token: string) => void
  /** Returns to the password; with the reason if the ticket has ended. */
  onBack: (reason?: ApiError) => void
}

/** The form for a code of the authenticator app, or a recovery code. */
function SecondFactorForm({ ticket, onToken, onBack }: SecondFactorFormProps) {
  const { t } = useLingui()
  const [recovery, setRecovery] = useState(false)
  const { form, pending, submit } = useCodeForm(
    async (code) => onToken((await call(loginSecondFactor, { ticket, code })).token),
    onBack,
  )
  const change = () => {
    form.set({ code: '' })
    setRecovery(!recovery)
  }
  return (
    <>
      <header>
        <h1 ref={focusOnRender} tabIndex={-1}>{t`Confirm your identity`}</h1>
        <p>
          {recovery
            ? t`Enter one of your recovery codes. Each code works once.`
            : t`Enter the 6-digit code from your authenticator app.`}
        </p>
      </header>
      <form ref={form.ref} noValidate onSubmit={submitHandler(submit)}>
        <CodeField
          {...form.text('code')}
          key={recovery ? 'recovery' : 'code'}
          label={recovery ? t`Recovery code` : t`Code`}
          inputMode={recovery ? 'text' : 'numeric'}
          maxLength={32}
          spellCheck={false}
        />
        <Button kind="primary" type="submit" full pending={pending}>{t`SIGN IN`}</Button>
        <p className="entrance-note">
          <button type="button" className="text-button" onClick={change}>
            {recovery ? t`Use the app instead` : t`No access to your phone? Use a recovery code`}
          </button>
        </p>
        <p className="entrance-note">
          <button type="button" className="text-button" onClick={() => onBack()}>
            <Trans>Back to email and password</Trans>
          </button>
        </p>
      </form>
    </>
  )
}

interface CredentialsFormProps {
  email: string
  onEmail: (email: string) => void
  reason: ApiError | undefined
  onToken: (token: string) => void
  onTicket: (ticket: string) => void
}

/** Email and password; errors are shown under the fields by the keys of requirements 16.1. */
function CredentialsForm({ email, onEmail, reason, onToken, onTicket }: CredentialsFormProps) {
  const { t } = useLingui()
  const form = useFormValues({ email, password: '' })
  const [pending, setPending] = useState(false)
  const prefetch = useContext(PrefetchContext)
  const errors = form.errors
  const send = async () => {
    const missing = () => ({
      ...(form.values.email.trim() === '' ? { email: t`Enter your email address.` } : {}),
      ...(form.values.password === '' ? { password: t`Enter your password.` } : {}),
    })
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
      if (thrown instanceof ApiError && Object.keys(thrown.errors).length === 0)
        form.sayErrors(() => ({ server: thrown.error }))
      else form.refuse(thrown)
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
      <form ref={form.ref} noValidate onSubmit={submitHandler(() => void send())}>
        {reason && <Alert kind="wait">{reason.error}</Alert>}
        {!reason && ended && <EndOfSession reason={ended} />}
        <EmailField {...form.text('email')} label={t`Email`} autoComplete="username" />
        <PasswordField
          {...form.text('password')}
          label={t`Password`}
          labelEnd={<Link className="lone-link" href={portalPaths.forgotPassword}>{t`Forgot password`}</Link>}
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

/** Says why the client is at the login, and how to continue; nothing after a plain logout. */
function EndOfSession({ reason }: { reason: EndReason }) {
  const { t } = useLingui()
  if (reason === 'expired' || reason === 'ended')
    return <Alert kind="wait">{t`Your session has ended. Log in again.`}</Alert>
  if (reason === 'paused')
    return <Alert kind="ok">{t`Your progress is saved. Log in to continue on this or another device.`}</Alert>
  if (reason === 'unconfirmed')
    return (
      <Alert kind="ok">{t`Your answers are saved. Open the link in our email to continue your registration.`}</Alert>
    )
  return null
}
