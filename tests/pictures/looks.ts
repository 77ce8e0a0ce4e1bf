/** The looks in which every screen is shown: in English and in German, at three widths, light and dark. */
import { join } from 'node:path'
import { test, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { portalUrl } from '../product.ts'
import { expect } from '../e2e/expect.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'pictures')
const looks = ['en-GB', 'de-DE'].flatMap((locale) =>
  [1440, 1024, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ locale, width, colorScheme })),
  ),
)

export interface Look {
  readonly browser: Browser
  readonly context: BrowserContext
  /** The options of `context`, for a context of a product of its own. */
  readonly options: BrowserContextOptions
  readonly viewport: { readonly width: number; readonly height: number }
  /** Keeps a picture of the page as it is. */
  readonly keep: (page: Page, who: string, called: string) => Promise<void>
  /** Opens an address and keeps its picture. */
  readonly take: (page: Page, who: string, address: string, called?: string) => Promise<void>
}

/** Declares a set of pictures, one test for each look; nothing in it moves. */
export function inEveryLook(set: string, walk: (look: Look) => Promise<void>): void {
  for (const { locale, width, colorScheme } of looks) {
    const name = [locale.slice(0, 2), width, colorScheme].join('-')
    test(`${set} ${name}`, async ({ browser }) => {
      const viewport = { width, height: 900 }
      const still = { reducedMotion: 'reduce', baseURL: portalUrl(), timezoneId: 'Europe/London' } as const
      // A phone has touch, which makes controls larger; a window as narrow as a phone does not.
      const options = { ...still, locale, colorScheme, viewport, hasTouch: width === 390 }
      const context = await browser.newContext(options)
      const keep = async (page: Page, who: string, called: string) => {
        const over = page.locator('[role=dialog], [role=alertdialog]').last()
        const isOver = await over.isVisible()
        // Waits for the dialog only, because a button of the page behind it may be busy until the dialog is closed.
        if (isOver) await expect(over.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
        else await expectPageLoaded(page)
        // On a touch screen a dialog with a text field is transparent until the keyboard has had time to open.
        if (isOver)
          await expect.poll(() => over.evaluate((one) => one.checkVisibility({ opacityProperty: true }))).toBe(true)
        await expect(page.locator('.viewer-stage .progress-mark')).toHaveCount(0)
        if (!isOver) {
          await fitWindowToPage(page, viewport)
          // Content that has only now come into view, such as closed trades, is loaded now.
          await expect(page.locator('.account-trades-later')).toHaveCount(0)
          await expectPageLoaded(page)
        }
        const file = `${who}${called.replace(/[^a-z0-9]+/gi, '-')}.png`
        await page.screenshot({ path: join(folder, name, file), fullPage: !isOver, animations: 'disabled' })
        await page.setViewportSize(viewport)
      }
      const take = async (page: Page, who: string, address: string, called = address) => {
        await page.goto(address)
        await keep(page, who, called)
      }
      await walk({ browser, context, options, viewport, keep, take })
      await context.close()
    })
  }
}

/** Makes the window as high as the page or the back office's longest pane, so that no fixed footer covers content. */
async function fitWindowToPage(page: Page, viewport: Look['viewport']): Promise<void> {
  const hidden = await page
    .locator('html, .office-main, .office-page-body, .office-menu, .panes > *, .case-facts')
    .evaluateAll((panes) => Math.max(0, ...panes.map((pane) => pane.scrollHeight - pane.clientHeight)))
  if (hidden > 0) await page.setViewportSize({ ...viewport, height: viewport.height + hidden })
}
