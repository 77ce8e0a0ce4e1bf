import { expect, test } from 'vitest'
import { accountStatusForClient, checkAccountRequest, checkNickname, type AccountRequest } from './accounts.ts'
import { professionalLeverages } from './constants.ts'
import { checkLeverageChange, leverageStatusForClient, type LeverageChange } from './leverage-requests.ts'
import { leveragesFor, leveragesForAccount, formatLeverage } from './leverage.ts'

const live: AccountRequest = {
  requestType: 'live',
  leverage: 30,
  demoBalance: null,
  clientStatus: 'retail',
  declarationAccepted: true,
  windDown: false,
  platformOpen: true,
}

test.each<[string, Partial<AccountRequest>, string | null]>([
  ['a retail client at 1:30', {}, null],
  ['a retail client at 1:50', { leverage: 50 }, 'leverage-not-allowed'],
  ['a professional client at 1:500', { leverage: 500, clientStatus: 'professional' }, null],
  ['a professional client at 1:31', { leverage: 31, clientStatus: 'professional' }, 'leverage-not-allowed'],
  ['no accepted declaration', { declarationAccepted: false }, 'declaration-first'],
  [
    'no accepted declaration, but a demo account',
    { declarationAccepted: false, requestType: 'demo', demoBalance: 5000 },
    null,
  ],
  ['new accounts closed', { windDown: true }, 'new-accounts-closed'],
  ['a platform that accepts no new accounts', { platformOpen: false }, 'platform-closed'],
  ['a balance on a live account', { demoBalance: 5000 }, 'balance-for-demo-only'],
  ['a demo account without a balance', { requestType: 'demo' }, 'demo-balance-required'],
  ['a demo account with a balance that is not offered', { requestType: 'demo', demoBalance: 123 }, 'unknown-value'],
])('an account request with %s', (_, change, problem) => {
  expect(checkAccountRequest({ ...live, ...change })).toBe(problem)
})

test('an account that the platform is still opening is shown to the client as pending', () => {
  expect(accountStatusForClient('processing')).toBe('pending')
  expect(accountStatusForClient('approved')).toBe('approved')
})

test.each([
  ['Savings 2', null],
  ['', 'required'],
  ['a'.repeat(30), null],
  ['a'.repeat(31), 'nickname-invalid'],
  ['<b>', 'nickname-invalid'],
  ['Höhe-1', null],
  ['-x', 'nickname-invalid'],
])('the nickname “%s” yields the error %s', (nickname, problem) => {
  expect(checkNickname(nickname)).toBe(problem)
})

test('leverage above 1:30 requires a professional client and a professional account', () => {
  expect(leveragesFor('retail')).toEqual([30])
  expect(leveragesForAccount('professional', 'retail')).toEqual([30])
  expect(leveragesForAccount('retail', 'professional')).toEqual([30])
  expect(leveragesForAccount('professional', 'professional')).toEqual(professionalLeverages)
  expect(formatLeverage(30)).toBe('1:30')
})

const raise: LeverageChange = {
  current: 30,
  wanted: 100,
  client: 'professional',
  account: 'professional',
  accountState: 'approved',
  accountClosed: false,
  requestType: 'live',
  onePending: false,
  windDown: false,
}

test.each<[string, Partial<LeverageChange>, string | null]>([
  ['everything right', {}, null],
  ['the current leverage', { wanted: 30 }, 'leverage-unchanged'],
  ['another change pending', { onePending: true }, 'leverage-pending'],
  ['a retail account', { account: 'retail' }, 'leverage-not-allowed'],
  ['a retail client', { client: 'retail' }, 'leverage-not-allowed'],
  ['a pending account', { accountState: 'pending' }, 'account-not-approved'],
  ['an account that its platform has closed', { accountClosed: true }, 'account-closed'],
  ['leverage changes closed', { windDown: true }, 'leverage-closed'],
])('a leverage change with %s', (_, change, problem) => {
  expect(checkLeverageChange({ ...raise, ...change })).toBe(problem)
})

test('a leverage change that the platform is still applying is shown to the client as pending', () => {
  expect(leverageStatusForClient('processing')).toBe('pending')
})
