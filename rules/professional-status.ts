/** The professional client application (requirements 13; the 2-of-3 test of COBS 3.5.3R). */
import { professionalTextLengthMin, professionalTradesPerQuarter, professionalWizardSteps } from './constants.ts'
import type { tradeCounts, yesNo, ClientStatus } from './choices.ts'
import { defineStateMachine } from './state-machine.ts'

export const professionalMachine = defineStateMachine({
  name: 'professional',
  table: 'professional_applications',
  states: ['pending', 'more_asked', 'approved', 'rejected', 'reversed'],
  first: 'pending',
  undecided: ['pending', 'more_asked'],
  transitions: {
    approve: { from: ['pending', 'more_asked'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending', 'more_asked'], to: 'rejected', by: ['compliance'] },
    askMore: { from: ['pending'], to: 'more_asked', by: ['compliance'] },
    /** The client sends the form again after a request for more information. */
    answer: { from: ['more_asked'], to: 'pending', by: ['client'] },
    reverse: { from: ['approved'], to: 'reversed', by: ['compliance'] },
  },
})
export type ProfessionalState = (typeof professionalMachine.states)[number]

/** Returns the status that a client sees: pending while more information is requested, rejected after a reversal. */
export function professionalStatusForClient(state: ProfessionalState): 'pending' | 'approved' | 'rejected' {
  if (state === 'more_asked') return 'pending'
  return state === 'reversed' ? 'rejected' : state
}

type YesNo = (typeof yesNo)[number]

/** The answers given so far; step and subStep mark the wizard's progress. */
export interface ProfessionalAnswers {
  readonly question01?: YesNo | undefined
  readonly question02?: (typeof tradeCounts)[number] | undefined
  readonly question03?: YesNo | undefined
  readonly question04?: YesNo | undefined
  readonly question05?: string | undefined
  readonly question06?: string | undefined
  readonly question07?: YesNo | undefined
  readonly question08?: string | undefined
}
type Question = keyof ProfessionalAnswers

/**
 * Returns the missing answers of a step, by question; NEXT appears when there are none. Step 2 continues with No at
 * question01, or with Yes and question02 answered (requirements 13.2).
 */
export function missingInStep(step: number, answers: ProfessionalAnswers): Question[] {
  if (step === 2)
    return missingAnswers(answers, answers.question01 === 'Yes' ? ['question01', 'question02'] : ['question01'])
  if (step === 3) return missingAnswers(answers, ['question03'])
  if (step === 4)
    return missingAnswers(
      answers,
      answers.question04 === 'Yes' ? ['question04', 'question05', 'question06'] : ['question04'],
    )
  if (step === 5) return missingAnswers(answers, ['question07', 'question08'])
  return []
}

const textQuestions: readonly Question[] = ['question05', 'question06', 'question08']

function missingAnswers(answers: ProfessionalAnswers, questions: readonly Question[]): Question[] {
  return questions.filter((question) => {
    const answer = answers[question]?.trim() ?? ''
    return textQuestions.includes(question) ? [...answer].length < professionalTextLengthMin : answer === ''
  })
}

/** Returns the step after a step: No at question04 sends the answers and jumps to the confirmation. */
export function stepAfter(step: number, answers: ProfessionalAnswers): number {
  if (step === 4 && answers.question04 === 'No') return professionalWizardSteps
  return Math.min(step + 1, professionalWizardSteps)
}

/**
 * Returns the errors of a complete form, by question. Questions that the path does not ask must be absent (requirements
 * 27.6).
 */
export function checkForm(
  answers: ProfessionalAnswers,
): Partial<Record<Question, 'required' | 'too-short' | 'not-asked'>> {
  const found: Partial<Record<Question, 'required' | 'too-short' | 'not-asked'>> = {}
  const steps = answers.question04 === 'Yes' ? [2, 3, 4, 5] : [2, 3, 4]
  for (const question of steps.flatMap((step) => missingInStep(step, answers))) {
    found[question] = (answers[question] ?? '').trim() === '' ? 'required' : 'too-short'
  }
  if (answers.question01 === 'No' && (answers.question02 ?? '') !== '') found.question02 = 'not-asked'
  if (answers.question04 === 'No') {
    for (const question of ['question05', 'question06', 'question07', 'question08'] as const) {
      if ((answers[question] ?? '') !== '') found[question] = 'not-asked'
    }
  }
  return found
}

/** Returns why a client cannot apply now, or null. */
export function checkApplication(applicant: {
  readonly disabled: boolean
  readonly clientStatus: ClientStatus
  readonly open: ProfessionalState | null
}) {
  if (applicant.disabled) return 'applications-disabled'
  if (applicant.clientStatus === 'professional') return 'already-professional'
  return applicant.open === null || ['more_asked', 'rejected', 'reversed'].includes(applicant.open)
    ? null
    : 'application-exists'
}

/** Returns the three criteria, each met or not: trades per quarter, portfolio, work in the sector. Two are required. */
export function professionalCriteria(answers: ProfessionalAnswers) {
  // A band begins with its smallest number.
  const trades =
    answers.question01 === 'Yes' && Number.parseInt(answers.question02 ?? '0', 10) >= professionalTradesPerQuarter
  const portfolio = answers.question03 === 'Yes'
  const experience = answers.question04 === 'Yes'
  const passed = [trades, portfolio, experience].filter(Boolean).length
  return { trades, portfolio, experience, passed, enough: passed >= 2 }
}
