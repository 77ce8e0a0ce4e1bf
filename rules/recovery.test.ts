import { expect, test } from 'vitest'
import { stateMachines } from './state-machine-registry.ts'
import { isTransitionStopped, stoppedTransitions } from './recovery.ts'

test('every transition of every state machine is classified: it stops with a channel or continues', () => {
  const weighed = Object.entries(stoppedTransitions).map(([life, steps]) => [life, Object.keys(steps).toSorted()])
  const steps = stateMachines.map(({ name, transitions: of }) => [name, Object.keys(of).toSorted()])
  expect(Object.fromEntries(weighed)).toEqual(Object.fromEntries(steps))
})

test('a transition is stopped while one of its channels is stopped', () => {
  const none = { accounts: false, payouts: false }
  expect(isTransitionStopped('withdrawal', 'approve', null)).toBe(false)
  expect(isTransitionStopped('withdrawal', 'approve', { ...none, accounts: true })).toBe(true)
  expect(isTransitionStopped('withdrawal', 'approve', { ...none, payouts: true })).toBe(false)
  expect(isTransitionStopped('withdrawal', 'pay', { ...none, payouts: true })).toBe(true)
  expect(isTransitionStopped('withdrawal', 'return', { ...none, payouts: true })).toBe(true)
  expect(isTransitionStopped('client', 'suspend', { accounts: true, payouts: true })).toBe(false)
})
