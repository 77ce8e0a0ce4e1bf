import { IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { registerWeb } from '#contract/registration.ts'
import { settings } from '#contract/settings.ts'
import { stepMarkOf, registrationSteps } from '#rules/registration.ts'
import { call } from '#ui/api/call.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ApiError, fieldErrors } from '#ui/api/api-error.ts'
import { scrollIntoViewOnRender, type FieldErrors, noErrors, submitHandler } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { type Answers, useRegistration, type useStepValues } from './registration-state.ts'
import { useOpenDueStep } from './registered-elsewhere.ts'
import { useStepNames } from './step-names.ts'

interface StepFormProps<Values extends Answers> {
  /** The question. */
  title: ReactNode
  lead?: ReactNode
  form: ReturnType<typeof useStepValues<Values>>
  /** Returns errors before the request is sent. */
  check?: () => FieldErrors
  /** Returns errors that the server reports too, in better words: shown together with all its other errors. */
  faults?: () => FieldErrors
  /** Returns the answers to send beside the step, if they are not the form's values; encrypts a password. */
  answers?: () => Answers | Promise<Answers>
  /** Returns the answers that this browser stores, without secrets. */
  kept?: (answers: Answers) => Answers
  next?: ReactNode
  disabledReason?: ReactNode
  /** Why we ask: beside the fields in wide windows. */
  why: ReactNode
  whoSees?: ReactNode
  children: ReactNode
}

/** One substep: its question, fields, BACK and NEXT, and why we ask. */
export function StepForm<Values extends Answers>({
  title,
  lead,
  form,
  check,
  faults,
  answers,
  kept,
  next,
  disabledReason,
  why,
  whoSees,
  children,
}: StepFormProps<Values>) {
  const { t } = useLingui()
  const { step, saved, goTo, status } = useRegistration()
  const names = useStepNames()
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const queries = useQueryClient()
  const catchUp = useOpenDueStep()
  const before = registrationSteps[registrationSteps.indexOf(step) - 1]
  const closed = before === undefined || (status?.emailConfirmed && (before === '1.1' || before === '1.2'))
  const send = async () => {
    setFailure(null)
    if (form.sayErrors(() => check?.() ?? noErrors)) return
    setPending(true)
    try {
      const given = answers ? await answers() : form.values
      const answer = await call(registerWeb, { ...stepMarkOf(step), ...given })
      setPending(false)
      form.deleteDraft()
      saved(answer.data, kept ? kept(given) : given)
    } catch (thrown) {
      await catchUp(thrown)
      setPending(false)
      refuse(thrown)
    }
  }
  const refuse = (thrown: unknown) => {
    const isOfFields = Object.keys(errorsByField(thrown)).some((name) => name in form.values)
    // The current text replaces the one that was read, and needs its own tick.
    if (thrown instanceof ApiError && thrown.code === 'text-replaced') void refreshEndpoints(queries, [settings])
    if (isOfFields) form.sayErrors(() => ({ ...errorsByField(thrown), ...faults?.() }))
    else setFailure(thrown)
  }
  const part = names.partOf(step)
  return (
    <>
      <form ref={form.ref} className="registration-form" noValidate onSubmit={submitHandler(() => void send())}>
        <StepHeader
          section={
            <Trans>
              {names.stepTitle(step)} · part {part.number} of {part.of}
            </Trans>
          }
          title={title}
        >
          {lead}
        </StepHeader>
        <div className="stack-6">{children}</div>
        {failure !== null && (
          <div ref={scrollIntoViewOnRender} className="registration-said">
            <Alert kind="bad">
              {failure instanceof ApiError
                ? (Object.values(failure.errors)[0] ?? failure.error)
                : t`Something went wrong!`}
            </Alert>
          </div>
        )}
        <WizardFooter
          onBack={closed ? undefined : () => goTo(before)}
          pending={pending}
          next={next}
          disabledReason={disabledReason}
        />
      </form>
      <WhyWeAsk why={why} whoSees={whoSees} />
    </>
  )
}

/** The tick of each text whose version is sent. */
const ticks: Readonly<Record<string, string>> = {
  termsVersion: 'acceptTerms',
  privacyVersion: 'acceptPrivacy',
  version: 'accepted',
}

/** Returns errors by field; a replaced text at its tick. */
function errorsByField(thrown: unknown): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors(thrown)).map(([name, sentence]) => [ticks[name] ?? name, sentence]),
  )
}

/** On the right from 1280 px on; left out of narrower windows. */
export function WhyWeAsk({ why, whoSees }: { why: ReactNode; whoSees?: ReactNode }) {
  const { t } = useLingui()
  return (
    <aside className="registration-why">
      <h2 className="title-4 row">
        <IconInfoCircle className="small" aria-hidden="true" />
        <Trans>Why we ask</Trans>
      </h2>
      <p>{why}</p>
      <h2 className="title-4">{t`Who can see this`}</h2>
      <p>{whoSees ?? <Trans>Only the staff who review new clients.</Trans>}</p>
    </aside>
  )
}
