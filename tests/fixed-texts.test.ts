/**
 * Texts that are fixed word for word (requirements 16.2, and those in quotation marks in docs/requirements.md). The
 * portal's screens have them in their catalogues, the API in its errors, the settings in their defaults. A text changes
 * here only after its requirement.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { problems } from '#contract/problems.ts'
import { settingDefault } from '#server/settings/defaults.ts'

const root = dirname(import.meta.dirname)

const screens = {
  'login and passwords': [
    'SIGN IN',
    'Forgot password',
    'RESET',
    'BACK TO LOGIN',
    'LOG IN',
    'Please check your email.',
    'Passwords MUST match!',
    'Password MUST contain at least {shortest} characters!',
  ],
  'header and menu': [
    'MY ACCOUNTS',
    'FUNDING',
    'PLATFORMS',
    'VERIFICATION',
    'PROFESSIONAL CLIENT STATUS',
    'Logout',
    'My accounts',
    'Trading Accounts',
    'Funding',
    'Deposit Funds',
    'Withdraw Funds',
    'Bank Details',
    'Internal Transfer',
    'Transactions History',
    'MetaTrader 4',
    'MetaTrader 5',
    'Professional Client Status',
    'Client Assets Declarations',
    'Retail Client',
    'Professional Client',
  ],
  registration: [
    'Create Account',
    'Create your account',
    'Security question',
    'Verify email',
    'Personal Details',
    'Contact details',
    'Date of birth',
    'Residential address',
    'Nationality',
    'Employment information',
    'Financial information',
    'Experience',
    'Trading experience',
    'Account Details',
    'Base currency',
    'Platform',
    'Account type',
    'Legal',
    'Risk disclosure',
    'Declaration',
    'Client assets declaration',
  ],
  'trading accounts': [
    'LIVE',
    'DEMO',
    'Request an account',
    'SETTINGS',
    'FUND NOW',
    'You have successfully requested a new account.',
    'You have successfully changed the password for your account.',
    'You have successfully requested leverage change for your account. Please wait for admin to approve it.',
    'Something went wrong!',
    'Server error.',
  ],
  profile: ['Personal details', 'Employment & financial info', 'Trading experience', 'Please, set your birth date.'],
  documents: [
    'Documents',
    'Drivers licence',
    'Passport',
    'Proof of Address',
    'SEND FOR APPROVAL',
    'Please, set the expiry date.',
    "Something went wrong on our side. Please, contact support and we'll look into it.",
  ],
  funding: [
    'No Funded Accounts',
    'Missing Bank Details',
    'Amount too low',
    'TRY AGAIN',
    'PAYMENT FAILED!',
    'WITHDRAWAL FAILED!',
    'TRANSFER FAILED!',
    'Please try again',
    'You cannot withdraw more than your account balance!',
    'You cannot transfer more than your account balance!',
    'You cannot withdraw more than is available: {0}. {1} is set aside for other requests.',
    'You cannot transfer more than is available: {0}. {reserved} is set aside for other requests.',
  ],
  history: ['DEPOSITS', 'WITHDRAWALS', 'INTERNAL TRANSFERS'],
  platforms: ['DOWNLOAD'],
  'bank details': [
    'Add Bank',
    'Approved Bank Accounts',
    'Pending Bank Accounts',
    'New Bank Details',
    'Submit Bank Details',
    'ADD NOW',
    'View',
    'You must fill all mandatory fields.',
    'You must upload bank statement.',
  ],
  'professional client status': ['NEXT', 'BACK', 'SUBMIT', 'PROFESSIONAL CLIENT STATUS SUBMITTED', 'BACK TO DASHBOARD'],
  choices: [
    'Mr.',
    'Mrs.',
    'Miss',
    'Dr.',
    'Employment',
    'Inheritance',
    'Savings and investment',
    'Other',
    'Accounting',
    'Banking',
    'Finance',
    'Business consultancy',
    'Insurance',
    'Director',
    'Manager',
    'Entry level',
    'Hedge',
    'Partial',
    'Stop loss',
    'Option 1',
    'Option 2',
    'Option 3',
    'Beginner',
    'Intermediate',
    'Advanced',
  ],
} as const

const errors = [
  'Passwords MUST match!',
  'Password MUST contain at least {min} characters!',
  'Please, set your birth date.',
  'Please, set the expiry date.',
  'Amount too low',
  'You cannot withdraw more than your account balance!',
  'You cannot transfer more than your account balance!',
  'You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.',
  'You cannot transfer more than is available: {available}. {reserved} is set aside for other requests.',
  'You must fill all mandatory fields.',
  'You must upload bank statement.',
  'Server error.',
  'Something went wrong!',
  "Something went wrong on our side. Please, contact support and we'll look into it.",
]

const defaults = ['Credit/Debit Card', 'Bank Transfer']

test.each(Object.entries(screens))('the portal has the fixed texts of %s', (_part, texts) => {
  expect(texts.filter((text) => !messages.has(text))).toEqual([])
})

test('the portal shows leverage as 1:30', () => {
  expect([...messages].some((message) => message.includes('leverage of 1:30'))).toBe(true)
})

test('the API has the fixed texts of its errors', () => {
  const texts = Object.values(problems).map(({ text }) => text.message)
  expect(errors.filter((text) => !texts.some((each) => each === text))).toEqual([])
})

test('the settings have the fixed names of payment methods', () => {
  const { deposit } = settingDefault('methods', new Date(0))
  const names = deposit.map(({ method }) => method.en)
  expect(defaults.filter((text) => !names.includes(text))).toEqual([])
})

/** Every English message of the portal and of what it shares with the back office. */
const messages = new Set(
  globSync('{portal,ui,contract}/locales/de.po', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/^msgid (".*"(?:\n".*")*)$/gm)])
    .map(([, quoted = '']) => quoted.split('\n').reduce((whole, line) => whole + (JSON.parse(line) as string), '')),
)
