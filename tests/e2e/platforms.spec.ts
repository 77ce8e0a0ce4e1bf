/** The platforms' downloads (requirements 2.13). */
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsNewClient } from './clients.ts'
import { press, tabTo } from './keyboard.ts'

test('each platform tab has its own URL, four downloads and the names of the servers', async ({ page }) => {
  await openPageAsNewClient(page, '/platforms')
  await page.waitForURL('/platforms/mt4')
  for (const [tab, path, name, installers] of [
    ['MT4', '/platforms/mt4', 'MetaTrader 4', { Windows: '/mt4/mt4setup.exe', Mac: '/mt4/MetaTrader4.dmg' }],
    ['MT5', '/platforms/mt5', 'MetaTrader 5', { Windows: '/mt5/mt5setup.exe', Mac: '/mt5/MetaTrader5.pkg.zip' }],
  ] as const) {
    const link = page.getByRole('navigation', { name: 'Platforms' }).getByRole('link', { name: tab })
    await press(page, link)
    await page.waitForURL(path)
    await expect(link).toBeFocused()
    await expect(page.getByRole('link', { name: /DOWNLOAD/ })).toHaveCount(4)
    for (const system of ['Windows', 'Mac'] as const) {
      const download = page.getByRole('link', { name: `DOWNLOAD ${name} for ${system}` })
      await expect(download).not.toHaveAttribute('target')
      await expect(download).toHaveAttribute('href', new RegExp(`^https://download\\.[^?]*${installers[system]}$`))
    }
    for (const system of ['iOS', 'Android']) {
      const download = page.getByRole('link', {
        name: new RegExp(`DOWNLOAD ${name} for ${system} \\(opens in a new tab\\)`),
      })
      await expect(download).toHaveAttribute('target', '_blank')
      await expect(download).toHaveAttribute('href', /\/cdn\/mobile\/mt[45]\/\w+\?server=\w+-Demo,\w+-Live$/)
    }
    await expect(page.getByRole('button', { name: /^Copy the server/ })).toHaveCount(2)
    await tabTo(page, page.getByRole('link', { name: `DOWNLOAD ${name} for Mac` }))
    await expectAccessible(page)
  }
})
