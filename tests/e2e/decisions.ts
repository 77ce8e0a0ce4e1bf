/** How staff decide in the office: the command of the record's page, its last look, and the words that go with it. */
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { press, tabTo, type } from './keyboard.ts'

export interface ConfirmationLook {
  /** What the client or the audit log reads; without it the field stays empty. */
  readonly words?: string
  /** The internal reason, where the client reads `words`; without it the same words. */
  readonly internal?: string
  /** The command in the dialog, where it is not that of the page. */
  readonly confirm?: string
  /** What its other fields are filled with, by their labels; one that is not there is left out. */
  readonly fields?: Readonly<Record<string, string>>
  /** Looks at the open dialog with axe. */
  readonly accessible?: boolean
}

/**
 * By keys alone: opens the last look of a command, says why where it asks, and confirms; answers once the dialog is gone
 * and the focus is somewhere again.
 */
export async function takeDecision(page: Page, command: string | RegExp, look: ConfirmationLook = {}): Promise<void> {
  const button = page.getByRole('button', { name: command }).last()
  const verb = /^[^\s…]+/.exec(await button.innerText())?.[0] ?? ''
  // Its checks may still be on their way.
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  await pressOnPage(page, button)
  const title = await page.getByRole('dialog').last().getByRole('heading').first().innerText()
  // By its title: a drawer may stand open beside it.
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

/** Acknowledges every warning of a record's checks, by keys alone. */
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

/** On a page where nothing has the focus yet, the link that skips the bar and the menu. */
export async function skipToContent(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  if (!(await page.evaluate(() => document.activeElement === document.body))) return
  await page.keyboard.press('Tab')
  if (await page.evaluate(() => document.activeElement?.getAttribute('href') === '#content'))
    await page.keyboard.press('Enter')
}

/** To a command by Tab alone, past the menu where the page is new, and Enter. */
export async function pressOnPage(page: Page, command: Locator): Promise<void> {
  await command.waitFor()
  await skipToContent(page)
  await press(page, command)
}

/** A dialog takes the focus, or one of its controls does. */
export async function expectFocusIn(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
}

/** Escape closes what the focus is in: a dialog that has just been drawn takes it a moment later. */
export async function escape(page: Page, dialog: Locator): Promise<void> {
  await expectFocusIn(dialog)
  await page.keyboard.press('Escape')
}

/** What had the focus may be gone: then something else has it. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator(':focus')).toHaveCount(1)
}

/** Opens a record of the office and waits until it is there. */
export async function openRecord(page: Page, address: string): Promise<void> {
  await page.goto(`/office${address}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Waits until what a client reads is so: operations towards a platform settle by themselves. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  await expect(check).toPass({ intervals: [200] })
}

/** Reads the page again until something is on it, so often: each time once the page has all that it asked the server for. */
export async function reloadUntil(page: Page, wanted: Locator, times = 1): Promise<void> {
  await eventually(async () => {
    await page.reload()
    await expectWhole(page)
    expect(await wanted.count()).toBe(times)
  })
}

/** The page stands and waits for nothing more of the server. */
export async function expectWhole(page: Page): Promise<void> {
  // By its element: a dialog that opens hides it from those who ask by role.
  await expect(page.locator('h1:visible').first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}
