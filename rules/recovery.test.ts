import { expect, test } from 'vitest'
import { lives } from './state-machine-registry.ts'
import { isStepStopped, stoppedSteps } from './recovery.ts'

test('every step of every life was weighed: it stops with a channel, or goes on', () => {
  const weighed = Object.entries(stoppedSteps).map(([life, steps]) => [life, Object.keys(steps).toSorted()])
  const steps = lives.map(({ name, steps: of }) => [name, Object.keys(of).toSorted()])
  expect(Object.fromEntries(weighed)).toEqual(Object.fromEntries(steps))
})

test('a step waits while one of its channels is stopped', () => {
  const none = { accounts: false, payouts: false }
  expect(isStepStopped('withdrawal', 'approve', null)).toBe(false)
  expect(isStepStopped('withdrawal', 'approve', { ...none, accounts: true })).toBe(true)
  expect(isStepStopped('withdrawal', 'approve', { ...none, payouts: true })).toBe(false)
  expect(isStepStopped('withdrawal', 'pay', { ...none, payouts: true })).toBe(true)
  expect(isStepStopped('withdrawal', 'return', { ...none, payouts: true })).toBe(true)
  expect(isStepStopped('client', 'suspend', { accounts: true, payouts: true })).toBe(false)
})
