import { Trans } from '@lingui/react/macro'
import { ExperienceFields } from '../profile/experience-fields.tsx'
import { EmploymentFields, FinancialFields } from '../profile/income-fields.tsx'
import { type Answers, useRegistration, useStepValues } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

const textAnswers = <const Names extends readonly string[]>(names: Names, answers: Answers) =>
  Object.fromEntries(names.map((name) => [name, String(answers[name] ?? '')])) as Record<Names[number], string>

/** 2.5 */
export function EmploymentStep() {
  const { answersOf } = useRegistration()
  const form = useStepValues(textAnswers(['industry', 'position', 'fundSource'], answersOf('2.5')))
  return (
    <StepForm
      title={<Trans>What is your occupation?</Trans>}
      form={form}
      why={<Trans>Brokers are legally required to know where their clients’ money comes from.</Trans>}
    >
      <EmploymentFields form={form} />
    </StepForm>
  )
}

/** 2.6 */
export function FinancialStep() {
  const { answersOf } = useRegistration()
  const form = useStepValues(textAnswers(['annualSalary', 'savings', 'experience'], answersOf('2.6')))
  return (
    <StepForm
      title={<Trans>What are your income and savings?</Trans>}
      lead={<Trans>A range is enough. You do not need to provide evidence now.</Trans>}
      form={form}
      why={
        <Trans>
          You can lose all the money you put into leveraged trading. We must check whether it fits your financial
          situation.
        </Trans>
      }
    >
      <FinancialFields form={form} />
    </StepForm>
  )
}

/** 3.1 */
export function ExperienceStep() {
  const { answersOf } = useRegistration()
  const form = useStepValues(
    textAnswers(['experience', 'requiredMargin', 'closingOrderType', 'leverage', 'reactionToLoss'], answersOf('3.1')),
  )
  return (
    <StepForm
      title={<Trans>How do you trade?</Trans>}
      lead={<Trans>There are no right or wrong answers. Answer honestly, even if you have never traded.</Trans>}
      form={form}
      why={<Trans>We must assess whether these products are appropriate for you.</Trans>}
    >
      <ExperienceFields form={form} />
    </StepForm>
  )
}
