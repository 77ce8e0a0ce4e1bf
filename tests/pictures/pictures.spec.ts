/** `npm run pictures`: every screen of both apps, wide and narrow, light and dark, in English and in German. */
import { join } from 'node:path'
import { test, type Page } from '@playwright/test'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { enterAs } from '../e2e/clients.ts'
import { expectWhole } from '../e2e/decisions.ts'
import {
  clientAddresses,
  firstDrawerOf,
  firstRecordOf,
  lists,
  profileSections,
  visitorAddresses,
  waitingAddresses,
} from '../e2e/screens.ts'
import { staffAt } from '../e2e/staff.ts'
import { portalUrl } from '../product.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'pictures')
const looks = ['en-GB', 'de-DE'].flatMap((locale) =>
  [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ locale, width, colorScheme }))),
)

const visitorPanels = [
  ['/help', /^(Help|Hilfe)$/],
  ['/appearance', /^(Appearance|Darstellung)$/],
] as const
const clientPanels = [
  ['/help', /^(Help|Hilfe)$/],
  ['/appearance', /^(Language and appearance|Sprache und Darstellung)$/],
] as const

for (const { locale, width, colorScheme } of looks) {
  const look = [locale.slice(0, 2), width, colorScheme].join('-')
  test(look, async ({ browser }) => {
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ baseURL: portalUrl(), locale, colorScheme, viewport })
    const take = async (page: Page, who: string, address: string, called = address) => {
      await page.goto(address)
      await keep(page, who, called)
    }
    const keep = async (page: Page, who: string, called: string) => {
      await expectWhole(page)
      const name = `${who}${called.replace(/[^a-z0-9]+/gi, '-')}`
      await page.screenshot({ path: join(folder, look, `${name}.png`), fullPage: true })
    }
    const takePanel = async (page: Page, who: string, called: string, name: RegExp) => {
      await expectWhole(page)
      const menu = page.getByRole('button', { name: /^(Menu|Menü)$/ })
      if (await menu.isVisible()) await menu.click()
      await page.getByRole('button', { name }).last().click()
      await keep(page, who, called)
      await page.keyboard.press('Escape')
    }
    const page = await context.newPage()
    for (const address of visitorAddresses) await take(page, 'visitor', address)
    await page.goto('/login')
    for (const [called, name] of visitorPanels) await takePanel(page, 'visitor', called, name)
    await enterAs(page, '/upload-documents', personas.amira, demoPassword)
    for (const address of waitingAddresses) await take(page, 'waiting', address)
    await enterAs(page, '/trading-accounts', personas.clara, demoPassword)
    for (const address of [...clientAddresses, ...profileSections]) {
      await take(page, 'client', address)
      const record = (await firstRecordOf(page, address)) ?? (await firstDrawerOf(page))
      if (record !== null) await take(page, 'client', record, `${address}/record`)
    }
    await page.goto('/trading-accounts')
    for (const [called, name] of clientPanels) await takePanel(page, 'client', called, name)
    await take(page, 'staff', '/office/sign-in')
    const { page: office } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
    await office.setViewportSize(viewport)
    for (const list of lists) {
      await take(office, 'staff', `/office${list}`)
      const record = await firstRecordOf(office, `/office${list}`)
      if (record !== null) await take(office, 'staff', record, `/office${list}/record`)
    }
    await context.close()
  })
}
