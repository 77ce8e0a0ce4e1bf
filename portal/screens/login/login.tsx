import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { AuthLayout } from '../../layout/auth-layout.tsx'
import { session } from '../../session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { loginSecondFactor } from '#contract/users-session.ts'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { useCodeForm } from '#ui/auth/code-form.ts'
import { takeFocus } from '#ui/forms/form-focus.ts'
import { submitting } from '#ui/forms/form-values.ts'
import { TextField } from '#ui/forms/text-field.tsx'

/** The second factor replaces the fields; `said` is why that step was left. */
type Step = { name: 'credentials'; said?: string } | { name: 'second-factor'; ticket: string }

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
          said={step.said}
          onToken={done}
          onTicket={(ticket) => setStep({ name: 'second-factor', ticket })}
        />
      ) : (
        <SecondFactorForm
          ticket={step.ticket}
          onToken={done}
          onBack={(said) => setStep(said ? { name: 'credentials', said } : { name: 'credentials' })}
        />
      )}
    </AuthLayout>
  )
}

interface SecondFactorFormProps {
  ticket: string
  onToken: (token: string) => void
  /** Returns to the password; with the reason if the ticket has ended. */
  onBack: (said?: string) => void
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
        <h1 ref={takeFocus} tabIndex={-1}>{t`Confirm your identity`}</h1>
        <p>
          {recovery
            ? t`Enter one of your recovery codes. Each code works once.`
            : t`Enter the 6-digit code from your authenticator app.`}
        </p>
      </header>
      <form ref={form.ref} noValidate onSubmit={submitting(submit)}>
        <TextField
          {...form.text('code')}
          key={recovery ? 'recovery' : 'code'}
          label={recovery ? t`Recovery code` : t`Code`}
          className="numbers"
          autoComplete="one-time-code"
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
