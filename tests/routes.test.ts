/** The server answers 404 for addresses without a screen, so its list of routes must be that of the apps. */
import { expect, test } from 'vitest'
import { officeRoutes, portalRoutes } from '#contract/routes.ts'
import { routesOf } from './e2e/routes-of.ts'

test.each([
  ['portal', portalRoutes],
  ['office', officeRoutes],
] as const)('every route of the %s has a screen, and every screen has a route', (app, routes) => {
  expect(routesOf(app).toSorted()).toEqual([...routes].toSorted())
})
