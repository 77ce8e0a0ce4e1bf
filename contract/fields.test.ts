import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  amount,
  body,
  choice,
  code,
  email,
  signedBalance,
  line,
  paragraph,
  seconds,
  signedAmount,
  wholeNumberInQuery,
} from './fields.ts'
import { readRegistration, registerWeb } from './registration.ts'
import { mobilePhone } from './profile.ts'

function firstProblem(schema: z.ZodMiniType, value: unknown): string | null {
  const result = z.safeDecode(schema, value as never)
  return result.success ? null : (result.error.issues[0]?.message ?? '')
}

describe('amounts', () => {
  test.each([
    -1,
    0,
    -0,
    '',
    ' 10',
    '10 ',
    1e-9,
    1e309,
    '1e2',
    '0x10',
    '10,00',
    '１０',
    '∞',
    Number.NaN,
    null,
    true,
    [10],
    {},
    '10.001',
    '9'.repeat(400),
    '-0.01',
  ])('%j is rejected', (value) => {
    expect(firstProblem(amount, value)).toMatch(/^(amount-invalid|required)$/)
  })
  test('are accepted up to 1,000,000,000.00, the most that a platform moves in one operation', () => {
    expect(z.decode(amount, '1000000000.00')).toBe(100_000_000_000n)
    expect(firstProblem(amount, '1000000000.01')).toBe('amount-large')
    expect(firstProblem(signedAmount, '-1000000000.01')).toBe('amount-large')
  })
  test('are read equally from numbers and strings, and are written as strings with two decimals', () => {
    expect(z.decode(amount, 10.1)).toBe(1010n)
    expect(z.decode(amount, '10.10')).toBe(1010n)
    expect(z.decode(amount, '010.10')).toBe(1010n)
    expect(z.encode(amount, 1010n)).toBe('10.10')
  })
  test('of balances survive encoding and decoding unchanged, negative ones included', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (minor) => {
        expect(z.decode(signedBalance, z.encode(signedBalance, minor))).toBe(minor)
      }),
    )
  })
  test('of corrections may be negative but not zero', () => {
    expect(z.decode(signedAmount, '-5.00')).toBe(-500n)
    expect(firstProblem(signedAmount, '0.00')).toBe('amount-invalid')
  })
})

test('times are transferred as whole Unix seconds', () => {
  expect(z.encode(seconds, new Date(1_700_000_000_999))).toBe(1_700_000_000)
  expect(z.decode(seconds, 1_700_000_000).getTime()).toBe(1_700_000_000_000)
})

describe('lines and paragraphs', () => {
  test.each([
    [undefined, 'required'],
    ['', 'required'],
    ['   ', 'required'],
    ['a\nb', 'not-a-line'],
    ['a\0', 'not-a-line'],
    ['\ud800', 'not-a-line'],
    ['x'.repeat(11), 'too-long'],
    ['🔑'.repeat(10), null],
    [7, 'invalid'],
  ])('the line %j yields the problem %s', (value, problem) => {
    expect(firstProblem(line(10), value)).toBe(problem)
  })
  test('a paragraph may contain line breaks and tabs, but no null characters', () => {
    expect(firstProblem(paragraph(20), 'one\ntwo')).toBeNull()
    expect(firstProblem(paragraph(20), 'a\0')).toBe('not-a-text')
    expect(firstProblem(paragraph(20), 'one\r\n\ttwo')).toBeNull()
  })
  test.each(['\u001b[31mred', 'a\u0008b', 'a\u009bb', 'a\u202eb', 'a\u2069b'])(
    'a paragraph must not contain control or direction characters: %j',
    (value) => {
      expect(firstProblem(paragraph(20), value)).toBe('hidden-characters')
    },
  )
})

describe('email addresses', () => {
  test('are converted to lower case, and full-width letters to ordinary ones', () => {
    expect(z.decode(email, 'Clara.W@Example.COM')).toBe('clara.w@example.com')
    expect(z.decode(email, 'ｃlara@example.com')).toBe('clara@example.com')
  })
  test.each([
    'a@b',
    'a@b.c\n',
    'a@b.com\n',
    'a@b.com,x@y.com',
    ['a@b.com'],
    `${'a'.repeat(250)}@b.com`,
    'a b@c.de',
    '@b.com',
    'a@.com',
    'a'.repeat(10_000),
    'a\ud800@b.com',
    // Each of these characters becomes four letters: the input is short, but the result would exceed 254.
    `a@${'㍿'.repeat(15)}.${'㍿㍿㍿㍿㍿.'.repeat(10)}com`,
  ])('%j is rejected (requirements 26.10)', (value) => {
    expect(firstProblem(email, value)).toMatch(/^(email-invalid|required)$/)
  })
  test('100 kB of dots are rejected for their length before any pattern is tried', () => {
    const { error } = z.safeDecode(email, `a@${'a.'.repeat(50_000)}`)
    expect(error?.issues.map(({ code, message }) => [code, message])).toEqual([['too_big', 'email-invalid']])
  })
})

test('a choice distinguishes a missing value from an unknown one', () => {
  expect(firstProblem(choice(['Yes', 'No']), undefined)).toBe('required')
  expect(firstProblem(choice(['Yes', 'No']), '')).toBe('required')
  expect(firstProblem(choice(['Yes', 'No']), 'yes')).toBe('unknown-value')
})

test('numbers in a query must be plain digits within their limits', () => {
  const size = wholeNumberInQuery(1, 100)
  expect(z.decode(size, '20')).toBe(20)
  for (const wrong of ['0', '101', '-1', '1e9', '10;', '', '1.5']) expect(firstProblem(size, wrong)).toBe('invalid')
})

test('one-time codes must be ASCII digits, not digits of another script', () => {
  expect(firstProblem(code, '123456')).toBeNull()
  expect(firstProblem(code, '١٢٣٤٥٦')).toBe('code-wrong')
  expect(firstProblem(code, 0)).toBe('required')
})

test('phone numbers must be in E.164 format once spaces, brackets and hyphens are removed', () => {
  expect(z.decode(mobilePhone, '+49 (151) 5550-1042')).toBe('+4915155501042')
  for (const wrong of ['0151 5550', '+0123456789', '+49abc', '+1'])
    expect(firstProblem(mobilePhone, wrong)).toBe('phone-invalid')
})

test('a body with a __proto__ key is rejected and does not pollute the prototype', () => {
  const schema = body({ name: line(10) })
  expect(z.safeDecode(schema, JSON.parse('{"name":"a","__proto__":{"polluted":1}}') as never).success).toBe(false)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

describe('registerWeb', () => {
  test('accepts only the fields of the submitted substep', () => {
    expect(firstProblem(registerWeb.body, { step: 2, subStep: 1, mobilePhone: '+4915155501042' })).toBeNull()
    expect(
      z.safeDecode(registerWeb.body, {
        step: 2,
        subStep: 1,
        mobilePhone: '+4915155501042',
        status: 'approved',
      } as never).success,
    ).toBe(false)
    expect(firstProblem(registerWeb.body, { step: 2, subStep: 2, birthDay: 1 })).toBe('birth-date-required')
    expect(firstProblem(registerWeb.body, { step: 1, subStep: 4 })).toBe('step-unknown')
    expect(firstProblem(registerWeb.body, { step: 9, subStep: 1 })).toBe('step-unknown')
  })
  test('reads a substep with its defaults filled in', () => {
    const submitted = z.decode(registerWeb.body, { step: 4, subStep: 3, accType: 'ECN' } as never)
    expect(readRegistration(submitted)).toEqual({
      name: '4.3',
      answers: { step: 4, subStep: 3, accType: 'ECN', leverage: 30 },
    })
  })
})
