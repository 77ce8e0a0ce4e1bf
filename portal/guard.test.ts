import { expect, test } from 'vitest'
import { isAwaited, redirectFor, type Access } from './guard.ts'
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
  ['a visitor is led from every client page to /', null, '/profile', 'client', '/'],
  ['a visitor who comes back from a payment logs in first', null, '/gcen-payments', 'payment', '/'],
  ['anyone may open the link of a mail', null, '/email/confirm/x', 'anyone', null],
  ['an approved client who is signed in goes to the accounts', approved, '/', 'visitor', '/trading-accounts'],
  ['an approved client may be on every page', approved, '/withdraw-funds', 'client', null],
  ['an approved client comes back from a payment', approved, '/ideal', 'payment', null],
  ['a client who is not approved goes to the upload', pending, '/login', 'visitor', '/upload-documents'],
  ['a client who is not approved is forced to the upload', pending, '/profile', 'client', '/upload-documents'],
  ['a client who is not approved has no payment to come back from', pending, '/ideal', 'payment', '/upload-documents'],
  ['an address with "document" in it is open before approval', pending, '/document/passport', 'client', null],
  ['a client whose identity is approved may see the accounts', checked, '/trading-accounts', 'client', null],
  [
    'a client whose identity is approved is led from other pages to the accounts',
    checked,
    '/deposit-funds',
    'client',
    '/trading-accounts',
  ],
  ['who has to go on registering is forced to /register', registering, '/documents', 'client', '/register'],
  ['who has to go on registering stays at /register', registering, '/register', 'register', null],
  ['a registered client has no business at /register', approved, '/register', 'register', '/trading-accounts'],
])('%s', (_, client, path, access, to) => {
  expect(redirectFor(client, path, access)).toBe(to)
})

test.each<[string, Access, string, boolean]>([
  ['the return of a payment is gone on with after the login', 'payment', '/gcen-payments?REF=CR-7F2K91QX', true],
  ['the record that a mail leads to is, too', 'client', '/transactions-history?list=deposits&record=1', true],
  ['the enquiry that a mail leads to is, too', 'client', '/help?enquiry=1', true],
  ['the account whose statement a mail is about is, too', 'client', '/trading-accounts/MT5/5100001', true],
  ['any other page is not', 'client', '/transactions-history?list=deposits', false],
  ['the list of accounts is not', 'client', '/trading-accounts', false],
  ['a page of visitors is not', 'visitor', '/?record=1', false],
])('%s', (_, access, address, awaited) => {
  const [path = '', search = ''] = address.split('?')
  expect(isAwaited(access, path, search)).toBe(awaited)
})
