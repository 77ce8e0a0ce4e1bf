/** Touch targets: every control on a phone's screen has a target of at least 44 px (requirements 36.3). */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { overview } from '#contract/office/overview.ts'
import { settingSections } from '#contract/setting-sections.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { portalUrl } from '../product.ts'
import { openPageAsClient } from './clients.ts'
import { closeWithEscape, expectPageLoaded } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { newClient } from './pending-requests.ts'
import { documentSteps, moneySteps, openDialogs, professionalSteps, registrationSteps } from './portal-steps.ts'
import { smallControls } from './room-for-texts.ts'
import {
  clientAddresses,
  firstDrawerOf,
  firstRecordOf,
  officePages,
  profileSections,
  visitorAddresses,
  waitingAddresses,
} from './screens.ts'
import { openPageAsStaff } from './staff.ts'

const clientTabs = ['overview', 'profile', 'documents', 'accounts', 'money', 'bank', 'mails', 'logins', 'timeline']
const reports = ['funding', 'decision-times', 'conversion', 'overrides', 'approvals']
const listsWithDialogs = ['/inbox', '/withdrawals', '/clients', '/staff', '/corrections', '/imports', '/payout-batches']

const phone = { width: 390, height: 844 }

const onPhone = (browser: Browser) =>
  browser.newContext({
    baseURL: portalUrl(),
    locale: 'en-GB',
    viewport: phone,
    hasTouch: true,
    reducedMotion: 'reduce',
  })

/** Returns whether a dialog's header is not covered; the rest may be scrolled. */
function isOnTop(element: HTMLElement | SVGElement): boolean {
  const { left, top, width } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + 22))
}

/** Returns the controls with too small a touch target under the name of the place; `{}` if there are none. */
async function smallControlsOn(page: Page, place: string): Promise<Record<string, string[]>> {
  const dialog = page.locator('[role=dialog], [role=alertdialog]').last()
  if (await dialog.isVisible()) {
    // Waits for the dialog only, because a button of the page behind it may be busy until the dialog is closed.
    await expect(dialog.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
    // On a touch screen a dialog is covered until the on-screen keyboard has had time to open.
    await expect.poll(() => dialog.evaluate(isOnTop)).toBe(true)
  } else await expectPageLoaded(page)
  const controls = await smallControls(page)
  return controls.length > 0 ? { [place]: controls } : {}
}

/** Opens addresses and records the controls with too small a touch target on each. */
function addressChecker(page: Page) {
  const missed: Record<string, string[]> = {}
  const look = async (place: string) => void Object.assign(missed, await smallControlsOn(page, place))
  return {
    missed,
    look,
    open: (address: string) =>
      test.step(address, async () => {
        await page.goto(address)
        if (address.includes('record=')) await expect(page.getByRole('dialog')).toBeVisible()
        await look(address)
      }),
  }
}

test('every control of the portal has a large enough touch target', async ({ browser }) => {
  const context = await onPhone(browser)
  const page = await context.newPage()
  const { missed, look, open } = addressChecker(page)
  for (const address of visitorAddresses) await open(address)
  await openPageAsClient(page, '/upload-documents', personas.amira, demoPassword)
  for (const address of waitingAddresses) await open(address)
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
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

const walks = {
  'deposit, withdrawal and transfer': moneySteps,
  registration: registrationSteps,
  'document upload': documentSteps,
  'application for professional status': professionalSteps,
  "portal's dialogs": openDialogs,
}

for (const [name, walk] of Object.entries(walks))
  test(`every control of the ${name} has a large enough touch target`, async ({ browser }) => {
    const context = await onPhone(browser)
    const missed: Record<string, string[]> = {}
    await walk({
      context,
      keep: async (page, who, called) => void Object.assign(missed, await smallControlsOn(page, `${who} ${called}`)),
    })
    expect(missed).toEqual({})
    await context.close()
  })

test('every control of Help, the panels and the forms of the profile has a large enough touch target', async ({
  browser,
}) => {
  const context = await onPhone(browser)
  const page = await context.newPage()
  const { missed, look } = addressChecker(page)
  const openFrom = async (opener: string, name: string) => {
    await page.getByRole('button', { name: opener, exact: true }).last().click()
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await look(`${page.url()} ${name}`)
  }
  await page.goto('/login')
  await openFrom('Appearance', 'Language and appearance')
  await page.keyboard.press('Escape')
  await openFrom('Help', 'Help')
  await page.getByRole('button', { name: 'Send us a message' }).click()
  await look('contact form')
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
  await openFrom('Menu', 'Menu')
  await openFrom('Help', 'Help')
  await page.getByRole('button', { name: 'Send us a message' }).click()
  await look('message of a client')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
  await look('notifications')
  for (const section of ['personal', 'employment', 'experience']) {
    await page.goto(`/profile?section=${section}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await look(`${section} edited`)
  }
  await page.goto('/transactions-history')
  await page.getByRole('button', { name: /^Days/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('days of the history')
  expect(missed).toEqual({})
  await context.close()
})

/** Opens a page of the back office on a phone. */
async function clerkOnPhone(browser: Browser) {
  const context = await onPhone(browser)
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(phone)
  return { context, page, ...addressChecker(page) }
}

test('every linked number of the overview has a large enough touch target, also a single digit beside a long one', async ({
  browser,
}) => {
  const { context, page, missed, open } = await clerkOnPhone(browser)
  await page.route(`**${overview.path}`, async (route) => {
    const shown = await (await route.fetch()).json()
    const ones = { open: 1, overdue: 1, snoozed: 0 }
    const old = { oldest: shown.at - 45 * 60, oldestRecord: randomUUID() }
    for (const queue of shown.queues) Object.assign(queue, ones, old)
    for (const member of shown.team) Object.assign(member, ones, { decided: 12_345 })
    for (const row of shown.reviews.rows) Object.assign(row, { clients: 1 })
    await route.fulfill({ json: shown })
  })
  await open('/office/overview')
  const queues = page.getByRole('table', { name: 'Queues' })
  await expect(queues.getByRole('row', { name: 'overdue 1 45 min' }).first()).toBeVisible()
  expect(missed).toEqual({})
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

const parts = 3
for (let part = 0; part < parts; part += 1)
  test(`every control of the back office’s lists and records has a large enough touch target (part ${part + 1})`, async ({
    browser,
  }) => {
    const { context, page, missed, open } = await clerkOnPhone(browser)
    for (const list of officePages.filter((_, at) => at % parts === part)) {
      const address = `/office${list}`
      await open(address)
      const record = (await firstRecordOf(page, address)) ?? (await firstDrawerOf(page))
      if (record !== null) await open(record)
    }
    expect(missed).toEqual({})
    await context.close()
  })

test('every control of a client, an account, the settings and the reports has a large enough touch target', async ({
  browser,
}) => {
  const { context, page, missed, open } = await clerkOnPhone(browser)
  await page.goto('/office/clients?q=clara')
  const client = (await page.locator('main tbody a').first().getAttribute('href')) ?? ''
  for (const tab of clientTabs) await open(`${client}?tab=${tab}`)
  await page.goto(`${client}?tab=accounts`)
  await expectPageLoaded(page)
  await open((await page.locator('main a[href*="/accounts/MT5/"]').first().getAttribute('href')) ?? '')
  for (const report of reports) await open(`/office/reports?report=${report}`)
  for (const section of Object.keys(settingSections)) await open(`/office/settings/${section}`)
  expect(missed).toEqual({})
  await context.close()
})

test('every control of the back office’s dialogs and panels has a large enough touch target', async ({ browser }) => {
  const { context, page, missed, look } = await clerkOnPhone(browser)
  const { id } = await newClient()
  for (const list of listsWithDialogs) {
    const address = `/office${list}`
    await page.goto(address)
    await expectPageLoaded(page)
    // The newest client in the list belongs to another journey, which may change it meanwhile.
    const record = list === '/clients' ? `/office/clients/${id}` : await firstRecordOf(page, address)
    for (const at of record === null ? [address] : [address, record])
      await test.step(at, () => checkDialogs(page, at, look))
  }
  await page.goto('/office/overview')
  await expectPageLoaded(page)
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts).toBeVisible()
  await look('shortcuts')
  await closeWithEscape(page, shortcuts)
  await expect(shortcuts).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Client, account/ }).fill('clara')
  await expect(page.getByRole('option', { name: /Clara/ }).first()).toBeVisible()
  await look('search')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('menu')
  expect(missed).toEqual({})
  await context.close()
})

/** Opens the dialog of each button of a page that has one, and checks it. */
async function checkDialogs(page: Page, address: string, look: (place: string) => Promise<void>): Promise<void> {
  const openers = page.locator('main').getByRole('button', { name: /…$/ })
  const open = async () => {
    await page.goto(address)
    await expectPageLoaded(page)
  }
  await open()
  const number = await openers.count()
  for (let at = 0; at < number; at += 1) {
    if (at > 0) await open()
    const opener = openers.nth(at)
    const closed = await opener.evaluate((one) => one.ariaDisabled === 'true' || one.closest('[inert]') !== null)
    if (closed || !(await opener.isVisible())) continue
    const name = await opener.innerText()
    await opener.click()
    await expect(page.locator('[role=dialog], [role=alertdialog]').last()).toBeVisible()
    await look(`${address}: ${name}`)
  }
}
