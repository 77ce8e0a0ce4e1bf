import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { officeSecondFactor } from '#contract/office/session.ts'
import { AuthenticatorKey, RecoveryCodes } from '#ui/auth/authenticator.tsx'
import { Button } from '#ui/forms/button.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { call } from '#ui/api/call.ts'
import { useCodeForm } from '#ui/auth/code-form.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { submitHandler } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { CodeField } from '#ui/forms/text-field.tsx'
import { session } from '../../session.ts'

export interface Ticket {
  ticket: string
  enrolment: { secret: string; uri: string } | null
}

interface SecondStepProps {
  ticket: Ticket
  /** Returns to the password; with the reason if the ticket has ended. */
  onBack: (reason?: ApiError) => void
}

/** The code of the authenticator app; the first time the app is set up here, and recovery codes are shown once. */
export function SecondStep({ ticket: { ticket, enrolment }, onBack }: SecondStepProps) {
  const { t } = useLingui()
  const [granted, setGranted] = useState<{ token: string; codes: readonly string[] } | null>(null)
  const { form, pending, submit } = useCodeForm(async (code) => {
    const { token, recoveryCodes } = await call(officeSecondFactor, { ticket, code })
    if (recoveryCodes && recoveryCodes.length > 0) setGranted({ token, codes: recoveryCodes })
    else session.keep(token)
  }, onBack)
  if (granted) return <NewRecoveryCodes codes={granted.codes} onKept={() => session.keep(granted.token)} />
  return (
    <>
      <h1 ref={focusOnRender} tabIndex={-1}>
        {enrolment ? <Trans>Set up two-factor authentication</Trans> : <Trans>Confirm your identity</Trans>}
      </h1>
      {enrolment ? (
        <AuthenticatorKey
          {...enrolment}
          steps={
            <ol>
              <li>{t`Scan this code with an authenticator app.`}</li>
              <li>{t`Enter the 6-digit code.`}</li>
            </ol>
          }
        />
      ) : (
        <p className="muted">{t`Enter the 6-digit code from your authenticator app or a recovery code.`}</p>
      )}
      <form ref={form.ref} noValidate onSubmit={submitHandler(submit)}>
        <CodeField
          {...form.text('code')}
          label={t`Code`}
          inputMode={enrolment ? 'numeric' : 'text'}
          maxLength={32}
          spellCheck={false}
        />
        <Button kind="primary" type="submit" full pending={pending}>{t`Sign in`}</Button>
        <p className="sign-in-note">
          <button type="button" className="text-button" onClick={() => onBack()}>
            <Trans>Back to email and password</Trans>
          </button>
        </p>
      </form>
    </>
  )
}

function NewRecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useLingui()
  return (
    <div className="stack">
      <h1 ref={focusOnRender} tabIndex={-1}>{t`Save your recovery codes`}</h1>
      <Alert kind="ok">
        <Trans>
          Two-factor authentication has been set up. Each code works once instead of the app. You will not see them
          again.
        </Trans>
      </Alert>
      <RecoveryCodes codes={codes} onKept={onKept} />
    </div>
  )
}
