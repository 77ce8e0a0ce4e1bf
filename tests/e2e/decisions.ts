/** Decisions of staff in the back office: the button of the record's page, its confirmation, and its texts. */
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { press, tabTo, type } from './keyboard.ts'

export interface ConfirmationOptions {
  /** The text for the client or the audit log; without it the field stays empty. */
  readonly words?: string
  /** The internal reason, if the client reads `words`; the same text by default. */
  readonly internal?: string
  /** The button in the dialog, if it is not that of the page. */
  readonly confirm?: string
  /** The values of its other fields by label; a field that does not exist is skipped. */
  readonly fields?: Readonly<Record<string, string>>
  /** Checks the open dialog with axe. */
  readonly accessible?: boolean
}

/**
 * Decides with the keyboard only: opens the confirmation of a button, enters the reason if required, and confirms;
 * returns once the dialog is closed and the focus is on an element again.
 */
export async function takeDecision(
  page: Page,
  command: string | RegExp,
  look: ConfirmationOptions = {},
): Promise<void> {
  const button = page.getByRole('button', { name: command }).last()
  const verb = /^[^\s…]+/.exec(await button.innerText())?.[0] ?? ''
  // The record's checks may still be loading.
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  await pressOnPage(page, button)
  const title = await page.getByRole('dialog').last().getByRole('heading').first().innerText()
  // Found by its title, because a drawer may be open next to it.
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await expect(dialog).toBeVisible()
  await expectFocusIn(dialog)
  if (look.accessible) await expectAccessible(page)
  for (const [label, value] of Object.entries(look.fields ?? {})) {
    const field = dialog.getByLabel(label)
    if ((await field.count()) > 0) await type(page, field, value)
  }
  const internal = dialog.getByLabel('Internal reason')
  if (look.words !== undefined && (await internal.count()) > 0) await type(page, internal, look.internal ?? look.words)
  if (look.words !== undefined) await type(page, dialog.getByRole('textbox').last(), look.words)
  await press(page, dialog.getByRole('button', { name: look.confirm ?? new RegExp(`^${verb}`, 'i') }).last())
  await expect(dialog).toHaveCount(0)
  await expectFocusKept(page)
}

/** Acknowledges every warning of a record's checks, with the keyboard only. */
export async function acknowledgeWarnings(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: 'I acknowledge this warning' })
  await boxes.first().waitFor()
  await skipToContent(page)
  const names = await boxes.and(page.locator(':not(:checked)')).count()
  for (let done = 0; done < names; done += 1)
    await tickFirst(page, boxes.and(page.locator(':not(:checked)')).first(), names - done - 1)
}

async function tickFirst(page: Page, box: Locator, left: number): Promise<void> {
  await tabTo(page, box)
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'I acknowledge this warning', checked: false })).toHaveCount(left)
}

/** Uses the link that skips the bar and the menu, on a page without a focused element. */
export async function skipToContent(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  if (!(await page.evaluate(() => document.activeElement === document.body))) return
  await page.keyboard.press('Tab')
  if (await page.evaluate(() => document.activeElement?.getAttribute('href') === '#content'))
    await page.keyboard.press('Enter')
}

/** Moves to a button with Tab only, past the menu if the page is new, and presses Enter. */
export async function pressOnPage(page: Page, command: Locator): Promise<void> {
  await command.waitFor()
  await skipToContent(page)
  await press(page, command)
}

/** Expects the focus on a dialog or one of its controls. */
export async function expectFocusIn(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
}

/** Closes the focused dialog with Escape: a dialog that has just opened takes the focus a moment later. */
export async function closeWithEscape(page: Page, dialog: Locator): Promise<void> {
  await expectFocusIn(dialog)
  await page.keyboard.press('Escape')
}

/** The focused element may have been removed: then another one must have the focus. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator(':focus')).toHaveCount(1)
}

/** Opens a record of the back office and waits until it is loaded. */
export async function openRecord(page: Page, address: string): Promise<void> {
  await page.goto(`/office${address}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Waits until the client's data are as expected, because operations at a platform settle asynchronously. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  await expect(check).toPass({ intervals: [200] })
}

/** Reloads the page until something is shown, a number of times: each time once all requests have a response. */
export async function reloadUntil(page: Page, wanted: Locator, times = 1): Promise<void> {
  await eventually(async () => {
    await page.reload()
    await expectPageLoaded(page)
    expect(await wanted.count()).toBe(times)
  })
}

/** Waits until the page is complete and has no request in progress. */
export async function expectPageLoaded(page: Page): Promise<void> {
  // Found by its element, because an open dialog hides it from queries by role.
  await expect(page.locator('h1:visible').first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}
