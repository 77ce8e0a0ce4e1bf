import { expect, test } from 'vitest'
import { isRouteOf, matchRoute } from './routes.ts'

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
])('the route %s matched against the path %s yields the parameters %j', (route, path, caught) => {
  expect(matchRoute(route, path)).toEqual(caught)
})

test.each([
  ['portal', '/', true],
  ['portal', '/platforms', true],
  ['portal', '/email/confirm/a/b', true],
  ['portal', '/email/confirm/setpassword/a/b', true],
  ['portal', '/email/confirm', false],
  ['portal', '/profile/', false],
  ['portal', '/Profile', false],
  ['portal', '/deposit-funds/pending', false],
  ['portal', '/platforms/mt6', false],
  ['office', '', true],
  ['office', '/', true],
  ['office', '/inbox/7', true],
  ['office', '/inbox/7/8', false],
  ['office', '/trading-accounts', false],
] as const)('the %s has a page at the path "%s": %s', (app, path, has) => {
  expect(isRouteOf(app, path)).toBe(has)
})
