import { expect, test } from 'vitest'
import { matchRoute } from './router.ts'

test.each([
  ['/trading-accounts', '/trading-accounts', {}],
  ['/trading-accounts', '/trading-accounts/', null],
  ['/trading-accounts', '/Trading-Accounts', null],
  ['/', '/', {}],
  ['/platforms/:target', '/platforms/mt5', { target: 'mt5' }],
  ['/platforms/:target', '/platforms/mt5/x', null],
  ['/platforms/:target', '/platforms/', null],
  ['/email/confirm/*', '/email/confirm/a/b%2Fc//d', { rest: 'a/b%2Fc//d' }],
  ['/email/confirm/setpassword/*', '/email/confirm/setpassword/x/y', { rest: 'x/y' }],
])('the route %s read against %s catches %j', (route, path, caught) => {
  expect(matchRoute(route, path)).toEqual(caught)
})
