/**
 * The journeys' browser keeps its profile like a person's: each of Playwright's processes has one profile for the
 * portal and one for the back office, in which a journey opens its own tabs. In a new profile the browser loads and
 * compiles everything again, which takes three times as long as opening the page. Permanent changes of a profile, such
 * as a changed clock, need a separate context.
 *
 * Both profiles request reduced motion, because no test checks what the browser draws between two states (ADR 309).
 * Separate contexts of a journey keep the motion.
 */
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { portalUrl } from '../product.ts'

interface Profile {
  readonly context: BrowserContext
  /** Stays open at the origin: it keeps the tabs' shared process alive, and has access to their storage. */
  readonly keeper: Page
}

const profiles = new Map<'portal' | 'office', Profile>()

/** Returns the profile in which a journey opens tabs of an app; they are closed after it. */
export async function profileOf(browser: Browser, app: 'portal' | 'office'): Promise<BrowserContext> {
  const known = profiles.get(app)
  if (known) return known.context
  // The benchmark has no configuration with the origin.
  const context = await browser.newContext({ baseURL: portalUrl(), reducedMotion: 'reduce' })
  const keeper = await context.newPage()
  await keeper.goto('/healthz')
  profiles.set(app, { context, keeper })
  context.once('close', () => profiles.delete(app))
  return context
}

/** Removes everything before the next journey except the browser's cache. */
async function cleanUp({ context, keeper }: Profile): Promise<void> {
  for (const page of context.pages()) if (page !== keeper) await page.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearPermissions()
  await context.clearCookies()
  await keeper.evaluate(() => {
    if (!Function.prototype.toString.call(setTimeout).includes('[native code]'))
      throw new Error('A journey that turns the clock needs a context of its own.')
    localStorage.clear()
  })
}

export const test = base.extend<{ tabs: void }>({
  context: async ({ browser }, use) => use(await profileOf(browser, 'portal')),
  tabs: [
    async ({ browser }, use) => {
      await use()
      if (browser.isConnected()) await Promise.all([...profiles.values()].map(cleanUp))
    },
    { auto: true },
  ],
})
