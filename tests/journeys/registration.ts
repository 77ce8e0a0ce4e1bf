/** A visitor becomes a registered client through the pages: all five steps with their substeps. */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { mailTo } from './mailbox.ts'
import { journeyPassword } from './staff.ts'

export interface Visitor {
  readonly name: string
  readonly surname: string
  readonly email: string
}

/** A person whom no other journey knows, by name or address. */
export function newVisitor(): Visitor {
  const own = randomUUID().slice(0, 8)
  const letters = [...own].map((digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16))).join('')
  return { name: 'Nora', surname: `Winter${letters}`, email: `nora.${own}@example.net` }
}

const next = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()
const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

/** From the login page to the upload of documents. */
export async function register(page: Page, visitor: Visitor): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Open an account' }).click()
  await createAccount(page, visitor)
  const mail = await mailTo(visitor.email, /confirm/i)
  const link = /https?:\/\/\S+\/email\/confirm\/\S+/.exec(mail.text)?.[0]
  expect(link, mail.text).toBeTruthy()
  await page.goto(link ?? '')
  await page.waitForURL('/register')
  await heading(page, 'Your e-mail address is confirmed')
  await next(page)
  await personalDetails(page)
  await experience(page)
  await account(page)
  await legal(page)
  await page.waitForURL('/upload-documents')
}

async function createAccount(page: Page, visitor: Visitor): Promise<void> {
  await heading(page, 'Create your account')
  await choose(page, 'Country of residence', 'Germany')
  await page.getByRole('radio', { name: 'Mrs.' }).check({ force: true })
  await page.getByLabel('First name').fill(visitor.name)
  await page.getByLabel('Surname').fill(visitor.surname)
  await page.getByLabel('Email').fill(visitor.email)
  await page.getByLabel('Password', { exact: true }).fill(journeyPassword)
  await page.getByRole('checkbox', { name: /Terms of business/ }).check({ force: true })
  await page.getByRole('checkbox', { name: /Privacy notice/ }).check({ force: true })
  await next(page)
  await heading(page, 'Which question shall we ask you?')
  await page.getByLabel('Security question').selectOption({ index: 1 })
  await page.getByLabel('Your answer').fill('Rosenheim')
  await next(page)
  await heading(page, 'Look into your mailbox')
  await expect(page.getByText(visitor.email)).toBeVisible()
}

async function personalDetails(page: Page): Promise<void> {
  await heading(page, 'How do we reach you?')
  await page.getByRole('textbox', { name: 'Mobile phone' }).fill('30 12345678')
  await next(page)
  await heading(page, 'When were you born?')
  await page.getByLabel('Day').selectOption('14')
  await page.getByLabel('Month').selectOption('3')
  await page.getByLabel('Year').selectOption('1986')
  await next(page)
  await heading(page, 'Where do you live?')
  await page
    .getByLabel(/First address line|Street/)
    .first()
    .fill('Lindenallee 48')
  await page.getByLabel('Postcode').fill('10437')
  await page.getByLabel('City').fill('Berlin')
  await next(page)
  await heading(page, 'What is your nationality?')
  await choose(page, 'Nationality', 'Germany')
  await next(page)
  await heading(page, 'What do you do?')
  await pick(page, 'Finance')
  await pick(page, 'Manager')
  await pick(page, 'Employment')
  await next(page)
  await heading(page, 'What can you fall back on?')
  await pick(page, '50,000-89,999')
  await pick(page, '10,000-49,999')
  await pick(page, '1 to 5 years')
  await next(page)
}

async function experience(page: Page): Promise<void> {
  await heading(page, 'How do you trade?')
  await pick(page, /^yes$/i)
  await pick(page, '0.10')
  await pick(page, 'Stop loss')
  await pick(page, 'Option 2')
  await pick(page, 'Intermediate')
  await next(page)
}

async function account(page: Page): Promise<void> {
  await heading(page, /In which currency/)
  await pick(page, 'EUR')
  await next(page)
  await heading(page, /Which platform/)
  await pick(page, 'MT5')
  await next(page)
  await heading(page, /Which type of account/)
  await pick(page, 'Standard')
  await next(page)
}

async function legal(page: Page): Promise<void> {
  for (const name of ['Risk disclosure', 'Declaration', 'Client Assets Declarations']) {
    await heading(page, name)
    await page.getByRole('checkbox').check({ force: true })
    await page.getByRole('button', { name: /NEXT|COMPLETE REGISTRATION/ }).click()
  }
}

/** Chooses in a box that searches, by keyboard: its list closes when the page scrolls under it. */
export async function choose(page: Page, label: string, name: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label })
  await expect(async () => {
    await box.fill('')
    await box.fill(name)
    await expect(page.getByRole('option', { name }).first()).toBeVisible({ timeout: 5_000 })
    await box.press('ArrowDown')
    await box.press('Enter')
    await expect(box).toHaveValue(name, { timeout: 2_000 })
  }).toPass()
}

/** Chooses a tile, or a value of a list, whichever the screen has. */
async function pick(page: Page, name: string | RegExp): Promise<void> {
  const tile = page.getByRole('radio', { name })
  if ((await tile.count()) > 0) {
    await tile.first().check({ force: true })
    return
  }
  const lists = page.getByRole('combobox')
  for (let place = 0; place < (await lists.count()); place += 1) {
    const list = lists.nth(place)
    const value = String(name)
    if ((await list.locator(`option[value="${value}"]`).count()) > 0 && (await list.inputValue()) === '') {
      await list.selectOption(value)
      return
    }
  }
  throw new Error(`no choice ${String(name)}`)
}
