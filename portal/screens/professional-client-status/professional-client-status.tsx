import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, useCallback } from 'react'
import { useLocation } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import {
  checkClientsProfessionalStatus,
  getProfessionalClientsApplication,
  professionalAnswers,
  submitClientsProfessionalApplication,
} from '#contract/professional-status.ts'
import { type ProfessionalAnswers, stepAfter } from '#rules/professional-status.ts'
import { useBrowserBack, useSteps } from '#ui/navigation/browser-back.ts'
import { failedRead, useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { scrollIntoViewOnRender } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { EmailLink } from '#ui/text/email-link.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { usePortalSettings } from '../../portal-settings.ts'
import { useClient } from '../../session.ts'
import { Confirmation } from './confirmation.tsx'
import { Disclosure } from './disclosure.tsx'
import { EmployerStep, ExperienceStep, PortfolioStep, TradeSizeStep } from './questions.tsx'
import * as z from 'zod/mini'
import { IconCheck } from '@tabler/icons-react'
import './professional-client-status.css'

type Application = NonNullable<ResponseOf<typeof getProfessionalClientsApplication>['application']>

/** Six steps; a submitted application opens the last one directly. */
export default function ProfessionalClientStatus() {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const disabled = useEndpoint(checkClientsProfessionalStatus, {})
  const applicationRead = useEndpoint(getProfessionalClientsApplication, {})
  const client = useClient()
  // A professional client who never applied need not apply either.
  const needless = client?.clientStatus === 'professional' && applicationRead.data?.application === null
  const closed = disabled.data?.disabledProfessionalClientApplication === true || needless
  useEffect(() => {
    if (closed) navigate(portalPaths.home, { replace: true })
  }, [closed, navigate])
  // An open wizard keeps its answers, even if it could not be reloaded.
  const failed = failedRead(disabled, applicationRead)
  return (
    <>
      <PageHeader title={t`Professional client status`} />
      {failed ? (
        <ErrorPanel failure={failed.failure} onRetry={failed.again} />
      ) : applicationRead.data && disabled.data && !closed ? (
        <Wizard application={applicationRead.data.application} />
      ) : (
        <div className="form on-page" aria-busy="true">
          <Skeleton width="100%" height={24} />
        </div>
      )}
    </>
  )
}

/** The current view: a step with its questions, or the outcome. */
type Place =
  | { name: 'asking'; step: 1 | 2 | 3 | 4 | 5 }
  /** `replaced`: the submission time of the application that the new one replaces. */
  | { name: 'confirmed'; replaced?: Date | undefined }

function Wizard({ application }: { application: Application | null }) {
  const { draft, keepDraft, forgetDraft } = useProfessionalDraft()
  const [place, setPlace] = useState<Place>(
    application && application.moreAsked === null ? { name: 'confirmed' } : { name: 'asking', step: draft?.step ?? 1 },
  )
  const [ticked, setTicked] = useState(draft?.ticked ?? false)
  const [answers, setAnswers] = useState<ProfessionalAnswers>(() => draft?.answers ?? answersOf(application))
  // A reload continues at the same step with the same answers.
  useEffect(() => {
    if (place.name === 'asking') keepDraft({ step: place.step, ticked, answers })
    else forgetDraft()
  }, [place, ticked, answers, keepDraft, forgetDraft])
  const supportEmail = usePortalSettings()?.firm.supportEmail
  const [serverError, setServerError] = useState<ApiError | null>(null)
  const submit = useEndpointMutation(submitClientsProfessionalApplication, {
    refreshes: [getProfessionalClientsApplication],
    onDone: () => show({ name: 'confirmed', replaced: application?.submittedAt }),
    onFailure: setServerError,
  })
  const show = (next: Place) => {
    setServerError(null)
    setPlace(next)
    scrollTo(0, 0)
  }
  const steps = useSteps(place, show)
  useBrowserBack()
  if (place.name === 'confirmed') {
    // Until the new one has been read, the decision on the former one does not apply.
    const isReplaced = application?.submittedAt.getTime() === place.replaced?.getTime()
    return (
      <>
        <Stepper step={6} />
        <Confirmation application={isReplaced ? null : application} onAgain={() => show({ name: 'asking', step: 1 })} />
      </>
    )
  }
  const { step } = place
  const next = () => {
    const after = stepAfter(step, answers)
    setServerError(null)
    if (step === 5 || after === 6) submit.mutate({ form: submissionOf(answers, step) })
    else steps.next({ name: 'asking', step: after as 2 | 3 | 4 | 5 })
  }
  const asked = {
    answers,
    onAnswers: (change: ProfessionalAnswers) => setAnswers({ ...answers, ...change }),
    onNext: next,
    onBack: () => steps.back({ name: 'asking', step: Math.max(1, step - 1) as 1 | 2 | 3 | 4 }),
    pending: submit.isPending,
    errors: serverError?.errors ?? {},
  }
  const views = {
    1: <Disclosure ticked={ticked} onTick={setTicked} onNext={next} />,
    2: <TradeSizeStep {...asked} />,
    3: <PortfolioStep {...asked} />,
    4: <ExperienceStep {...asked} />,
    5: <EmployerStep {...asked} />,
  }
  return (
    <>
      <Stepper step={step} />
      {application?.moreAsked && (
        <div className="professional-said">
          <Alert kind="wait" title={<Trans>More information required</Trans>}>
            <UserText>{application.moreAsked}</UserText>
            {supportEmail !== undefined && (
              <p>
                <Trans>
                  If we have requested documents, email them to <EmailLink address={supportEmail} />. Then check your
                  answers and submit the form again.
                </Trans>
              </p>
            )}
          </Alert>
        </div>
      )}
      {serverError && (
        <div ref={scrollIntoViewOnRender} className="professional-said">
          <Alert kind="bad">{serverError.error}</Alert>
        </div>
      )}
      <div key={step}>{views[step]}</div>
    </>
  )
}

function answersOf(application: Application | null): ProfessionalAnswers {
  if (!application) return {}
  const { question01, question02, question03, question04, question05, question06, question07, question08 } = application
  return { question01, question02, question03, question04, question05, question06, question07, question08 }
}

/** Returns the submission, without questions that the path does not ask. */
function submissionOf(answers: ProfessionalAnswers, step: number) {
  const {
    question01 = 'No',
    question02,
    question03 = 'No',
    question04 = 'No',
    question05,
    question06,
    question07,
    question08,
  } = answers
  const trades = question01 === 'Yes' && question02 ? { question02 } : {}
  const work =
    question04 === 'Yes'
      ? {
          question05: question05 ?? '',
          question06: question06 ?? '',
          question08: question08 ?? '',
          ...(question07 ? { question07 } : {}),
        }
      : {}
  return { question01, ...trades, question03, question04, ...work, step, subStep: 1 }
}

/** The wizard's answers survive a reload, in this tab and for their owner only (requirements 2.19). */
const draft = z.object({
  step: z.literal([1, 2, 3, 4, 5]),
  ticked: z.boolean(),
  answers: professionalAnswers,
})
type ProfessionalDraft = z.output<typeof draft>

function useProfessionalDraft() {
  const name = `portal.professional.${useClient()?.id ?? ''}`
  const [kept] = useState(() => readDraft(name))
  const keepDraft = useCallback(
    (value: ProfessionalDraft) => sessionStorage.setItem(name, JSON.stringify(value)),
    [name],
  )
  const forgetDraft = useCallback(() => sessionStorage.removeItem(name), [name])
  return { draft: kept, keepDraft, forgetDraft }
}

function readDraft(name: string): ProfessionalDraft | null {
  const text = sessionStorage.getItem(name)
  const found = draft.safeParse(text === null ? null : JSON.parse(text))
  return found.success ? found.data : null
}

/** The six steps with a progress line; on phones only the current one is named. */
function Stepper({ step }: { step: number }) {
  const { t } = useLingui()
  const names = [
    t`Disclosure`,
    t`Trade size and volume`,
    t`Portfolio size`,
    t`Professional experience`,
    t`Employer regulation`,
    t`Confirmation`,
  ]
  const count = names.length
  return (
    <nav aria-label={t`Steps`}>
      <ol className="steps-line">
        {names.map((name, index) => {
          const number = index + 1
          const state = number < step ? 'done' : number === step ? 'current' : 'ahead'
          return (
            <li key={name} className={state} aria-current={state === 'current' ? 'step' : undefined}>
              {state === 'done' ? (
                <IconCheck className="small" aria-hidden="true" />
              ) : (
                <span className="numbers">{number}</span>
              )}
              <span>{name}</span>
              {state === 'done' && <span className="unseen">{t`done`}</span>}
            </li>
          )
        })}
      </ol>
      <p className="steps-line-phone" aria-hidden="true">
        <Trans>
          {step} of {count}
        </Trans>{' '}
        · {names[step - 1]}
      </p>
    </nav>
  )
}
