/** What a client is told about a request without a response (requirements 15.16, 24.172, 24.256). */
import { expect, test } from 'vitest'
import { changeActionsOf, stateWithoutResponse } from './request-state.ts'

const minuteMs = 60_000

test('a request that the server is processing is never reported as missing, however long it takes', () => {
  for (const ageMs of [0, 2 * minuteMs, 24 * 60 * minuteMs])
    expect(stateWithoutResponse('in-progress', ageMs)).toBe('arriving')
})

test('a request that has not arrived may still arrive for two minutes; after twenty hours its key may be deleted', () => {
  expect(stateWithoutResponse('unknown', 0)).toBe('expected')
  expect(stateWithoutResponse('unknown', 2 * minuteMs - 1)).toBe('expected')
  expect(stateWithoutResponse('unknown', 2 * minuteMs)).toBe('absent')
  expect(stateWithoutResponse('unknown', 20 * 60 * minuteMs - 1)).toBe('absent')
  expect(stateWithoutResponse('unknown', 20 * 60 * minuteMs)).toBe('forgotten')
})

test('a request that may arrive, or takes long, has no actions that change it', () => {
  const long = { isUnderWay: false, isUnknown: false, mayChange: false }
  expect(changeActionsOf(long, () => undefined)('amount')).toBeUndefined()
  expect(changeActionsOf({ ...long, mayChange: true }, () => undefined)('amount')).toBeDefined()
})
