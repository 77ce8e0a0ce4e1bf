/** The platforms' downloads: specification section 2. */
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { test } from './browsing.ts'
import { clientAtPage } from './clients.ts'

test('each tab of the platforms is an address with four downloads and the names of the servers', async ({ page }) => {
  await clientAtPage(page, '/platforms')
  await page.waitForURL('/platforms/mt4')
  for (const [tab, path, name] of [
    ['MT4', '/platforms/mt4', 'MetaTrader 4'],
    ['MT5', '/platforms/mt5', 'MetaTrader 5'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Platforms' }).getByRole('link', { name: tab }).click()
    await page.waitForURL(path)
    await expect(page.getByRole('link', { name: /DOWNLOAD/ })).toHaveCount(4)
    for (const system of ['Windows', 'Mac'])
      await expect(page.getByRole('link', { name: `DOWNLOAD ${name} for ${system}` })).not.toHaveAttribute('target')
    for (const system of ['iOS', 'Android']) {
      const link = page.getByRole('link', {
        name: new RegExp(`DOWNLOAD ${name} for ${system} \\(opens in a new tab\\)`),
      })
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('href', /server=\w+-Demo%2C\w+-Live/)
    }
    await expect(page.getByRole('button', { name: /^Copy the server/ })).toHaveCount(2)
    await expectAccessible(page)
  }
})
