import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkApproval, checkClosing } from './clients.ts'
import { checkPassword, checkTradingPassword, passwordStrength } from './passwords.ts'
import { rolesFor, permissions, canSave, can, canRead, readPermissions, canSeeNumbers } from './permissions.ts'
import { splitChanges, checkEmailChange } from './profile-changes.ts'
import { readReference, referenceFrom, referencesIn } from './references.ts'
import { checkStep, stepMarkOf, nextStep, registrationSteps, stepOf } from './registration.ts'
import { checkDeactivation, checkStaffChange, checkTwoAdministrators } from './staff.ts'
import { defaultDueTimes, dueAt } from './work-items.ts'
import { withdrawalMachine } from './withdrawals.ts'

describe('registration', () => {
  test('steps are completed in order and may be revisited but not skipped', () => {
    expect(checkStep('2.2', '2.2', true)).toBeNull()
    expect(checkStep('2.1', '4.3', true)).toBeNull()
    expect(checkStep('2.3', '2.2', true)).toBe('step-skipped')
    expect(checkStep(null, '2.2', true)).toBe('step-unknown')
    expect(checkStep('1.3', '1.3', false)).toBe('email-not-confirmed')
    expect(checkStep('1.1', '2.1', true)).toBe('step-closed')
  })
  test('every pair of step and substep maps to a step and back, and the last step has no successor', () => {
    for (const step of registrationSteps) expect(stepOf(stepMarkOf(step))).toBe(step)
    expect(stepOf({ step: 1, subStep: 4 })).toBeNull()
    expect(nextStep('1.3')).toBe('2.1')
    expect(nextStep('5.3')).toBeNull()
  })
})

describe('passwords', () => {
  const ground = {
    lengthMin: 6,
    isCommon: (password: string) => password === 'password1',
    own: ['Clara', 'Weidmann', 'clara.w@example.com'],
  }
  test.each([
    ['', 'required'],
    ['abcde', 'password-short'],
    ['abcdef', null],
    ['🔑🔑🔑🔑🔑🔑', null],
    ['🔑🔑🔑🔑🔑', 'password-short'],
    ['      ', 'password-common'],
    ['Password1', 'password-common'],
    ['weidmann', 'password-own'],
    ['Weidmann123!', 'password-own'],
    ['clara.w@example.com', 'password-own'],
    ['ab\0cdef', 'password-characters'],
    [`${'x'.repeat(256)}y`, 'password-long'],
    [' leading and trailing ', null],
  ])('the password "%s" yields the error %s', (password, problem) => {
    expect(checkPassword(password, ground)).toBe(problem)
  })
  test.each([
    ['abcde', 0],
    ['🔑🔑🔑🔑🔑', 0],
    ['aaaaaaaaaaaa', 1],
    ['123456789012', 1],
    ['quince', 1],
    ['Quince71', 2],
    ['Tr0ub4dor&3', 3],
    ['correct horse battery staple', 3],
  ])('with a minimum of six characters the strength meter rates "%s" as %i', (password, strength) => {
    expect(passwordStrength(password, 6)).toBe(strength)
  })
  test.each([
    ['Abcdef1!', null],
    ['abcdef1!', 'trading-password-weak'],
    ['Abcde1!', 'trading-password-weak'],
    ['Abcdefghijklm1!', null],
    ['Abcdefghijklmn1!', 'trading-password-weak'],
    ['Abc def1!', 'trading-password-weak'],
    ['Abcdef1=', 'trading-password-characters'],
    ['Abc|def1!', 'trading-password-characters'],
    ['Abc\\def1!', 'trading-password-characters'],
  ])('the trading password "%s" yields the error %s', (password, problem) => {
    expect(checkTradingPassword(password)).toBe(problem)
  })
})

describe('references', () => {
  const bytes = fc.uint8Array({ minLength: 5, maxLength: 8 })
  test('a reference is recognised as people type it: in lower case, with a space for the hyphen, O for 0 and L for 1', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const reference = referenceFrom('CR', random)
        expect(reference).toMatch(/^CR-[0-9A-HJKMNP-TV-Z]{8}$/)
        expect(readReference(reference)).toBe(reference)
        const misheard = reference.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
        expect(readReference(misheard)).toBe(reference)
      }),
    )
  })
  test('a reference is found in a payment’s text in any notation', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('CR', 'ABC', 'Z'), (random, prefix) => {
        const reference = referenceFrom(prefix, random)
        const halves = `${reference.slice(0, 7)} ${reference.slice(7)}`
        for (const text of [reference, `Payout ${reference.toLowerCase().replace('-', '')}, thanks`, `x${halves}/1`])
          expect(referencesIn(text)).toContain(reference)
        expect(referencesIn(reference.slice(0, -1))).not.toContain(reference)
      }),
    )
  })
  test('over 99 % of single wrong characters in a reference are detected', () => {
    let missed = 0
    let tried = 0
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
    for (let seed = 0; seed < 200; seed += 1) {
      const reference = referenceFrom('CR', new Uint8Array([seed, seed * 7, seed * 13, seed * 29, seed * 31]))
      for (let place = 3; place < reference.length; place += 1) {
        for (const character of alphabet) {
          if (character === reference[place]) continue
          tried += 1
          const wrong = reference.slice(0, place) + character + reference.slice(place + 1)
          if (readReference(wrong) !== null) missed += 1
        }
      }
    }
    expect(missed / tried).toBeLessThan(0.01)
  })
})

describe('clients', () => {
  test('a client can be approved once the identity and the address are approved', () => {
    const good = { identityApproved: true, addressApproved: true }
    expect(checkApproval(good)).toBeNull()
    expect(checkApproval({ ...good, identityApproved: false })).toBe('identity-not-approved')
    expect(checkApproval({ ...good, addressApproved: false })).toBe('address-not-approved')
  })
  test('a client cannot be closed with money left, requests open or a discrepancy unsettled', () => {
    const settled = { openRequests: 0, hasDiscrepancy: false, owed: 0n, onPlatform: 0n }
    expect(checkClosing(settled)).toBeNull()
    expect(checkClosing({ ...settled, owed: 1n })).toBe('money-left')
    expect(checkClosing({ ...settled, onPlatform: 1n })).toBe('money-left')
    expect(checkClosing({ ...settled, hasDiscrepancy: true, onPlatform: 1n })).toBe('discrepancy-open')
    expect(checkClosing({ ...settled, openRequests: 1, hasDiscrepancy: true })).toBe('requests-open')
  })
  test('changes to a verified identity require approval, and other changes apply immediately', () => {
    const before = { name: 'Clara', city: 'Berlin', country: 'DE' }
    const after = { name: 'Klara', city: 'Potsdam', country: 'DE' }
    expect(splitChanges(before, after, true)).toEqual({ atOnce: ['city'], waiting: ['name'] })
    expect(splitChanges(before, after, false)).toEqual({ atOnce: ['name', 'city'], waiting: [] })
  })
})

describe('staff', () => {
  const change = { own: false, roles: ['finance'] as const, wasAdministrator: false, otherActiveAdministrators: 1 }
  test('staff cannot change their own roles or deactivate themselves, and the last administrator cannot be removed', () => {
    expect(checkStaffChange(change)).toBeNull()
    expect(checkStaffChange({ ...change, own: true })).toBe('own-roles')
    expect(checkStaffChange({ ...change, wasAdministrator: true, otherActiveAdministrators: 0 })).toBe(
      'last-administrator',
    )
    expect(checkStaffChange({ ...change, roles: ['auditor', 'finance'] })).toBe('auditor-alone')
    expect(checkDeactivation({ own: true, administrator: false, otherActiveAdministrators: 2 })).toBe('own-account')
    expect(checkDeactivation({ own: false, administrator: true, otherActiveAdministrators: 0 })).toBe(
      'last-administrator',
    )
    expect(checkTwoAdministrators(1)).toBe('second-administrator-missing')
  })
  test('an auditor can read every area with masked numbers, and can only verify and export', () => {
    for (const area of Object.keys(readPermissions) as (keyof typeof readPermissions)[])
      expect(canRead(area, ['auditor'])).toBe(true)
    const does = (Object.keys(permissions) as (keyof typeof permissions)[]).filter((permission) =>
      can(permission, ['auditor']),
    )
    expect(does).toEqual(['verifyAudit', 'exportAudit', 'exportEvidence'])
    expect(canSeeNumbers(['auditor'])).toBe(false)
    expect(canSeeNumbers(['finance'])).toBe(true)
  })
  test('compliance can save the countries, and an administrator every section', () => {
    expect(canSave('countries', ['compliance'])).toBe(true)
    expect(canSave('thresholds', ['compliance'])).toBe(false)
    expect(canSave('thresholds', ['administrator'])).toBe(true)
  })
  test('a decision is open to the staff roles of its state machine and to administrators', () => {
    expect(rolesFor(withdrawalMachine, 'confirm')).toEqual(['finance', 'administrator'])
    expect(rolesFor(withdrawalMachine, 'cancel')).toEqual([])
  })
  test('documents and clients are due in 48 hours, withdrawals in 24, accounts in one working day and operations immediately', () => {
    const friday = new Date('2026-11-20T10:00:00Z')
    const due = (kind: Parameters<typeof dueAt>[0], holidays: string[] = []) =>
      dueAt(kind, friday, 'Europe/London', { times: defaultDueTimes, holidays }).toISOString()
    expect(due('document')).toBe('2026-11-22T10:00:00.000Z')
    expect(due('client')).toBe('2026-11-22T10:00:00.000Z')
    expect(due('withdrawal')).toBe('2026-11-21T10:00:00.000Z')
    expect(due('account')).toBe('2026-11-23T10:00:00.000Z')
    expect(due('account', ['2026-11-23', '2026-11-24'])).toBe('2026-11-25T10:00:00.000Z')
    expect(due('document', ['2026-11-23'])).toBe('2026-11-22T10:00:00.000Z')
    expect(due('operation')).toBe(friday.toISOString())
  })
})

test('an email change requires that none is pending and, if there is a security question, a correct answer', () => {
  const now = new Date('2026-06-19T09:44:00Z')
  const known = { isAsked: false, hasQuestion: true, answeredAt: now, now }
  expect(checkEmailChange(known)).toBeNull()
  expect(checkEmailChange({ ...known, isAsked: true })).toBe('email-change-waits')
  expect(checkEmailChange({ ...known, answeredAt: null })).toBe('answer-first')
  expect(checkEmailChange({ ...known, answeredAt: null, hasQuestion: false })).toBeNull()
})
