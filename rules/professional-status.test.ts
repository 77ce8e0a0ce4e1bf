import { expect, test } from 'vitest'
import {
  checkApplication,
  checkForm,
  missingInStep,
  professionalStatusForClient,
  professionalCriteria,
  stepAfter,
  type ProfessionalAnswers,
} from './professional-status.ts'

const full: ProfessionalAnswers = {
  question01: 'Yes',
  question02: '10-19',
  question03: 'No',
  question04: 'Yes',
  question05: 'Bank',
  question06: 'Trader',
  question07: 'Yes',
  question08: 'Ten years of FX',
}

test.each<[number, ProfessionalAnswers, string[]]>([
  [2, {}, ['question01']],
  [2, { question01: 'No' }, []],
  [2, { question01: 'Yes' }, ['question02']],
  [2, { question01: 'Yes', question02: '30+' }, []],
  [3, {}, ['question03']],
  [4, { question04: 'No' }, []],
  [4, { question04: 'Yes' }, ['question05', 'question06']],
  [4, { question04: 'Yes', question05: 'A', question06: 'Bo' }, ['question05']],
  [5, { question07: 'Yes', question08: 'x' }, ['question08']],
  [5, { question07: 'No', question08: 'xy' }, []],
])('step %i with %o still needs %o', (step, answers, expected) => {
  expect(missingInStep(step, answers)).toEqual(expected)
})

test('the answer No to question04 skips to the confirmation step', () => {
  expect(stepAfter(4, { question04: 'No' })).toBe(6)
  expect(stepAfter(4, { question04: 'Yes' })).toBe(5)
  expect(stepAfter(5, full)).toBe(6)
})

test('a form must answer every question of its path and no others', () => {
  expect(checkForm(full)).toEqual({})
  expect(checkForm({ ...full, question08: '' })).toEqual({ question08: 'required' })
  expect(checkForm({ ...full, question05: ' A ' })).toEqual({ question05: 'too-short' })
  expect(checkForm({ question01: 'No', question03: 'No', question04: 'No' })).toEqual({})
  expect(checkForm({ question01: 'No', question03: 'No', question04: 'No', question07: 'Yes' })).toEqual({
    question07: 'not-asked',
  })
  expect(checkForm({ question01: 'No', question02: '30+', question03: 'No', question04: 'No' })).toEqual({
    question02: 'not-asked',
  })
})

test('an application is rejected while one is pending, while applications are closed and for professional clients', () => {
  const applicant = { disabled: false, clientStatus: 'retail', open: null } as const
  expect(checkApplication(applicant)).toBeNull()
  expect(checkApplication({ ...applicant, disabled: true })).toBe('applications-disabled')
  expect(checkApplication({ ...applicant, clientStatus: 'professional' })).toBe('already-professional')
  expect(checkApplication({ ...applicant, open: 'pending' })).toBe('application-exists')
  expect(checkApplication({ ...applicant, open: 'more_asked' })).toBeNull()
  expect(checkApplication({ ...applicant, open: 'rejected' })).toBeNull()
})

test('two of the three criteria are sufficient', () => {
  expect(professionalCriteria(full)).toEqual({
    trades: true,
    portfolio: false,
    experience: true,
    passed: 2,
    enough: true,
  })
  expect(professionalCriteria({ ...full, question02: '0-9' }).enough).toBe(false)
  expect(professionalCriteria({ question03: 'Yes' }).passed).toBe(1)
})

test('an application that needs more information is shown to the client as pending, a reversed one as rejected', () => {
  expect(professionalStatusForClient('more_asked')).toBe('pending')
  expect(professionalStatusForClient('reversed')).toBe('rejected')
})
