import { Trans, useLingui } from '@lingui/react/macro'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { consentAnswers, ConsentFields, consentsOf } from './consents.tsx'
import { useRegistration, useStepValues } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/**
 * 1.2: used only by phone, never to log in. Saving it sends the confirmation email. Invited people begin here with a
 * confirmed address, and accept the texts that others accept at 1.1.
 */
export function SecurityQuestionStep() {
  const { t } = useLingui()
  const { answersOf, settings, status } = useRegistration()
  const invited = status?.emailConfirmed === true
  const form = useStepValues(
    {
      securityQuestion: String(answersOf('1.2')['securityQuestion'] ?? ''),
      securityAnswer: '',
      ...consentsOf({}),
    },
    ['securityAnswer'],
  )
  const { securityQuestion: question, securityAnswer } = form.values
  const answers = () => ({
    securityQuestion: question,
    securityAnswer,
    ...(invited ? consentAnswers(form.values, settings) : {}),
  })
  return (
    <StepForm
      title={<Trans>Choose a security question</Trans>}
      lead={
        <Trans>
          We use your answer to identify you on the phone. It cannot be used to log in or to reset your password.
        </Trans>
      }
      form={form}
      answers={answers}
      kept={({ securityQuestion = '' }) => ({ securityQuestion })}
      why={
        <Trans>
          We need to know who is calling. Your answer is stored in unreadable form. We can only check whether it
          matches.
        </Trans>
      }
      whoSees={<Trans>Only you know your answer. Staff who take calls can check whether it matches.</Trans>}
    >
      <Select
        {...form.text('securityQuestion')}
        label={t`Security question`}
        options={settings.securityQuestions.map(({ id, text }) => ({ value: id, label: text }))}
        placeholder={t`Choose an option`}
        required
      />
      <TextField {...form.text('securityAnswer')} label={t`Your answer`} autoComplete="off" maxLength={200} />
      {invited && <ConsentFields values={form.values} errors={form.errors} onTick={form.set} />}
    </StepForm>
  )
}
