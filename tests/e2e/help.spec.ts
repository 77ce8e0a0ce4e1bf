/** Help, language and appearance on every page, for visitors and clients (requirements 24.14). */
import type { Page } from '@playwright/test'
import { run, sql } from '#server/db/sql.ts'
import { expectAccessible } from './accessible.ts'
import { openPageAsNewClient } from './clients.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { press, type } from './keyboard.ts'
import { newClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const colours = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

/** Opens Help with the keyboard and expects contact, hours and answers; Escape returns the focus. */
async function readHelp(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Help', exact: true }).last()
  await press(page, opener)
  const panel = page.getByRole('dialog', { name: 'Help' })
  await expect(panel.getByRole('link', { name: /^support@/ })).toBeVisible()
  await expect(panel.getByText('Monday to Friday, 8:00 to 18:00 London time')).toBeVisible()
  await press(page, panel.getByRole('button', { name: 'How long does a withdrawal take?' }))
  await expect(panel.getByText('We review each withdrawal within one working day.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(opener).toBeFocused()
}

test('a visitor reads contact and hours on the login page and chooses dark mode, using only the keyboard', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'SIGN IN' })).toBeVisible()
  await readHelp(page)
  await press(page, page.getByRole('button', { name: 'Appearance' }))
  const panel = page.getByRole('dialog', { name: 'Language and appearance' })
  await expect(panel.getByRole('radio', { name: 'Use device setting' })).toBeChecked()
  await panel.getByRole('radio', { name: 'Dark' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => colours(page)).toBe('dark')
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'SIGN IN' })).toBeVisible()
  expect(await colours(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await press(page, page.getByRole('button', { name: 'Appearance' }))
  await panel.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => colours(page)).toBe('light')
})

test('a client pending approval and a visitor who registers read Help, using only the keyboard', async ({ page }) => {
  await openPageAsNewClient(page, '/upload-documents', { state: 'pending' })
  await readHelp(page)
  await press(page, menu(page).getByRole('button', { name: 'Language and appearance' }))
  const panel = page.getByRole('dialog', { name: 'Language and appearance' })
  await panel.getByRole('radio', { name: 'Deutsch' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog', { name: 'Sprache und Darstellung' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(
    page.getByRole('navigation', { name: 'Menü' }).getByRole('button', { name: 'Hilfe' }).last(),
  ).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await readHelp(page)
})

test('the menu opens each section of the profile, and on a phone also Help, using only the keyboard', async ({
  page,
}) => {
  await openPageAsNewClient(page, '/trading-accounts')
  await press(page, menu(page).getByRole('link', { name: 'Security' }))
  await page.waitForURL('/profile?section=security')
  await expect(page.getByRole('button', { name: 'Security', expanded: true })).toBeVisible()
  for (const section of ['Employment & financial info', 'Trading experience', 'Notifications and data']) {
    await press(page, menu(page).getByRole('link', { name: section }))
    await expect(page.getByRole('button', { name: section, expanded: true })).toBeVisible()
    await expect(menu(page).locator('[aria-current]')).toHaveText(section)
  }
  await press(page, menu(page).getByRole('link', { name: 'Profile', exact: true }))
  await expect(menu(page).locator('[aria-current]')).toHaveText('Profile')
  await expect(page.getByRole('button', { name: 'Personal details', expanded: true })).toBeVisible()
  await page.goto('/profile?section=unknown')
  await expect(page.getByRole('button', { name: 'Personal details', expanded: true })).toBeVisible()
  await expect(menu(page).locator('[aria-current]')).toHaveText('Profile')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  const opener = page.getByRole('button', { name: 'Menu' })
  await press(page, opener)
  await press(page, menu(page).getByRole('button', { name: 'Help', exact: true }))
  const panel = page.getByRole('dialog', { name: 'Help' })
  await expect(panel.getByText('Monday to Friday, 8:00 to 18:00 London time')).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('a suspended client whose login is rejected reads contact and hours on the login page, using only the keyboard', async ({
  page,
}) => {
  const { pool } = (await runningProduct()).dependencies
  const client = await newClient()
  await run(pool, sql`update clients set state = 'suspended' where id = ${client.id}`)
  await page.goto('/')
  await type(page, page.getByLabel('Email'), client.email)
  await type(page, page.getByLabel('Password', { exact: true }), journeyPassword)
  await press(page, page.getByRole('button', { name: 'SIGN IN' }))
  await expect(page.getByText(/^Your access has been suspended\. Contact support@/)).toBeVisible()
  await readHelp(page)
  await press(page, page.getByRole('button', { name: 'Help', exact: true }).last())
  const panel = page.getByRole('dialog', { name: 'Help' })
  await press(page, panel.getByRole('button', { name: 'Send us a message' }))
  await expect(panel.getByText('We reply by email to this address.')).toBeVisible()
})
