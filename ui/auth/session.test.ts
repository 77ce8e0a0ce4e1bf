import { expect, test } from 'vitest'
import { claimsOf, hasExpired } from './session.ts'

const token = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

test('a token is decoded into its claims, including names with accents', () => {
  expect(claimsOf(token({ name: 'Zoë', surname: 'Müller–Łuk' }))).toEqual({ name: 'Zoë', surname: 'Müller–Łuk' })
})

test.each([null, '', 'a', 'a.b.c', 'a.bnVsbA.c', 'a.MTI.c'])('%j is not a token', (text) => {
  expect(claimsOf(text)).toBeNull()
})

test('a token has expired if its expiry in seconds is not in the future, not a number or missing', () => {
  const now = new Date(1_000_000_000)
  expect(hasExpired(token({ exp: 1_000_001 }), now)).toBe(false)
  expect(hasExpired(token({ exp: 1_000_000 }), now)).toBe(true)
  expect(hasExpired(token({ exp: '9999999999' }), now)).toBe(true)
  expect(hasExpired(token({}), now)).toBe(true)
})
