import { Trans, useLingui } from '@lingui/react/macro'
import { acceptingSteps } from '#rules/registration.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { noErrors, useFormValues } from '#ui/forms/form-values.ts'
import { Paragraphs } from '../../layout/legal-dialog.tsx'
import { useRegistration } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/** 5.1 to 5.3: the full text, its version, the tick under its end. */
export function LegalStep() {
  const { t } = useLingui()
  const { step, settings, answersOf } = useRegistration()
  const key = acceptingSteps[step as keyof typeof acceptingSteps]
  const text = settings.legalTexts[key]
  const version = text?.version ?? 1
  const before = answersOf(step)
  // The version that is ticked: a newer text is read and ticked again.
  const form = useFormValues({ accepted: before['accepted'] === true ? Number(before['version']) : 0 })
  const accepted = form.values.accepted === version
  return (
    <StepForm
      title={text?.title ?? ''}
      lead={<Trans>Version {version}. Read it to the end, then tick the box to accept it.</Trans>}
      form={form}
      check={() => (accepted ? noErrors : { accepted: t`Tick this box to continue.` })}
      answers={() => ({ accepted, version })}
      next={step === '5.3' ? <Trans>COMPLETE REGISTRATION</Trans> : undefined}
      why={<Trans>Understand the risks before you deposit. We record the version you accept and when.</Trans>}
      whoSees={<Trans>You and the staff who support you.</Trans>}
    >
      <div className="sheet legal-text" tabIndex={0} role="region" aria-label={text?.title}>
        <Paragraphs text={text?.text ?? ''} />
      </div>
      <Checkbox
        look="tile"
        checked={accepted}
        error={form.errors['accepted']}
        onChange={(event) => form.set({ accepted: event.target.checked ? version : 0 })}
      >
        <Trans>I have read and accept this text.</Trans>
      </Checkbox>
    </StepForm>
  )
}
