/**
 * A visitor becomes a registered client through the pages, with the keyboard only: all five steps with their substeps.
 */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './expect.ts'
import { chooseOption, chooseTile, press, tabTo, tick, type } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { journeyPassword } from './staff.ts'

export interface Visitor {
  readonly name: string
  readonly surname: string
  readonly email: string
}

/** Returns a person whose name and address no other journey uses. */
export function newVisitor(): Visitor {
  const own = randomUUID().slice(0, 8)
  const letters = [...own].map((digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16))).join('')
  return { name: 'Nora', surname: `Winter${letters}`, email: `nora.${own}@example.net` }
}

const pressNext = (page: Page) => press(page, page.getByRole('button', { name: 'NEXT' }))
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Expects the step's question. */
export const expectQuestion = (page: Page, name: string | RegExp) => expect(heading(page, name)).toBeVisible()

/** Expects the step's question to have the focus, as after a button, so that a screen reader reads it next. */
export const expectQuestionFocused = (page: Page, name: string | RegExp) => expect(heading(page, name)).toBeFocused()

/** Returns the link of the mail that confirms an address. */
export async function confirmationLink(email: string): Promise<string> {
  const { text } = await mailTo(email, /confirm/i)
  const link = /https?:\/\/\S+\/email\/confirm\/\S+/.exec(text)?.[0]
  expect(link, text).toBeTruthy()
  return link ?? ''
}

/** Goes from the login page to the upload of documents. */
export async function register(page: Page, visitor: Visitor): Promise<void> {
  await page.goto('/')
  await press(page, page.getByRole('link', { name: 'Open an account' }))
  await createAccount(page, visitor)
  await page.goto(await confirmationLink(visitor.email))
  await page.waitForURL('/register')
  await expectQuestion(page, 'Your email address has been confirmed')
  await pressNext(page)
  await personalDetails(page)
  await experienceSteps(page)
  await accountSteps(page)
  await acceptLegalTexts(page)
  await page.waitForURL('/upload-documents')
}

async function createAccount(page: Page, visitor: Visitor): Promise<void> {
  await expectQuestion(page, 'Create your account')
  await chooseInComboBox(page, 'Country of residence', 'Germany')
  await chooseTileOrOption(page, 'Mrs.')
  await type(page, page.getByLabel('First name'), visitor.name)
  await type(page, page.getByLabel('Surname'), visitor.surname)
  await type(page, page.getByLabel('Email'), visitor.email)
  await type(page, page.getByLabel('Password', { exact: true }), journeyPassword)
  await tick(page, page.getByRole('checkbox', { name: /Terms of business/ }))
  await tick(page, page.getByRole('checkbox', { name: /Privacy notice/ }))
  await pressNext(page)
  await expectQuestion(page, 'Choose a security question')
  await tabTo(page, page.getByLabel('Security question'))
  await page.keyboard.press('ArrowDown')
  await type(page, page.getByLabel('Your answer'), 'Rosenheim')
  await pressNext(page)
  await expectQuestion(page, 'Check your inbox')
  await expect(page.getByText(visitor.email)).toBeVisible()
}

async function personalDetails(page: Page): Promise<void> {
  await expectQuestion(page, 'What is your phone number?')
  const phone = page.getByRole('textbox', { name: 'Mobile phone' })
  await type(page, phone, '+49 30 12345678')
  await expect(phone, 'a typed dialling prefix is selected').toHaveValue('30 12345678')
  await pressNext(page)
  await expectQuestion(page, 'What is your date of birth?')
  await chooseOption(page, page.getByLabel('Day'), '14')
  await chooseOption(page, page.getByLabel('Month'), '3')
  await chooseOption(page, page.getByLabel('Year'), '1986')
  await pressNext(page)
  await expectQuestion(page, 'Where do you live?')
  await type(page, page.getByLabel(/First address line|Street/).first(), 'Lindenallee 48')
  await type(page, page.getByLabel('Postcode'), '10437')
  await type(page, page.getByLabel('City'), 'Berlin')
  await pressNext(page)
  await expectQuestion(page, 'What is your nationality?')
  await chooseInComboBox(page, 'Nationality', 'Germany')
  await pressNext(page)
  await expectQuestion(page, 'What is your occupation?')
  await chooseTileOrOption(page, 'Finance')
  await chooseTileOrOption(page, 'Manager')
  await chooseTileOrOption(page, 'Employment')
  await pressNext(page)
  await expectQuestion(page, 'What are your income and savings?')
  await chooseTileOrOption(page, '50,000-89,999')
  await chooseTileOrOption(page, '10,000-49,999')
  await chooseTileOrOption(page, '1 to 5 years')
  await pressNext(page)
}

async function experienceSteps(page: Page): Promise<void> {
  await expectQuestion(page, 'How do you trade?')
  await chooseTileOrOption(page, /^yes$/i)
  await chooseTileOrOption(page, '0.10')
  await chooseTileOrOption(page, 'Stop loss')
  await chooseTileOrOption(page, 'Option 2')
  await chooseTileOrOption(page, 'Intermediate')
  await pressNext(page)
}

async function accountSteps(page: Page): Promise<void> {
  await expectQuestion(page, /Which currency/)
  await chooseTileOrOption(page, 'EUR')
  await pressNext(page)
  await expectQuestion(page, /Which platform/)
  await chooseTileOrOption(page, 'MT5')
  await pressNext(page)
  await expectQuestion(page, /Which account type/)
  await chooseTileOrOption(page, 'Standard')
  await pressNext(page)
}

async function acceptLegalTexts(page: Page): Promise<void> {
  for (const name of ['Risk disclosure', 'Declaration', 'Client Assets Declarations']) {
    await expectQuestion(page, name)
    await tick(page, page.getByRole('checkbox'))
    await press(page, page.getByRole('button', { name: /NEXT|COMPLETE REGISTRATION/ }))
  }
}

/**
 * Chooses in a combo box with the keyboard: its list closes when the page scrolls under it, so scrolling must have
 * ended.
 */
export async function chooseInComboBox(page: Page, label: string, name: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label })
  await tabTo(page, box)
  await waitForScrollEnd(page)
  await type(page, box, name)
  await expect(page.getByRole('option', { name }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue(name)
}

/** Waits until scrolling caused by the focus has ended. */
async function waitForScrollEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(done))
    for (let before = -1; before !== scrollY; await drawn()) {
      before = scrollY
      await drawn()
    }
  })
}

/** Chooses a tile or a list value, depending on the screen. */
async function chooseTileOrOption(page: Page, name: string | RegExp): Promise<void> {
  const tile = page.getByRole('radio', { name })
  if ((await tile.count()) > 0) {
    await chooseTile(page, tile.first())
    return
  }
  const lists = page.getByRole('combobox')
  for (let place = 0; place < (await lists.count()); place += 1) {
    const list = lists.nth(place)
    const value = String(name)
    if ((await list.locator(`option[value="${value}"]`).count()) > 0 && (await list.inputValue()) === '') {
      await chooseOption(page, list, value)
      return
    }
  }
  throw new Error(`no choice ${String(name)}`)
}
