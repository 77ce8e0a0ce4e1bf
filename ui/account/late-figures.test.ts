import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import { lateAfterMs, markedLate } from './late-figures.ts'

test('figures are late 20 seconds after their receipt, and a page just opened or shown waits for 5', () => {
  expect(lateAfterMs(0)).toBe(20_000)
  expect(lateAfterMs(12_000)).toBe(8_000)
  expect(lateAfterMs(19_000)).toBe(5_000)
  expect(lateAfterMs(600_000)).toBe(5_000)
  // Before any receipt.
  expect(lateAfterMs(Infinity)).toBe(5_000)
})

const read = { figuresAt: new Date(0), figuresOld: false, figuresHeld: null } as Account

test('late figures are old, without a reason that only the server can know', () => {
  expect(markedLate(read, true)).toEqual({ ...read, figuresOld: true, late: true })
})

test('figures in time are unchanged, and so are those of which the server has said why they are old', () => {
  expect(markedLate(read, false)).toBe(read)
  for (const figuresHeld of ['booking', 'checking', null] as const) {
    const old = { ...read, figuresOld: true, figuresHeld }
    expect(markedLate(old, true)).toBe(old)
  }
})

test('an account without balances has none that could be late', () => {
  const unread = { ...read, figuresAt: null }
  expect(markedLate(unread, true)).toBe(unread)
})
