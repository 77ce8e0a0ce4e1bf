import { useQueryClient } from '@tanstack/react-query'
import { useCredentialSubmit } from '#ui/auth/use-sending.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { profile } from '#contract/profile.ts'
import { confirmSecondFactor, disableSecondFactor, listSessions, startSecondFactor } from '#contract/security.ts'
import { AuthenticatorKey, RecoveryCodes } from '#ui/auth/authenticator.tsx'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { type FieldErrors, noErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { CodeField } from '#ui/forms/text-field.tsx'

type Step =
  | { name: 'closed' }
  | { name: 'password' }
  | { name: 'app'; secret: string; uri: string }
  | { name: 'codes'; recoveryCodes: readonly string[] }
  | { name: 'off' }

interface SecondFactorProps {
  on: boolean
  /** True while another form of Security is open. */
  waits: boolean
  onOpen: (open: boolean) => void
}

/** Turns 2FA on by password, app and code; turns it off by password and code. */
export function SecondFactor({ on, waits, onOpen }: SecondFactorProps) {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>({ name: 'closed' })
  const open = (first: Step) => {
    setStep(first)
    onOpen(true)
  }
  const close = () => {
    setStep({ name: 'closed' })
    onOpen(false)
  }
  const reason = waits ? t`Complete or cancel the form above first.` : undefined
  if (step.name === 'password')
    return <StartForm onStarted={(started) => setStep({ name: 'app', ...started })} onClose={close} />
  if (step.name === 'app')
    return (
      <ConfirmForm
        secret={step.secret}
        uri={step.uri}
        onCodes={(recoveryCodes) => setStep({ name: 'codes', recoveryCodes })}
        onClose={close}
      />
    )
  if (step.name === 'codes') return <NewRecoveryCodes codes={step.recoveryCodes} onClose={close} />
  if (step.name === 'off') return <DisableForm onClose={close} />
  return (
    <>
      <p className="muted size-14">
        {on
          ? t`On. You log in with your password and a code from your app.`
          : t`Off. When on, you log in with your password and a code from an app.`}
      </p>
      {on ? (
        <Button size="small" kind="danger" disabledReason={reason} onClick={() => open({ name: 'off' })}>
          <Trans>Turn off</Trans>
        </Button>
      ) : (
        <Button size="small" disabledReason={reason} onClick={() => open({ name: 'password' })}>{t`Turn on`}</Button>
      )}
    </>
  )
}

/** Returns errors for empty fields: they are not sent, because they would count as a wrong attempt. */
function useMissingErrors(): (typed: { password?: string; code?: string }) => FieldErrors {
  const { t } = useLingui()
  return ({ password, code }) => ({
    ...(password === '' ? { password: t`Enter your password.` } : noErrors),
    ...(code?.trim() === '' ? { code: t`Enter the code.` } : noErrors),
  })
}

interface StartFormProps {
  onStarted: (started: { secret: string; uri: string }) => void
  onClose: () => void
}

function StartForm({ onStarted, onClose }: StartFormProps) {
  const { t } = useLingui()
  const form = useFormValues({ password: '' })
  const { pending, send } = useCredentialSubmit(form, 'password')
  const missing = useMissingErrors()
  const start = () => {
    if (form.sayErrors(() => missing(form.values))) return
    void send(async () =>
      onStarted(await call(startSecondFactor, { password: await encryptPassword(form.values.password) })),
    )
  }
  return (
    <form ref={form.ref} className="profile-edit stack" noValidate onSubmit={submitHandler(start)}>
      <PasswordField {...form.text('password')} label={t`Your password`} autoComplete="current-password" />
      <FormActions pending={pending} onCancel={onClose}>{t`CONTINUE`}</FormActions>
    </form>
  )
}

interface ConfirmFormProps {
  secret: string
  uri: string
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}

function ConfirmForm({ secret, uri, onCodes, onClose }: ConfirmFormProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useFormValues({ code: '' })
  const { pending, send } = useCredentialSubmit(form, 'code')
  const missing = useMissingErrors()
  const confirm = () => {
    if (form.sayErrors(() => missing(form.values))) return
    void send(async () => {
      const { recoveryCodes } = await call(confirmSecondFactor, { code: form.values.code.trim() })
      onCodes(recoveryCodes)
      void refreshEndpoints(queries, [profile, listSessions])
    })
  }
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={submitHandler(confirm)}>
      <AuthenticatorKey
        secret={secret}
        uri={uri}
        steps={<p>{t`Scan this code with an authenticator app. Then enter the 6-digit code.`}</p>}
      >
        <CodeField {...form.text('code')} label={t`Code`} inputMode="numeric" maxLength={12} />
      </AuthenticatorKey>
      <FormActions pending={pending} onCancel={onClose}>{t`TURN ON`}</FormActions>
    </form>
  )
}

function NewRecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="stack">
      <Alert kind="ok" title={<Trans>Two-factor authentication is on</Trans>}>
        <Trans>
          We have ended your other sessions. Save these recovery codes in a place you can reach without your phone. Each
          code works once. You will not see them again.
        </Trans>
      </Alert>
      <RecoveryCodes codes={codes} onKept={onClose} />
    </div>
  )
}

function DisableForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useFormValues({ password: '', code: '' })
  const { pending, send } = useCredentialSubmit(form, 'code')
  const missing = useMissingErrors()
  const disable = () => {
    if (form.sayErrors(() => missing(form.values))) return
    void send(async () => {
      await call(disableSecondFactor, {
        password: await encryptPassword(form.values.password),
        code: form.values.code.trim(),
      })
      await refreshEndpoints(queries, [profile, listSessions])
      showToast(() => t`Two-factor authentication is off. We have ended your other sessions.`)
      onClose()
    })
  }
  return (
    <form ref={form.ref} className="profile-edit stack" noValidate onSubmit={submitHandler(disable)}>
      <PasswordField {...form.text('password')} label={t`Your password`} autoComplete="current-password" />
      <CodeField {...form.text('code')} label={t`Code or recovery code`} maxLength={32} />
      <FormActions kind="danger" pending={pending} onCancel={onClose}>{t`TURN OFF`}</FormActions>
    </form>
  )
}
