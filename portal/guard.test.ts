import { expect, test } from 'vitest'
import { isResumedAfterLogin, redirectFor, type Access } from './guard.ts'
import type { Client } from './session.ts'

const approved: Client = {
  id: '1',
  email: 'a@example.com',
  name: 'A',
  surname: 'B',
  status: 'approved',
  clientStatus: 'retail',
  registered: true,
  continueRegistration: false,
  acceptedDeclaration: true,
  gcenApiKYCPass: true,
  gcenApiDocsSubmitted: true,
  country: 'DE',
}
const pending: Client = { ...approved, status: 'pending', gcenApiKYCPass: false }
const checked: Client = { ...pending, gcenApiKYCPass: true }
const registering: Client = { ...pending, status: 'registering', continueRegistration: true }

test.each<[string, Client | null, string, Access, string | null]>([
  ['a visitor may log in', null, '/', 'visitor', null],
  ['a visitor may register', null, '/register', 'register', null],
  ['a visitor is redirected from a client page to /', null, '/profile', 'client', '/'],
  ['a visitor who returns from a payment is redirected to / to log in first', null, '/gcen-payments', 'payment', '/'],
  ['anyone may open a link from an email', null, '/email/confirm/x', 'anyone', null],
  [
    'an approved client is redirected from a visitor page to the accounts',
    approved,
    '/',
    'visitor',
    '/trading-accounts',
  ],
  ['an approved client may open any client page', approved, '/withdraw-funds', 'client', null],
  ['an approved client may return from a payment', approved, '/ideal', 'payment', null],
  [
    'an unapproved client is redirected from a visitor page to the document upload',
    pending,
    '/login',
    'visitor',
    '/upload-documents',
  ],
  [
    'an unapproved client is redirected from a client page to the document upload',
    pending,
    '/profile',
    'client',
    '/upload-documents',
  ],
  [
    'an unapproved client is redirected from the return page of a payment to the document upload',
    pending,
    '/ideal',
    'payment',
    '/upload-documents',
  ],
  ['a path that contains "document" is open before approval', pending, '/document/passport', 'client', null],
  ['a client whose identity is approved may see the accounts', checked, '/trading-accounts', 'client', null],
  [
    'a client whose identity is approved is redirected from other pages to the accounts',
    checked,
    '/deposit-funds',
    'client',
    '/trading-accounts',
  ],
  [
    'a client with an unfinished registration is redirected to /register',
    registering,
    '/documents',
    'client',
    '/register',
  ],
  ['a client with an unfinished registration stays at /register', registering, '/register', 'register', null],
  [
    'a registered client is redirected from /register to the accounts',
    approved,
    '/register',
    'register',
    '/trading-accounts',
  ],
])('%s', (_, client, path, access, to) => {
  expect(redirectFor(client, path, access)).toBe(to)
})

test.each<[string, Access, string, boolean]>([
  ['the return page of a payment is opened after login', 'payment', '/gcen-payments?REF=CR-7F2K91QX', true],
  [
    'a record linked from an email is opened after login',
    'client',
    '/transactions-history?list=deposits&record=1',
    true,
  ],
  ['an enquiry linked from an email is opened after login', 'client', '/help?enquiry=1', true],
  [
    'an account whose statement was announced by email is opened after login',
    'client',
    '/trading-accounts/MT5/5100001',
    true,
  ],
  ['a document that an email requests is opened after login', 'client', '/document/utility_bill', true],
  ['the form that an email requests is opened after login', 'client', '/professional-client-status', true],
  ['the profile whose change an email reports is opened after login', 'client', '/profile', true],
  ['the demo accounts that an email names are opened after login', 'client', '/trading-accounts?kind=demo', true],
  ['any other page is not opened after login', 'client', '/transactions-history?list=deposits', false],
  ['the list of accounts is not opened after login', 'client', '/trading-accounts', false],
  ['a visitor page is not opened after login', 'visitor', '/?record=1', false],
])('%s', (_, access, address, awaited) => {
  const [path = '', search = ''] = address.split('?')
  expect(isResumedAfterLogin(access, path, search)).toBe(awaited)
})
