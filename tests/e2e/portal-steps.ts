/** Walks through the portal's later states. Controls are found by position, because their names differ by language. */
import { randomUUID } from 'node:crypto'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { makeJpeg } from '../files.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { expect } from './expect.ts'
import { mailTo } from './mailbox.ts'
import { createClientWithReservation, newClient, createOpenAccount } from './pending-requests.ts'
import { journeyPassword } from './staff.ts'
import { createClientAtStage, signClientIn, queryAsOwner, saveDocument } from './stages.ts'

/** Handles a state of the page: takes a picture of it, or measures it. */
type Keep = (page: Page, who: string, called: string) => Promise<void>
type Walk = (walk: { readonly context: BrowserContext; readonly keep: Keep }) => Promise<void>

export const forwardButton = (page: Page) => page.locator('.wizard-footer button').last()
export const checkRadio = (page: Page, at: number) => page.getByRole('radio').nth(at).check({ force: true })
const headingTexts = (page: Page) => page.locator('main h1, main h2').allInnerTexts()

/** Does something that leads to another step, and waits for its title. */
async function actAndAwaitStep(page: Page, act: () => Promise<unknown>): Promise<void> {
  await expect(page.locator('main h1')).toBeVisible()
  const before = await headingTexts(page)
  await act()
  await expect.poll(() => headingTexts(page)).not.toEqual(before)
}

export const goToNextStep = (page: Page) => actAndAwaitStep(page, () => forwardButton(page).click())

async function confirmIdentity(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('input[type=password]').fill(journeyPassword)
  await page.keyboard.press('Enter')
}

export const moneySteps: Walk = async ({ context, keep }) => {
  const page = await context.newPage()
  const { client } = await createClientWithReservation('12480.50', '640.00')
  await signClientIn(page, client)
  await deposit(page, keep)
  await withdraw(page, keep)
  await transfer(page, keep)
}

async function deposit(page: Page, keep: Keep): Promise<void> {
  const toConfirm = async (method: 'card' | 'wire') => {
    await page.goto('/deposit-funds')
    await checkRadio(page, 0)
    await goToNextStep(page)
    await checkRadio(page, method === 'card' ? 0 : 1)
    await page.locator('main input[inputmode]').fill('2500')
    await keep(page, 'deposit', `1-${method}`)
    await goToNextStep(page)
    await keep(page, 'deposit', `2-${method}-check`)
  }
  await toConfirm('wire')
  await goToNextStep(page)
  await keep(page, 'deposit', '3-wire-done')
  await toConfirm('card')
}

async function withdraw(page: Page, keep: Keep): Promise<void> {
  await page.goto('/withdraw-funds')
  await checkRadio(page, 0)
  await keep(page, 'withdraw', '1-account')
  await goToNextStep(page)
  await checkRadio(page, 0)
  await page.locator('main input[inputmode]').fill('20000')
  await forwardButton(page).click()
  await keep(page, 'withdraw', '2-too-much')
  await page.locator('main input[inputmode]').fill('1200')
  await keep(page, 'withdraw', '2-amount')
  await goToNextStep(page)
  await keep(page, 'withdraw', '3-bank')
  await goToNextStep(page)
  await keep(page, 'withdraw', '4-check')
  await forwardButton(page).click()
  await expect(page.getByRole('dialog').locator('input[type=password]')).toBeVisible()
  await keep(page, 'withdraw', '5-proof')
  await actAndAwaitStep(page, () => confirmIdentity(page))
  await keep(page, 'withdraw', '6-done')
}

async function transfer(page: Page, keep: Keep): Promise<void> {
  await page.goto('/internal-transfer')
  await checkRadio(page, 0)
  await keep(page, 'transfer', '1-from')
  await goToNextStep(page)
  await checkRadio(page, 0)
  await keep(page, 'transfer', '2-to')
  await goToNextStep(page)
  await page.locator('main input[inputmode]').fill('250')
  await expect(page.getByText(/1\sEUR = \d/).first()).toBeVisible()
  await keep(page, 'transfer', '3-amount')
  await goToNextStep(page)
  await keep(page, 'transfer', '4-check')
  await goToNextStep(page)
  await keep(page, 'transfer', '5-done')
}

const registrationParts = [6, 1, 3, 3].flatMap((parts, step) =>
  Array.from({ length: parts }, (_, part) => [step + 2, part + 1] as const),
)

export const registrationSteps: Walk = async ({ context, keep }) => {
  const page = await context.newPage()
  await page.goto('/register')
  const country = page.getByRole('combobox').first()
  await country.fill('Bela')
  // The list is hidden while it is measured; a click before that scrolls the page, which closes the list.
  await expect(page.locator('.combo-box-list')).toHaveCSS('opacity', '1')
  await page.getByRole('option').first().click()
  await keep(page, 'register', '1-1-not-served')
  await country.fill('Schw')
  if ((await page.getByRole('option').count()) === 0) await country.fill('Switz')
  await expect(page.locator('.combo-box-list')).toHaveCSS('opacity', '1')
  await page.getByRole('option').last().click()
  await expect(page.locator('input[type=password]')).toBeVisible()
  await forwardButton(page).click()
  await keep(page, 'register', '1-1-missing')
  await confirmAddress(page, keep)
  const client = await createClientAtStage({ state: 'registering' })
  for (const [step, part] of registrationParts) {
    await queryAsOwner('update clients set step = $2, sub_step = $3 where id = $1', [client.id, step, part])
    await openPageAsClient(page, '/register', client)
    await keep(page, 'register', `${step}-${part}`)
  }
}

/** Completes the first step up to the tick that the link in the email brings. */
async function confirmAddress(page: Page, keep: Keep): Promise<void> {
  const email = `nora.${randomUUID().slice(0, 8)}@example.net`
  for (const [place, text] of ['Nora', 'Winter', email].entries()) await page.getByRole('textbox').nth(place).fill(text)
  await checkRadio(page, 1)
  await page.locator('input[type=password]').fill(journeyPassword)
  for (const box of await page.getByRole('checkbox').all()) await box.check({ force: true })
  await goToNextStep(page)
  await keep(page, 'register', '1-2')
  await page.locator('main select').selectOption({ index: 1 })
  await page.getByRole('textbox').fill('Rosenheim')
  await goToNextStep(page)
  await keep(page, 'register', '1-3-waiting')
  const { text } = await mailTo(email, /confirm|bestätigen/i)
  await page.goto(/https?:\/\/\S+\/email\/confirm\/\S+/.exec(text)?.[0] ?? '')
  await page.waitForURL('/register')
  await keep(page, 'register', '1-3-confirmed')
  // Otherwise the next client would see this step again.
  await page.evaluate(() => localStorage.clear())
}

export const documentSteps: Walk = async ({ context, keep }) => {
  const page = await context.newPage()
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await page.goto('/upload-documents')
  const choices = page.locator('.document-choice')
  await choices.nth(1).click()
  await keep(page, 'upload', '1-method')
  await actAndAwaitStep(page, () => choices.first().click())
  await keep(page, 'upload', '2-identity')
  await actAndAwaitStep(page, () => choices.first().click())
  await forwardButton(page).click()
  await keep(page, 'upload', '3-missing')
  const file = { name: 'passport.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(900) }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(page.locator('main img')).toBeVisible()
  await expect(page.locator('main progress')).toHaveCount(0)
  await keep(page, 'upload', '3-uploaded')
  await saveDocument(token, 'passport')
  // Otherwise the wizard would continue with the current document.
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/upload-documents')
  await keep(page, 'upload', '4-address')
  await actAndAwaitStep(page, () => choices.nth(1).click())
  await keep(page, 'upload', '5-bill')
  await saveDocument(token, 'utility_bill')
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/documents')
  await keep(page, 'upload', '6-documents')
  await page.goto('/upload-documents')
  await expect(page.locator('main .status').first()).toBeVisible()
  await keep(page, 'upload', '7-finished')
}

export const professionalSteps: Walk = async ({ context, keep }) => {
  const page = await context.newPage()
  await openPageAsNewClient(page, '/professional-client-status')
  await forwardButton(page).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await keep(page, 'professional', '1-confirm')
  await actAndAwaitStep(page, () => page.getByRole('alertdialog').getByRole('button').last().click())
  for (const step of [2, 3, 4, 5]) {
    await checkRadio(page, 0)
    if (step === 2) await checkRadio(page, 3)
    for (const field of await page.locator('main :is(input[type=text], textarea)').all()) await field.fill('Analyst')
    await keep(page, 'professional', String(step))
    await goToNextStep(page)
  }
  await expect(page.locator('main .status')).toBeVisible()
  await keep(page, 'professional', '6')
}

export const openDialogs: Walk = async ({ context, keep }) => {
  const page = await context.newPage()
  const show = async (called: string, opener: Locator) => {
    await opener.click()
    await expect(page.locator('[role=dialog], [role=alertdialog]').last()).toBeVisible()
    await keep(page, 'dialog', called)
    await page.keyboard.press('Escape')
  }
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
  const links = page.locator('main a[href^="/trading-accounts/"]')
  await links.first().waitFor()
  const accounts = await links.evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))])
  await show('new-account', page.locator('.page-header button').last())
  await show('settings', page.locator('.account-commands button').first())
  for (const account of accounts) {
    await page.goto(account)
    // Trades load once they are in view.
    await page.locator('.account-trades-later').scrollIntoViewIfNeeded()
    const trade = page.locator('main a[href*="trade="]').first()
    await trade.waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    await keep(page, 'account', account.replace('/trading-accounts', ''))
    await show(`trade${account.replace('/trading-accounts', '')}`, trade)
  }
  await page.goto('/bank-details')
  await show('bank', page.locator('main .bank-card').first())
  await show('new-bank', page.locator('.page-header button').last())
  const prompted = await newClient({ declaration: false })
  await openPageAsClient(page, '/trading-accounts', prompted)
  await expect(page.getByRole('dialog')).toBeVisible()
  await keep(page, 'dialog', 'declaration')
  const unfunded = await newClient()
  await createOpenAccount(unfunded)
  await openPageAsClient(page, '/trading-accounts', unfunded)
  await expect(page.getByRole('dialog')).toBeVisible()
  await keep(page, 'dialog', 'no-bank')
  await page.goto('/withdraw-funds')
  await expect(page.getByRole('dialog')).toBeVisible()
  await keep(page, 'dialog', 'no-funds')
}
