import { expect, test } from 'vitest'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { problemFields, problems, type ProblemCode } from './problems.ts'
import { stateLabel } from './state-labels.ts'

const all = Object.entries(problems) as [ProblemCode, { status: number; en: string; de: string }][]

test('the texts of requirements 16.2 stand word for word', () => {
  expect(problems['passwords-differ'].en).toBe('Passwords MUST match!')
  expect(problems['password-short'].en.replace('{min}', '6')).toBe('Password MUST contain at least 6 characters!')
  expect(problems['birth-date-required'].en).toBe('Please, set your birth date.')
  expect(problems['expiry-date-required'].en).toBe('Please, set the expiry date.')
  expect(problems['deposit-too-low'].en).toMatch(/^Amount too low\b/)
  expect(problems['transfer-too-low'].en).toMatch(/^Amount too low\b/)
  expect(problems['more-than-balance'].en).toBe('You cannot withdraw more than your account balance!')
  expect(problems['transfer-more-than-balance'].en).toBe('You cannot transfer more than your account balance!')
  expect(problems['bank-fields-required'].en).toBe('You must fill all mandatory fields.')
  expect(problems['bank-statement-required'].en).toBe('You must upload bank statement.')
  expect(problems['something-wrong'].en).toBe('Something went wrong!')
  expect(problems.server.en).toBe('Server error.')
  expect(problems['send-failed'].en).toBe(
    "Something went wrong on our side. Please, contact support and we'll look into it.",
  )
  expect(problems['more-than-available'].en).toBe(
    'You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.',
  )
})

test.each(all)(
  '%s has a known status and a sentence in both languages with the same values',
  (_, { status, en, de }) => {
    expect([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]).toContain(status)
    expect(de).not.toBe(en)
    const values = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
    expect(values(de)).toEqual(values(en))
    // The alert of a deposit that is too low has no full stop (requirements 8.2).
    for (const text of [en, de]) expect(text).toMatch(/[.!?}]$|^Amount too low$|^Betrag zu niedrig$/)
    expect(de).not.toMatch(/\b(du|dein|deine|dir|dich)\b/i)
  },
)

test.each(stateMachines.map(({ name, states }) => [name, states] as const))(
  'no refusal names a state of a %s by its code',
  (_, states) => {
    for (const state of states) {
      expect(stateLabel(state, 'en')).not.toMatch(/_/)
      expect(stateLabel(state, 'de')).not.toBe(state)
    }
  },
)

test('a refusal’s own field is a leaf name', () => {
  for (const field of Object.values(problemFields)) expect(field).toMatch(/^\w+$/)
})
