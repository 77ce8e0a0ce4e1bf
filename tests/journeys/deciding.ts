/** How staff decide in the office: the command of the record's page, its last look, and the words that go with it. */
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'

export interface LastLook {
  /** What the client or the audit log reads; without it the field stays empty. */
  readonly words?: string
  /** The command in the dialog, where it is not that of the page. */
  readonly confirm?: string
  /** Looks at the open dialog with axe. */
  readonly accessible?: boolean
}

/** Opens the last look of a command, says why where it asks, and confirms; answers once the dialog is gone. */
export async function takeDecision(page: Page, command: string | RegExp, look: LastLook = {}): Promise<void> {
  const button = page.getByRole('button', { name: command }).last()
  const verb = /^[^\s…]+/.exec(await button.innerText())?.[0] ?? ''
  await button.click()
  const title = await page.getByRole('dialog').last().getByRole('heading').first().innerText()
  // By its title: a drawer may stand open beside it.
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await expect(dialog).toBeVisible()
  if (look.accessible) await expectAccessible(page)
  if (look.words !== undefined) await dialog.getByRole('textbox').last().fill(look.words)
  await dialog
    .getByRole('button', { name: look.confirm ?? new RegExp(`^${verb}`, 'i') })
    .last()
    .click()
  await expect(dialog).toHaveCount(0)
}

/** Opens a record of the office and waits until it is there. */
export async function openRecord(page: Page, address: string): Promise<void> {
  await page.goto(`/office${address}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Waits until what a client reads is so: operations towards a platform settle by themselves. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  await expect(check).toPass({ intervals: [200], timeout: 20_000 })
}
