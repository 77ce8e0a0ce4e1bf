/** Fingers: every control of a phone's screen is hit within 44 px (requirements 36.3). */
import type { Browser, Page } from '@playwright/test'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { portalUrl } from '../product.ts'
import { enterAs } from './clients.ts'
import { expectWhole } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { smallControls } from './room-for-texts.ts'
import {
  clientAddresses,
  firstDrawerOf,
  firstRecordOf,
  profileSections,
  visitorAddresses,
  waitingAddresses,
} from './screens.ts'
import { staffAt } from './staff.ts'

const phone = { width: 390, height: 844 }

const onPhone = (browser: Browser) =>
  browser.newContext({
    baseURL: portalUrl(),
    locale: 'en-GB',
    viewport: phone,
    hasTouch: true,
    reducedMotion: 'reduce',
  })

function isOnTop(element: HTMLElement | SVGElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** Opens addresses and notes each with the controls that a finger misses. */
function looking(page: Page) {
  const missed: Record<string, string[]> = {}
  const look = async (place: string) => {
    await expectWhole(page)
    // On a touch screen a dialog is behind a cover until the keyboard had time to open.
    for (const dialog of await page.getByRole('dialog').all())
      await expect.poll(() => dialog.evaluate(isOnTop)).toBe(true)
    const controls = await smallControls(page)
    if (controls.length > 0) missed[place] = controls
  }
  return {
    missed,
    look,
    open: (address: string) =>
      test.step(address, async () => {
        await page.goto(address)
        await look(address)
      }),
  }
}

test('a finger hits every control of the portal', async ({ browser }) => {
  const context = await onPhone(browser)
  const page = await context.newPage()
  const { missed, look, open } = looking(page)
  for (const address of visitorAddresses) await open(address)
  await enterAs(page, '/upload-documents', personas.amira, demoPassword)
  for (const address of waitingAddresses) await open(address)
  await enterAs(page, '/trading-accounts', personas.clara, demoPassword)
  for (const address of [...clientAddresses, ...profileSections]) {
    await open(address)
    const record = (await firstRecordOf(page, address)) ?? (await firstDrawerOf(page))
    if (record !== null) await open(record)
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('menu')
  expect(missed).toEqual({})
  await context.close()
})

test('a finger hits every control of the inbox, a list and a decision', async ({ browser }) => {
  const context = await onPhone(browser)
  const { page } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(phone)
  const { missed, open } = looking(page)
  for (const list of ['/office/inbox', '/office/withdrawals', '/office/clients']) {
    await open(list)
    const record = await firstRecordOf(page, list)
    if (record !== null) await open(record)
  }
  expect(missed).toEqual({})
  await context.close()
})
