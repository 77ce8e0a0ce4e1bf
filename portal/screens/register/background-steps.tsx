import { Trans } from '@lingui/react/macro'
import { useFormValues } from '#ui/forms/form-values.ts'
import { ExperienceFields } from '../profile/experience-fields.tsx'
import { EmploymentFields, FinancialFields } from '../profile/income-fields.tsx'
import { type Answers, useRegistration } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

const words = <const Names extends readonly string[]>(names: Names, answers: Answers) =>
  Object.fromEntries(names.map((name) => [name, String(answers[name] ?? '')])) as Record<Names[number], string>

/** 2.5 */
export function EmploymentStep() {
  const { answersOf } = useRegistration()
  const form = useFormValues(words(['industry', 'position', 'fundSource'], answersOf('2.5')))
  return (
    <StepForm
      title={<Trans>What do you do?</Trans>}
      form={form}
      answers={() => form.values}
      why={<Trans>The law asks every broker to know where the money comes from that its clients bring.</Trans>}
    >
      <EmploymentFields form={form} />
    </StepForm>
  )
}

/** 2.6 */
export function FinancialStep() {
  const { answersOf } = useRegistration()
  const form = useFormValues(words(['annualSalary', 'savings', 'experience'], answersOf('2.6')))
  return (
    <StepForm
      title={<Trans>What can you fall back on?</Trans>}
      lead={<Trans>Bands are enough. Nobody asks for proof of them now.</Trans>}
      form={form}
      answers={() => form.values}
      why={
        <Trans>
          Leveraged trading can cost all that you put in. We have to see whether it fits what you earn and own.
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
  const form = useFormValues(
    words(['experience', 'requiredMargin', 'closingOrderType', 'leverage', 'reactionToLoss'], answersOf('3.1')),
  )
  return (
    <StepForm
      title={<Trans>How do you trade?</Trans>}
      lead={<Trans>There are no right answers. Answer as it is, also where you have never traded.</Trans>}
      form={form}
      answers={() => form.values}
      why={
        <Trans>
          We have to judge whether these products suit you. Your answers do not decide whether you may open an account.
        </Trans>
      }
    >
      <ExperienceFields form={form} />
    </StepForm>
  )
}
