import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { tradeCounts, yesNo } from '#rules/choices.ts'
import { missingInStep, type ProfessionalAnswers, professionalCriteria } from '#rules/professional-status.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextArea, TextField } from '#ui/forms/text-field.tsx'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { IconCircleCheckFilled, IconCircleDashed, IconCircleX, IconProgress } from '@tabler/icons-react'

interface QuestionProps {
  answers: ProfessionalAnswers
  onAnswers: (change: ProfessionalAnswers) => void
  onNext: () => void
  onBack: () => void
  pending: boolean
  /** The server's errors, by question. */
  errors: Readonly<Record<string, string>>
}

/** One question per page, with the test beside it. NEXT says what is missing. */
function Question({
  asked,
  step,
  title,
  lead,
  next,
  opens,
  children,
}: {
  asked: QuestionProps
  step: number
  title: ReactNode
  lead?: ReactNode
  next?: ReactNode
  opens: ReactNode
  children: ReactNode
}) {
  const open = missingInStep(step, asked.answers).length === 0
  return (
    <div className="with-slip">
      <div>
        <StepHeader level={2} title={title}>
          {lead}
        </StepHeader>
        <div className="stack-6">{children}</div>
        <WizardFooter
          onBack={asked.onBack}
          onNext={asked.onNext}
          next={next}
          pending={asked.pending}
          disabledReason={open ? undefined : opens}
        />
      </div>
      <CriteriaOverview answers={asked.answers} step={step} />
    </div>
  )
}

interface YesOrNoProps {
  label: string
  value: 'Yes' | 'No' | undefined
  error?: string | undefined
  onValue: (value: 'Yes' | 'No') => void
}

function YesOrNo({ label, value, error, onValue }: YesOrNoProps) {
  const { t } = useLingui()
  const words = { Yes: t`Yes`, No: t`No` }
  return (
    <div className="professional-yes-no">
      <RadioCards
        label={label}
        tiles={yesNo.map((choice) => ({ value: choice, label: words[choice] }))}
        value={value}
        error={error}
        onValue={onValue}
        across={2}
        short
      />
    </div>
  )
}

export function TradeSizeStep(asked: QuestionProps) {
  const { t } = useLingui()
  const { answers, onAnswers, errors } = asked
  return (
    <Question
      asked={asked}
      step={2}
      title={<Trans>Have you made 10 significant trades per quarter over the last four quarters?</Trans>}
      lead={
        <Trans>
          Trades in CFDs, forex or similar products, with us or another firm. You can prove them with statements.
        </Trans>
      }
      opens={
        answers.question01 === 'Yes' ? t`Choose the number of trades to continue.` : t`Answer the question to continue.`
      }
    >
      <YesOrNo
        label={t`10 significant trades per quarter`}
        value={answers.question01}
        error={errors['question01']}
        onValue={(question01) => onAnswers({ question01 })}
      />
      {answers.question01 === 'Yes' && (
        <div className="professional-further">
          <RadioCards
            label={t`How many trades per quarter on average?`}
            tiles={tradeCounts.map((value) => ({ value, label: value.replace('-', '–') }))}
            value={answers.question02}
            error={errors['question02']}
            onValue={(question02) => onAnswers({ question02 })}
            across={2}
            short
          />
        </div>
      )}
    </Question>
  )
}

export function PortfolioStep(asked: QuestionProps) {
  const { t } = useLingui()
  const { answers, onAnswers, errors } = asked
  return (
    <Question
      asked={asked}
      step={3}
      title={<Trans>Does your portfolio exceed EUR{'\u00a0'}500,000?</Trans>}
      lead={<Trans>Include cash and financial instruments. Do not include your home or other property.</Trans>}
      opens={<Trans>Answer the question to continue.</Trans>}
    >
      <YesOrNo
        label={t`Portfolio over EUR\u00a0500,000`}
        value={answers.question03}
        error={errors['question03']}
        onValue={(question03) => onAnswers({ question03 })}
      />
    </Question>
  )
}

export function ExperienceStep(asked: QuestionProps) {
  const { t } = useLingui()
  const { answers, onAnswers, errors } = asked
  const tooShort = useTooShort()
  return (
    <Question
      asked={asked}
      step={4}
      title={<Trans>Have you worked in the financial sector in a professional role for at least one year?</Trans>}
      lead={<Trans>The role must require knowledge of the transactions or services that you want to use here.</Trans>}
      opens={
        answers.question04 === 'Yes'
          ? t`Enter your employer and role to continue.`
          : t`Answer the question to continue.`
      }
    >
      <YesOrNo
        label={t`One year in a professional role`}
        value={answers.question04}
        error={errors['question04']}
        onValue={(question04) => onAnswers({ question04 })}
      />
      {answers.question04 === 'No' && (
        <p className="muted size-14">{t`NEXT sends your application with the answers given so far.`}</p>
      )}
      {answers.question04 === 'Yes' && (
        <div className="professional-further stack-6">
          <TextField
            label={t`Name of the employer`}
            autoComplete="organization"
            value={answers.question05 ?? ''}
            error={errors['question05'] ?? tooShort(answers.question05)}
            onChange={(event) => onAnswers({ question05: event.target.value })}
            maxLength={200}
          />
          <TextField
            label={t`Your role`}
            autoComplete="organization-title"
            value={answers.question06 ?? ''}
            error={errors['question06'] ?? tooShort(answers.question06)}
            onChange={(event) => onAnswers({ question06: event.target.value })}
            maxLength={200}
          />
        </div>
      )}
    </Question>
  )
}

/** Returns the error of a text that was begun: for an empty one NEXT shows it. */
function useTooShort(): (text: string | undefined) => string | undefined {
  const { t } = useLingui()
  return (text) => (text?.trim().length === 1 ? t`Enter at least 2 characters.` : undefined)
}

export function EmployerStep(asked: QuestionProps) {
  const { t } = useLingui()
  const tooShort = useTooShort()
  const { answers, onAnswers, errors } = asked
  return (
    <Question
      asked={asked}
      step={5}
      title={<Trans>Is this employer regulated?</Trans>}
      lead={<Trans>By a financial supervisor such as the FCA or BaFin.</Trans>}
      next={<Trans>SUBMIT</Trans>}
      opens={<Trans>Answer both questions to continue.</Trans>}
    >
      <YesOrNo
        label={t`The employer is regulated`}
        value={answers.question07}
        error={errors['question07']}
        onValue={(question07) => onAnswers({ question07 })}
      />
      <TextArea
        label={t`Your experience with CFDs and forex`}
        hint={t`Describe what you traded or advised on, for how long and in what volume.`}
        rows={6}
        maxLength={4000}
        value={answers.question08 ?? ''}
        error={errors['question08'] ?? tooShort(answers.question08)}
        onChange={(event) => onAnswers({ question08: event.target.value })}
      />
    </Question>
  )
}

/** The test, always visible: two of three criteria. */
function CriteriaOverview({ answers, step }: { answers: ProfessionalAnswers; step: number }) {
  const { t } = useLingui()
  const test = professionalCriteria(answers)
  const markOf = (own: number, passed: boolean) =>
    step === own ? 'now' : step < own ? 'ahead' : passed ? 'passed' : 'failed'
  return (
    <aside className="sheet padded professional-decision">
      <h2 className="title-3">{t`How we decide`}</h2>
      <p className="muted">{t`You must meet two of these three criteria. We check your answers against evidence.`}</p>
      <ul>
        <CriterionRow
          mark={markOf(2, test.trades)}
        >{t`10 significant trades per quarter, over four quarters`}</CriterionRow>
        <CriterionRow mark={markOf(3, test.portfolio)}>{t`Portfolio over EUR\u00a0500,000`}</CriterionRow>
        <CriterionRow mark={markOf(4, test.experience)}>{t`One year in a professional role`}</CriterionRow>
      </ul>
      {step === 4 && (
        <p className="muted professional-hint">
          <Trans>If you answer No, we send your application with the answers given so far.</Trans>
        </p>
      )}
    </aside>
  )
}

const marks = {
  passed: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  failed: { icon: IconCircleX, tone: 'faint' },
  now: { icon: IconProgress, tone: 'tone-run' },
  ahead: { icon: IconCircleDashed, tone: 'faint' },
}

function CriterionRow({ mark, children }: { mark: keyof typeof marks; children: ReactNode }) {
  const { t } = useLingui()
  const { icon: Icon, tone } = marks[mark]
  const markLabel = { passed: t`met`, failed: t`not met`, now: t`in progress`, ahead: t`not answered` }[mark]
  return (
    <li>
      <Icon className={tone} aria-hidden="true" />
      <span>
        {children} <span className="unseen">{markLabel}</span>
      </span>
    </li>
  )
}
