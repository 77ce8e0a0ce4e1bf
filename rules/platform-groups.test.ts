import { expect, test } from 'vitest'
import {
  groupFor,
  groupRowName,
  liveAccountsIn,
  otherGroups,
  repeatedRow,
  type GroupFacts,
  type GroupRow,
} from './platform-groups.ts'

const facts: GroupFacts = {
  platform: 'MT5',
  realm: 'real',
  type: 'Standard',
  currency: 'EUR',
  status: 'retail',
  country: 'DE',
}
const everywhere: GroupRow = { ...facts, country: '', group: 'real\\Retail\\STD-EUR' }
const inGermany: GroupRow = { ...facts, group: 'real\\Retail\\STD-EUR-DE' }

test('a row for the country takes precedence over one for all countries, in either order', () => {
  for (const rows of [
    [everywhere, inGermany],
    [inGermany, everywhere],
  ]) {
    expect(groupFor(rows, facts)).toBe(inGermany.group)
    expect(groupFor(rows, { ...facts, country: 'FR' })).toBe(everywhere.group)
  }
})

test.each([
  { platform: 'MT4' },
  { realm: 'demo' },
  { type: 'ECN' },
  { currency: 'USD' },
  { status: 'professional' },
] as const)('no row matches an account that differs in %o', (change) => {
  expect(groupFor([everywhere, inGermany], { ...facts, ...change })).toBeNull()
})

test('a row for another country does not match', () => {
  expect(groupFor([inGermany], { ...facts, country: 'FR' })).toBeNull()
})

test('two rows that match the same accounts are found, whatever their groups', () => {
  expect(repeatedRow([everywhere, inGermany])).toBe(-1)
  expect(repeatedRow([everywhere, inGermany, { ...everywhere, group: 'other' }])).toBe(2)
})

test('the type, currency and status of a group’s live accounts are known only if all its rows agree', () => {
  expect(liveAccountsIn([everywhere, inGermany], 'MT5', everywhere.group)).toEqual({
    type: 'Standard',
    currency: 'EUR',
    status: 'retail',
  })
  expect(liveAccountsIn([everywhere], 'MT4', everywhere.group)).toBeNull()
  expect(liveAccountsIn([{ ...everywhere, realm: 'demo' }], 'MT5', everywhere.group)).toBeNull()
  const shared: GroupRow = { ...everywhere, status: 'professional' }
  expect(liveAccountsIn([everywhere, shared], 'MT5', everywhere.group)).toBeNull()
})

test('the other groups of a realm are listed once each', () => {
  const rows = [everywhere, inGermany, { ...inGermany, country: 'AT' }, { ...everywhere, realm: 'demo' } as const]
  expect(otherGroups(rows, facts, everywhere.group)).toEqual([inGermany.group])
})

test('in a comparison a row is named after the accounts that it matches', () => {
  expect(groupRowName(inGermany)).toBe('MT5 real Standard EUR retail DE')
  expect(groupRowName(everywhere)).toBe('MT5 real Standard EUR retail')
  expect(groupRowName({ id: 'card' })).toBeNull()
})
