/** Changed settings of the firm for one page only: other journeys are not affected. */
import type { Page } from '@playwright/test'

/** From now on the page reads the settings with these changes. */
export async function overrideSettings(page: Page, changes: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route('**/api/settings', async (route) => {
    try {
      const response = await route.fetch()
      const settings = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: { ...settings, ...changes } })
    } catch {
      // The page was closed meanwhile, so this response is not needed. If it were, the expected content would be
      // missing.
    }
  })
}
