import { expect, test } from 'vitest'
import { problemFields, problems } from './problems.ts'

test('the error texts match requirements 16.2 word for word', () => {
  expect(problems['passwords-differ'].text.message).toBe('Passwords MUST match!')
  expect(problems['password-short'].text.message.replace('{min}', '6')).toBe(
    'Password MUST contain at least 6 characters!',
  )
  expect(problems['birth-date-required'].text.message).toBe('Please, set your birth date.')
  expect(problems['expiry-date-required'].text.message).toBe('Please, set the expiry date.')
  expect(problems['deposit-too-low'].text.message).toMatch(/^Amount too low\b/)
  expect(problems['transfer-too-low'].text.message).toMatch(/^Amount too low\b/)
  expect(problems['more-than-balance'].text.message).toBe('You cannot withdraw more than your account balance!')
  expect(problems['transfer-more-than-balance'].text.message).toBe(
    'You cannot transfer more than your account balance!',
  )
  expect(problems['bank-fields-required'].text.message).toBe('You must fill all mandatory fields.')
  expect(problems['bank-statement-required'].text.message).toBe('You must upload bank statement.')
  expect(problems['something-wrong'].text.message).toBe('Something went wrong!')
  expect(problems.server.text.message).toBe('Server error.')
  expect(problems['send-failed'].text.message).toBe(
    "Something went wrong on our side. Please, contact support and we'll look into it.",
  )
  expect(problems['more-than-available'].text.message).toBe(
    'You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.',
  )
})

test.each(Object.entries(problems))('%s has one of the HTTP statuses that the API uses', (_, { status }) => {
  expect([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]).toContain(status)
})

test('the field of a problem is a single field name, not a path', () => {
  for (const field of Object.values(problemFields)) expect(field).toMatch(/^\w+$/)
})
