/**
 * A separate product for one journey, for states that would disturb other journeys in the shared one: a platform that
 * does not respond, a platform that is not connected, another time.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { login } from '#contract/users-session.ts'
import type { StaffRole } from '#rules/actors.ts'
import { startTestCluster } from '#scripts/test-cluster.ts'
import { call, goodPassword, makeStaff } from '../factories.ts'
import { startServerWithPlatform, type ServerWithPlatform } from '../funded-account.ts'

export interface OwnProduct extends Omit<ServerWithPlatform, 'stop'> {
  readonly context: BrowserContext
}

/** Runs a journey with a separate server, database and platform; the server's clock is set to now and stopped. */
export async function withOwnProduct(
  browser: Browser,
  kind: 'MT4' | 'MT5',
  journey: (product: OwnProduct) => Promise<void>,
  { demo = false, ...options }: BrowserContextOptions & { demo?: boolean } = {},
): Promise<void> {
  const cluster = await startTestCluster()
  try {
    const database = { url: cluster.serverUrl, ownerUrl: cluster.ownerUrl }
    const { server, platform, stop } = await startServerWithPlatform({ database, now: new Date() }, kind, demo)
    const context = await browser.newContext({ ...options, baseURL: server.url })
    await journey({ server, platform, context })
      .finally(() => context.close())
      .finally(stop)
  } finally {
    await cluster.stop()
  }
}

/** Opens a tab of the portal, signed in as after a login. */
export async function portalTab({ server, context }: OwnProduct, { email }: { readonly email: string }): Promise<Page> {
  const { answer } = await call(server, login, { body: { email, password: goodPassword } })
  const page = await context.newPage()
  await page.addInitScript((token) => localStorage.setItem('portal.token', token), answer.token ?? '')
  return page
}

/** Opens a tab of the back office as a new member of staff. */
export async function officeTab({ server, context }: OwnProduct, role: StaffRole): Promise<Page> {
  const { token } = await makeStaff(server, [role])
  const page = await context.newPage()
  await page.addInitScript((bearer) => sessionStorage.setItem('office.token', bearer), token)
  return page
}
