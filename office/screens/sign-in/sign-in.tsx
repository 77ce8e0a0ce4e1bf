import { IconLock } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { officeLogin } from '#contract/office/session.ts'
import { Button } from '#ui/forms/button.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { call } from '#ui/api/call.ts'
import { useCredentialSubmit } from '#ui/auth/use-sending.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { EmailField } from '#ui/forms/text-field.tsx'
import { session } from '../../session.ts'
import { SecondStep, type Ticket } from './second-step.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** The second factor replaces the fields; `reason` is why that step was left. */
type Step = { name: 'credentials'; reason?: ApiError } | { name: 'second-factor'; ticket: Ticket }

/** Signs staff in: password, then a one-time code. The layout redirects as soon as there is a token. */
export default function SignIn() {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>({ name: 'credentials' })
  const [email, setEmail] = useState('')
  useWindowTitle(t`Sign in`)
  return (
    <SignInFrame>
      {step.name === 'credentials' ? (
        <Credentials
          email={email}
          reason={step.reason}
          onTicket={(ticket, typed) => {
            setEmail(typed)
            setStep({ name: 'second-factor', ticket })
          }}
        />
      ) : (
        <SecondStep
          ticket={step.ticket}
          onBack={(reason) => setStep(reason === undefined ? { name: 'credentials' } : { name: 'credentials', reason })}
        />
      )}
    </SignInFrame>
  )
}

interface CredentialsProps {
  email: string
  reason: ApiError | undefined
  onTicket: (ticket: Ticket, email: string) => void
}

function Credentials({ email, reason, onTicket }: CredentialsProps) {
  const { t } = useLingui()
  const form = useFormValues({ email, password: '' })
  const { pending, send } = useCredentialSubmit(form, 'password')
  const submit = () => {
    const typed = form.values.email.trim()
    const missing = () => ({
      ...(typed === '' ? { email: t`Enter your email address.` } : {}),
      ...(form.values.password === '' ? { password: t`Enter your password.` } : {}),
    })
    if (form.sayErrors(missing)) return
    void send(async () =>
      onTicket(await call(officeLogin, { email: typed, password: await encryptPassword(form.values.password) }), typed),
    )
  }
  const ended = session.endReason()
  return (
    <>
      <h1>{t`Sign in to the back office`}</h1>
      {reason && <Alert kind="wait">{reason.error}</Alert>}
      {!reason && (ended === 'expired' || ended === 'ended') && (
        <Alert kind="wait">{t`Your session has ended. Sign in again.`}</Alert>
      )}
      <form ref={form.ref} noValidate onSubmit={submitHandler(submit)}>
        <EmailField {...form.text('email')} label={t`Email`} autoComplete="username" />
        <PasswordField {...form.text('password')} label={t`Password`} autoComplete="current-password" />
        <Button kind="primary" type="submit" full pending={pending}>{t`Sign in`}</Button>
        <p className="sign-in-note">
          <IconLock className="small" aria-hidden="true" />
          <span>{t`Next, enter a code from your authenticator app. Lost access? Contact an administrator.`}</span>
        </p>
      </form>
    </>
  )
}
