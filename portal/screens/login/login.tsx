import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { AuthLayout } from '../../layout/auth-layout.tsx'
import { session } from '../../session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

/** The second factor takes the place of the fields; `said` is why it was left. */
type Step = { name: 'credentials'; said?: string } | { name: 'second-factor'; ticket: string }

/** The landing page of those who are not signed in. The guard leads on as soon as there is a token. */
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
