/** The names of the five steps and their substeps (requirements 3.1). */
import { useLingui } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import { type RegistrationStep, registrationSteps } from '#rules/registration.ts'
import { useLabels } from '#ui/i18n/labels.ts'

export function useStepNames() {
  const { t } = useLingui()
  const label = useLabels(profileLabels)
  const steps = [t`Create Account`, t`Personal Details`, t`Experience`, t`Account Details`, t`Legal`]
  const parts: Record<RegistrationStep, string> = {
    '1.1': t`Create your account`,
    '1.2': t`Security question`,
    '1.3': t`Verify email`,
    '2.1': t`Contact details`,
    '2.2': label('birthDate'),
    '2.3': t`Residential address`,
    '2.4': label('nationality'),
    '2.5': t`Employment information`,
    '2.6': t`Financial information`,
    '3.1': t`Trading experience`,
    '4.1': t`Base currency`,
    '4.2': t`Platform`,
    '4.3': t`Account type`,
    '5.1': t`Risk disclosure`,
    '5.2': t`Declaration`,
    '5.3': t`Client assets declaration`,
  }
  const partsOfStep = (step: RegistrationStep) => registrationSteps.filter((name) => name[0] === step[0])
  return {
    steps,
    partTitle: (step: RegistrationStep) => parts[step],
    stepTitle: (step: RegistrationStep) => steps[Number(step[0]) - 1] ?? '',
    partOf: (step: RegistrationStep) => ({ number: partsOfStep(step).indexOf(step) + 1, of: partsOfStep(step).length }),
  }
}
