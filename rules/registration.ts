/** The order of the registration (requirements 3.2, 3.12). */

/** A substep as named in answers: "1.1". */
export const registrationSteps = [
  '1.1',
  '1.2',
  '1.3',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '2.5',
  '2.6',
  '3.1',
  '4.1',
  '4.2',
  '4.3',
  '5.1',
  '5.2',
  '5.3',
] as const
export type RegistrationStep = (typeof registrationSteps)[number]

interface StepMark {
  readonly step: number
  readonly subStep: number
}

/** Returns the step of a mark, or null if there is none. */
export function stepOf({ step, subStep }: StepMark): RegistrationStep | null {
  const name = `${step}.${subStep}`
  return (registrationSteps as readonly string[]).includes(name) ? (name as RegistrationStep) : null
}

export function stepMarkOf(step: RegistrationStep): StepMark {
  return { step: Number(step[0]), subStep: Number(step[2]) }
}

/** Returns the step after a step; null after the last one. */
export function nextStep(step: RegistrationStep): RegistrationStep | null {
  return registrationSteps[registrationSteps.indexOf(step) + 1] ?? null
}

/**
 * Returns why a step cannot be saved now, or null. `due` is the first unsaved step. Earlier steps may be saved again,
 * none may be skipped; after the address is confirmed, the answers of 1.1 and 1.2 are changed in the profile. An
 * invited client has a confirmed address and begins at 1.2.
 */
export function checkStep(step: RegistrationStep | null, due: RegistrationStep, confirmed: boolean) {
  if (step === null) return 'step-unknown'
  const place = registrationSteps.indexOf(step)
  if (place > registrationSteps.indexOf(due)) return 'step-skipped'
  if (step === '1.3' && !confirmed) return 'email-not-confirmed'
  return confirmed && (step === '1.1' || (step === '1.2' && due !== '1.2')) ? 'step-closed' : null
}

/** The steps whose answer accepts a text, and the key of that text. */
export const acceptingSteps = {
  '5.1': 'riskDisclosure',
  '5.2': 'declaration',
  '5.3': 'clientAssetsDeclaration',
} as const
