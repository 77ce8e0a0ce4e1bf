import { useQueryClient } from '@tanstack/react-query'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { changeRegistrationEmail, checkUserRegister, resendConfirmation } from '#contract/registration.ts'
import { Button } from '#ui/forms/button.tsx'
import { refreshEndpoints, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { EmailText } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { EmailField } from '#ui/forms/text-field.tsx'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { useRegistration, useStepValues } from './registration-state.ts'
import { StepForm, WhyWeAsk } from './step-form.tsx'
import { useStepNames } from './step-names.ts'

/** 1.3: waits for the link in the email; shows a tick after it. */
export function VerifyEmailStep() {
  const { status } = useRegistration()
  return status?.emailConfirmed ? <Confirmed email={status.email} /> : <AwaitingConfirmation />
}

function Confirmed({ email }: { email: string }) {
  const form = useStepValues({})
  return (
    <StepForm
      title={<Trans>Your email address has been confirmed</Trans>}
      form={form}
      answers={() => ({})}
      why={<Trans>We send all information about your money to this address. Use your own email address.</Trans>}
      whoSees={<Trans>You and our staff.</Trans>}
    >
      <Alert kind="ok" title={<EmailText address={email} />}>
        <Trans>You can now continue your registration on any device. Log in with this address and your password.</Trans>
      </Alert>
    </StepForm>
  )
}

function AwaitingConfirmation() {
  const { t } = useLingui()
  const { step, status, goTo } = useRegistration()
  const names = useStepNames()
  const part = names.partOf(step)
  const email = status?.email ?? ''
  const [changing, setChanging] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasChanging = useRef(false)
  // The form replaced its opener, which takes the focus back afterwards.
  useEffect(() => {
    if (wasChanging.current && !changing) opener.current?.focus()
    wasChanging.current = changing
  }, [changing])
  return (
    <>
      <div className="registration-form">
        <StepHeader
          section={
            <Trans>
              {names.stepTitle(step)} · part {part.number} of {part.of}
            </Trans>
          }
          title={<Trans>Check your inbox</Trans>}
        >
          {t`We have sent a link to this address. Open it on any device. This page will continue automatically.`}
        </StepHeader>
        <div className="sheet padded stack">
          <p className="registration-mail">
            <EmailText address={email} />
          </p>
          <p className="row muted size-14" role="status">
            <Spinner />
            <Trans>Waiting for confirmation</Trans>
          </p>
          <Resend key={email} seconds={status?.resendInSeconds ?? 0} />
        </div>
        <div className="stack-6">
          {changing ? (
            <ChangeAddress email={email} onDone={() => setChanging(false)} />
          ) : (
            <p className="size-14 muted registration-change">
              <Trans>
                Wrong address?{' '}
                <button ref={opener} type="button" className="text-button" onClick={() => setChanging(true)}>
                  Change email address
                </button>
              </Trans>
            </p>
          )}
        </div>
        <WizardFooter onBack={() => goTo('1.2')} isAutomatic />
      </div>
      <WhyWeAsk
        why={<Trans>We send all information about your money to this address. Use your own email address.</Trans>}
        whoSees={<Trans>You and our staff.</Trans>}
      />
    </>
  )
}

/** Requests the email again; counts down the wait between two emails. */
function Resend({ seconds }: { seconds: number }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const left = useCountdown(seconds)
  // The registration's status says how long the next wait is.
  const resend = useEndpointMutation(resendConfirmation, {
    refreshes: [checkUserRegister],
    onFailure: () => void refreshEndpoints(queries, [checkUserRegister]),
  })
  const errorText = resend.error instanceof ApiError && left === 0 ? resend.error.error : null
  return (
    <div className="stack-2">
      <Button
        size="small"
        pending={resend.isPending}
        onClick={() => resend.mutate({})}
        disabledReason={
          left > 0 ? (
            <Plural
              value={left}
              one="You can request another email in # second."
              other="You can request another email in # seconds."
            />
          ) : undefined
        }
      >
        <Trans>Resend email</Trans>
      </Button>
      {resend.isSuccess && (
        <p className="size-14 tone-ok" role="status">{t`Sent. The previous link no longer works.`}</p>
      )}
      {errorText && <Alert kind="bad">{errorText}</Alert>}
      <p className="size-13 muted">{t`No email? Check your spam folder.`}</p>
    </div>
  )
}

function ChangeAddress({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useFormValues({ email })
  const { ref } = form
  useEffect(() => ref.current?.querySelector('input')?.select(), [ref])
  const change = useEndpointMutation(changeRegistrationEmail, {
    refreshes: [checkUserRegister],
    onDone: () => {
      showToast(() => t`We have sent the link to the new address.`)
      void queries.invalidateQueries({ queryKey: [checkUserRegister.name] }).then(onDone)
    },
    onFailure: (failure) => void form.sayErrors(() => ({ email: failure.errors['email'] ?? failure.error })),
  })
  return (
    <form
      ref={form.ref}
      className="stack registration-change"
      noValidate
      onSubmit={submitHandler(() => change.mutate({ email: form.values.email.trim() }))}
    >
      <EmailField {...form.text('email')} label={t`New address`} autoComplete="email" />
      <div className="row">
        <Button onClick={onDone}>{t`Cancel`}</Button>
        <Button kind="primary" type="submit" pending={change.isPending}>{t`Send link`}</Button>
      </div>
    </form>
  )
}

/** Returns whole seconds down to 0; starts again when the server sends another number. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const until = Date.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
