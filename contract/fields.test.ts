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
  wholeInQuery,
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
  ])('%j is refused', (value) => {
    expect(firstProblem(amount, value)).toMatch(/^(amount-invalid|required)$/)
  })
  test('the largest is what a platform moves at once', () => {
    expect(z.decode(amount, '1000000000.00')).toBe(100_000_000_000n)
    expect(firstProblem(amount, '1000000000.01')).toBe('amount-large')
    expect(firstProblem(signedAmount, '-1000000000.01')).toBe('amount-large')
  })
  test('a number and its text are the same amount', () => {
    expect(z.decode(amount, 10.1)).toBe(1010n)
    expect(z.decode(amount, '10.10')).toBe(1010n)
    expect(z.decode(amount, '010.10')).toBe(1010n)
    expect(z.encode(amount, 1010n)).toBe('10.10')
  })
  test('what is answered reads back the same, less than nothing too', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (minor) => {
        expect(z.decode(signedBalance, z.encode(signedBalance, minor))).toBe(minor)
      }),
    )
  })
  test('a correction has either sign, but is not nothing', () => {
    expect(z.decode(signedAmount, '-5.00')).toBe(-500n)
    expect(firstProblem(signedAmount, '0.00')).toBe('amount-invalid')
  })
})

test('times cross as whole seconds', () => {
  expect(z.encode(seconds, new Date(1_700_000_000_999))).toBe(1_700_000_000)
  expect(z.decode(seconds, 1_700_000_000).getTime()).toBe(1_700_000_000_000)
})

describe('lines', () => {
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
  ])('%j', (value, problem) => {
    expect(firstProblem(line(10), value)).toBe(problem)
  })
  test('a paragraph may have several lines', () => {
    expect(firstProblem(paragraph(20), 'one\ntwo')).toBeNull()
    expect(firstProblem(paragraph(20), 'a\0')).toBe('not-a-text')
    expect(firstProblem(paragraph(20), 'one\r\n\ttwo')).toBeNull()
  })
  test.each(['\u001b[31mred', 'a\u0008b', 'a\u009bb', 'a\u202eb', 'a\u2069b'])('%j is no text to read', (value) => {
    expect(firstProblem(paragraph(20), value)).toBe('hidden-characters')
  })
})

describe('e-mail addresses', () => {
  test('are folded to one form', () => {
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
  ])('%j is refused (requirements 26.10)', (value) => {
    expect(firstProblem(email, value)).toMatch(/^(email-invalid|required)$/)
  })
  test('100 kB of dots are refused for their length, before any pattern is tried', () => {
    const { error } = z.safeDecode(email, `a@${'a.'.repeat(50_000)}`)
    expect(error?.issues.map(({ code, message }) => [code, message])).toEqual([['too_big', 'email-invalid']])
  })
})

test('a choice tells missing from unknown', () => {
  expect(firstProblem(choice(['Yes', 'No']), undefined)).toBe('required')
  expect(firstProblem(choice(['Yes', 'No']), '')).toBe('required')
  expect(firstProblem(choice(['Yes', 'No']), 'yes')).toBe('unknown-value')
})

test('numbers in a query are digits within their limits', () => {
  const size = wholeInQuery(1, 100)
  expect(z.decode(size, '20')).toBe(20)
  for (const wrong of ['0', '101', '-1', '1e9', '10;', '', '1.5']) expect(firstProblem(size, wrong)).toBe('invalid')
})

test('one-time codes are digits of ours, not of another script', () => {
  expect(firstProblem(code, '123456')).toBeNull()
  expect(firstProblem(code, '١٢٣٤٥٦')).toBe('code-wrong')
  expect(firstProblem(code, 0)).toBe('required')
})

test('phone numbers are E.164 after spaces and brackets are dropped', () => {
  expect(z.decode(mobilePhone, '+49 (151) 5550-1042')).toBe('+4915155501042')
  for (const wrong of ['0151 5550', '+0123456789', '+49abc', '+1'])
    expect(firstProblem(mobilePhone, wrong)).toBe('phone-invalid')
})

test('a body with a prototype in it is refused', () => {
  const schema = body({ name: line(10) })
  expect(z.safeDecode(schema, JSON.parse('{"name":"a","__proto__":{"polluted":1}}') as never).success).toBe(false)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

describe('registerWeb', () => {
  test('each substep takes its own fields alone', () => {
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
  test('a substep is read with its spaces cut and its defaults set', () => {
    const submitted = z.decode(registerWeb.body, { step: 4, subStep: 3, accType: 'ECN' } as never)
    expect(readRegistration(submitted)).toEqual({
      name: '4.3',
      answers: { step: 4, subStep: 3, accType: 'ECN', leverage: 30 },
    })
  })
})
