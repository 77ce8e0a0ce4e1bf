import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { resetPassword } from '#contract/passwords.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { noErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { EmailField } from '#ui/forms/text-field.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { AuthLayout } from '../../layout/auth-layout.tsx'

/** Requests a link for a new password; the response is the same whether or not the address is known. */
export default function ForgotPassword() {
  const { t } = useLingui()
  const [sent, setSent] = useState(false)
  useWindowTitle(t`Forgot password`)
  return <AuthLayout>{sent ? <Sent /> : <AddressForm onSent={() => setSent(true)} />}</AuthLayout>
}

function AddressForm({ onSent }: { onSent: () => void }) {
  const { t } = useLingui()
  const form = useFormValues({ email: '' })
  const reset = useEndpointMutation(resetPassword, { onDone: onSent, onFailure: form.refuse })
  const send = () => {
    const email = form.values.email.trim()
    if (form.sayErrors(() => (email === '' ? { email: t`Enter your email address.` } : noErrors))) return
    reset.mutate({ email })
  }
  return (
    <>
      <header>
        <h1>{t`Forgot password`}</h1>
        <p>{t`We will email you a link to reset your password.`}</p>
      </header>
      <form ref={form.ref} noValidate onSubmit={submitHandler(send)}>
        <EmailField
          {...form.text('email')}
          label={t`Email`}
          error={form.errors['email'] ?? form.errors['server']}
          autoComplete="username"
        />
        <Button kind="primary" type="submit" full pending={reset.isPending}>{t`RESET`}</Button>
        <BackToLogin />
      </form>
    </>
  )
}

function Sent() {
  return (
    <>
      <StepHeader title={<Trans>Please check your email.</Trans>} />
      <BackToLogin kind="primary" />
    </>
  )
}

/** Secondary to RESET before the request, the primary action after it. */
function BackToLogin({ kind = 'outline' }: { kind?: 'primary' | 'outline' }) {
  const { t } = useLingui()
  return <ButtonLink href={portalPaths.login} kind={kind} full>{t`BACK TO LOGIN`}</ButtonLink>
}
