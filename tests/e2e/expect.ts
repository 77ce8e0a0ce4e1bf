/**
 * Playwright's `expect`, in which an element that is not shown yet is awaited without a picture of the page: at each
 * unsuccessful look the original writes down the roles and names of the whole page for the message, which takes the
 * browser longer than the look (ADR 298).
 */
import { expect as original, type Locator } from '@playwright/test'

export const expect = original.extend({
  async toBeVisible(locator: Locator) {
    const wait = this.isNot ? original(locator).not.toBeVisible() : locator.waitFor()
    const failure = await wait.then(
      () => null,
      (error: unknown) => (error as Error).message,
    )
    return { pass: (failure === null) !== this.isNot, message: () => failure ?? '' }
  },
})
