/** `npm run pictures`: every screen of the portal, as it opens. */
import type { Page } from '@playwright/test'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { openPageAsNewClient, openPageAsClient } from '../e2e/clients.ts'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import {
  clientAddresses,
  firstDrawerOf,
  firstRecordOf,
  profileSections,
  visitorAddresses,
  waitingAddresses,
} from '../e2e/screens.ts'
import { inEveryLook, type Look } from './looks.ts'

const visitorPanels = [
  ['help', /^(Help|Hilfe)$/],
  ['appearance', /^(Appearance|Darstellung)$/],
] as const
const clientPanels = [
  ['help', /^(Help|Hilfe)$/],
  ['appearance', /^(Language and appearance|Sprache und Darstellung)$/],
  ['bell', /^(Notifications|Benachrichtigungen)/],
] as const
const emptyAddresses = [
  '/trading-accounts',
  '/trading-accounts?kind=demo',
  '/deposit-funds',
  '/withdraw-funds',
  '/internal-transfer',
  '/transactions-history?list=deposits',
]

inEveryLook('portal', async ({ context, take, keep }) => {
  const page = await context.newPage()
  for (const address of visitorAddresses) await take(page, 'visitor', address)
  await page.goto('/login')
  for (const [called, name] of visitorPanels) await takePanel(page, keep, `visitor-${called}`, name)
  await openPageAsClient(page, '/upload-documents', personas.amira, demoPassword)
  for (const address of waitingAddresses) await take(page, 'waiting', address)
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
  for (const address of [...clientAddresses, ...profileSections]) {
    await take(page, 'client', address)
    const record = (await firstRecordOf(page, address)) ?? (await firstDrawerOf(page))
    if (record !== null) await take(page, 'client', record, `${address}/record`)
  }
  await page.goto('/trading-accounts')
  for (const [called, name] of clientPanels) await takePanel(page, keep, `client-${called}`, name)
  await openPageAsNewClient(page, '/trading-accounts')
  for (const address of emptyAddresses) await take(page, 'new', address)
})

/** Opens a panel by its button, which a phone has in its menu. */
async function takePanel(page: Page, keep: Look['keep'], called: string, name: RegExp): Promise<void> {
  await expectPageLoaded(page)
  const button = page.getByRole('button', { name })
  if (!(await button.last().isVisible())) await page.getByRole('button', { name: /^(Menu|Menü)$/ }).click()
  await button.last().click()
  await expect(page.locator('[role=dialog], .bell-list').last()).toBeVisible()
  await keep(page, called, '')
  await page.keyboard.press('Escape')
}
