import { expect, test } from 'vitest'
import { countries, checkResidence, countryOf } from './countries.ts'
import {
  addressAccepted,
  identityAccepted,
  documentKinds,
  type DocumentKind,
  checkContent,
  checkDocument,
  checkSend,
  groupOf,
  documentMachine,
  isApproved,
  isLocked,
  isSendable,
  nextGroup,
  type DocumentForm,
  type DocumentState,
} from './documents.ts'
import { dayOf, type PlainDate } from './dates.ts'

const day = (text: string): PlainDate => dayOf(text) ?? { year: 0, month: 0, day: 0 }
const today = day('2026-11-21')
const passport: DocumentForm = {
  kind: 'passport',
  level: 1,
  date: day('2029-09-22'),
  front: true,
  back: false,
  state: null,
  wealthAsked: false,
}
const bill: DocumentForm = { ...passport, kind: 'utility_bill', date: day('2026-09-01') }

test.each<[string, DocumentForm, string | null]>([
  ['a valid passport', passport, null],
  ['a passport that expires today', { ...passport, date: today }, null],
  ['a passport that expired yesterday', { ...passport, date: day('2026-11-20') }, 'document-expired'],
  [
    'a document with a date that does not exist',
    { ...passport, date: { year: 2029, month: 2, day: 30 } },
    'date-invalid',
  ],
  ['a document without its front', { ...passport, front: false }, 'front-required'],
  ['an identity card without its back', { ...passport, kind: 'id' }, 'back-required'],
  ['an identity card with both sides', { ...passport, kind: 'id', back: true }, null],
  ['a drivers licence at level 2', { ...passport, kind: 'drivers_licence', level: 2, back: true }, null],
  [
    'a drivers licence at level 3',
    { ...passport, kind: 'drivers_licence', level: 3, back: true },
    'document-not-accepted',
  ],
  ['a document of a country at level 5', { ...passport, level: 5 }, 'document-not-accepted'],
  ['a document of an unknown country', { ...passport, level: null }, 'unknown-value'],
  ['a bill issued exactly three months ago', { ...bill, date: day('2026-08-21') }, null],
  ['a bill issued one day earlier than that', { ...bill, date: day('2026-08-20') }, 'issue-too-old'],
  ['a bill dated tomorrow', { ...bill, date: day('2026-11-22') }, 'issue-in-future'],
  ['a locked document', { ...passport, state: 'pending_approval' }, 'document-locked'],
  ['an approved document', { ...passport, state: 'approved' }, 'document-approved'],
  ['a document again after it was rejected', { ...passport, state: 'rejected' }, null],
  ['a source of wealth that was not requested', { ...bill, kind: 'source_of_wealth' }, 'wealth-not-asked'],
  [
    'a source of wealth that was requested',
    { ...bill, kind: 'source_of_wealth', wealthAsked: true, date: day('2020-01-01') },
    null,
  ],
])('saving %s', (_, form, problem) => {
  expect(checkDocument(form, today)?.problem ?? null).toBe(problem)
})

const documentSet = (...documents: [DocumentKind, DocumentState, 'blocked'?][]) =>
  documents.map(([kind, state, blocked]) => ({ kind, state, isBlocked: blocked === 'blocked' }))

test('sending for approval requires an identity document, a proof of address and something new', () => {
  expect(checkSend([])).toEqual({ problem: 'identity-missing' })
  expect(checkSend(documentSet(['passport', 'uploaded']))).toEqual({ problem: 'address-missing' })
  expect(checkSend(documentSet(['id', 'uploaded'], ['proofOfAddress', 'uploaded']))).toBeNull()
  expect(checkSend(documentSet(['passport', 'approved'], ['utility_bill', 'uploaded']))).toBeNull()
  expect(checkSend(documentSet(['passport', 'rejected'], ['utility_bill', 'uploaded']))).toEqual({
    problem: 'identity-missing',
  })
  expect(checkSend(documentSet(['passport', 'pending_approval'], ['utility_bill', 'pending_approval']))).toEqual({
    problem: 'nothing-to-send',
  })
})

test('a document that can no longer be sent is reported if no other one of its group can be, and is skipped otherwise', () => {
  expect(checkSend(documentSet(['passport', 'uploaded', 'blocked'], ['utility_bill', 'uploaded']))).toEqual({
    blocked: 'passport',
  })
  expect(checkSend(documentSet(['passport', 'uploaded'], ['utility_bill', 'uploaded', 'blocked']))).toEqual({
    blocked: 'utility_bill',
  })
  const [passport, licence, bill] = documentSet(
    ['passport', 'uploaded'],
    ['drivers_licence', 'uploaded', 'blocked'],
    ['utility_bill', 'uploaded'],
  )
  if (!passport || !licence || !bill) throw new Error('no documents')
  expect(checkSend([passport, licence, bill])).toBeNull()
  expect([passport, licence, bill].map(isSendable)).toEqual([true, false, true])
  expect(
    checkSend(
      documentSet(['passport', 'approved'], ['drivers_licence', 'uploaded', 'blocked'], ['utility_bill', 'approved']),
    ),
  ).toEqual({ blocked: 'drivers_licence' })
  expect(nextGroup(documentSet(['passport', 'uploaded', 'blocked'], ['utility_bill', 'uploaded']))).toBe(
    'proof_of_identity',
  )
})

test.each<[string, Pick<DocumentForm, 'kind' | 'level' | 'date'>, string | null]>([
  ['a passport that is still valid', passport, null],
  ['a passport that has expired', { ...passport, date: day('2026-11-20') }, 'document-expired'],
  ['a bill that has become too old', { ...bill, date: day('2026-08-20') }, 'issue-too-old'],
  ['a document whose country has moved to level 5', { ...passport, level: 5 }, 'document-not-accepted'],
  [
    'a drivers licence after a change to level 3',
    { ...passport, kind: 'drivers_licence', level: 3 },
    'document-not-accepted',
  ],
])('a saved document is checked again when it is sent: %s', (_, saved, problem) => {
  expect(checkContent(saved, today)?.problem ?? null).toBe(problem)
})

test('the wizard continues with the first group of documents that is incomplete', () => {
  expect(nextGroup([])).toBe('proof_of_identity')
  expect(nextGroup(documentSet(['utility_bill', 'uploaded']))).toBe('proof_of_identity')
  expect(nextGroup(documentSet(['passport', 'uploaded']))).toBe('proof_of_address')
  expect(nextGroup(documentSet(['passport', 'uploaded'], ['bank_statement', 'uploaded']))).toBe('finished')
  expect(isApproved('proof_of_identity', documentSet(['passport', 'approved'], ['utility_bill', 'uploaded']))).toBe(
    true,
  )
  expect(new Set(documentKinds.map(groupOf)).size).toBe(3)
})

test('countries at levels 1 and 2 accept three types of identity document, 3 and 4 no drivers licence, 5 nothing', () => {
  expect(identityAccepted(1)).toEqual(['passport', 'id', 'drivers_licence'])
  expect(identityAccepted(2)).toEqual(identityAccepted(1))
  expect(identityAccepted(3)).toEqual(['passport', 'id'])
  expect(identityAccepted(4)).toEqual(['passport', 'id'])
  expect(identityAccepted(5)).toEqual([])
  expect(addressAccepted(5)).toEqual([])
  expect(addressAccepted(4)).toContain('utility_bill')
})

test('every country is listed once, with names in both languages, a dialling prefix and a level', () => {
  expect(countries.length).toBeGreaterThanOrEqual(249)
  expect(new Set(countries.map(({ code }) => code)).size).toBe(countries.length)
  for (const { code, name, prefix, level } of countries) {
    expect(code).toMatch(/^[A-Z]{2}$/)
    expect(name.en.length * name.de.length).toBeGreaterThan(0)
    expect(prefix).toMatch(/^\+\d{1,3}$/)
    expect([1, 2, 3, 4, 5]).toContain(level)
  }
})

test('residence in a level 5 or unavailable country is rejected; a setting can make a country available, but not at level 5', () => {
  expect(checkResidence(countryOf('DE'))).toBeNull()
  expect(checkResidence(countryOf('US'))).toBe('country-unavailable')
  expect(checkResidence(countryOf('KP'))).toBe('country-unavailable')
  expect(checkResidence(countryOf('ZZ'))).toBe('unknown-value')
  expect(checkResidence(countryOf('KP', { KP: { available: true } }))).toBe('country-unavailable')
  expect(checkResidence(countryOf('DE', { DE: { level: 5 } }))).toBe('country-unavailable')
  expect(checkResidence(countryOf('US', { US: { available: true } }))).toBeNull()
})

test('a document is locked while its approval is pending and once it is approved', () => {
  expect(documentMachine.states.filter(isLocked)).toEqual(['pending_approval', 'approved'])
})
