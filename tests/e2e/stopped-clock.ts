/**
 * A page with a stopped clock: content that is shown for seconds can be checked without time passing, however slow the
 * machine is.
 */
import type { Page } from '@playwright/test'
import { expect } from './expect.ts'

const tickMs = 10
const aheadMs = 1000

/** Stops a clock that was installed; from then on it moves only by `fastForward` and by awaited checks. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate((ms) => Date.now() + ms, aheadMs))
}

/** Polls a check; the stopped clock advances a moment before each attempt, in which the page renders new data. */
export async function pollWithPausedClock(page: Page, look: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(tickMs)
      return look()
    })
    .toBe(true)
}
