/**
 * Playwright's `expect`, which waits for an element that is not shown yet without a snapshot of the page: after each
 * failed check the original collects the roles and names of the whole page for its message, which takes the browser
 * longer than the check (ADR 298).
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
