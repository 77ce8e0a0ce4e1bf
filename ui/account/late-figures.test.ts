import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import { lateAfterMs, withLateMark } from './late-figures.ts'

test('balances are late 20 seconds after receipt, but not within 5 seconds of the page being opened or shown', () => {
  expect(lateAfterMs(0)).toBe(20_000)
  expect(lateAfterMs(12_000)).toBe(8_000)
  expect(lateAfterMs(19_000)).toBe(5_000)
  expect(lateAfterMs(600_000)).toBe(5_000)
  // Nothing has been received yet.
  expect(lateAfterMs(Infinity)).toBe(5_000)
})

const read = { figuresAt: new Date(0), figuresOld: false, figuresHeld: null } as Account

test('late balances are marked as outdated, without a reason, which only the server can give', () => {
  expect(withLateMark(read, true)).toEqual({ ...read, figuresOld: true, late: true })
})

test('balances in time are unchanged, and so are those that the server has marked as outdated', () => {
  expect(withLateMark(read, false)).toBe(read)
  for (const figuresHeld of ['booking', 'checking', null] as const) {
    const old = { ...read, figuresOld: true, figuresHeld }
    expect(withLateMark(old, true)).toBe(old)
  }
})

test('an account without balances is not marked as late', () => {
  const unread = { ...read, figuresAt: null }
  expect(withLateMark(unread, true)).toBe(unread)
})
