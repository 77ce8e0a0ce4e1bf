/** Settings of the firm as one page sees them: the others' journeys keep theirs. */
import type { Page } from '@playwright/test'

/** From now on the page reads the settings with these changes. */
export async function withSettings(page: Page, changes: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route('**/api/settings', async (route) => {
    try {
      const response = await route.fetch()
      const settings = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: { ...settings, ...changes } })
    } catch {
      // The page was left meanwhile: no one waits for this answer. Where somebody does, what they wait for never shows.
    }
  })
}
