/** Registration with all its possible errors (requirements 3). */
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { logIn } from './clients.ts'
import {
  expectQuestion,
  chooseInComboBox,
  confirmationLink,
  newVisitor,
  expectQuestionFocused,
  type Visitor,
} from './registration.ts'
import { overrideSettings } from './settings.ts'
import { createClientAtStage, signClientIn, expectFieldErrors, field, queryAsOwner, postToPortal } from './stages.ts'
import { journeyPassword } from './staff.ts'
import { expectHistoryEntry } from './wizards.ts'

const missing = 'This field is required.'

/** Submits the current step. */
const next = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()

const pick = (page: Page, group: string, tile: string) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name: tile, exact: true }).check({ force: true })

/** Expects the five steps at the side, and the parts of the current one (requirements 3.1). */
async function expectRail(page: Page, step: string, parts: readonly string[]): Promise<void> {
  const steps = ['Create Account', 'Personal Details', 'Experience', 'Account Details', 'Legal']
  const rail = page.getByRole('navigation', { name: 'Steps of the registration' })
  await expect(rail.getByRole('listitem')).toHaveText(
    steps.flatMap((name) => [new RegExp(name), ...(name === step ? parts : [])]),
  )
}

test('every step shows missing and invalid fields, keeps the input, and continues where it stopped on any device', async ({
  page,
  browser,
}) => {
  const visitor = newVisitor()
  await test.step('1.1 creates the account', () => createAccount(page, visitor))
  await test.step('1.2 requires a security question, using only the keyboard', () => securityQuestion(page))
  const address = await test.step('1.3 waits for the email, can send it again, and accepts another address', () =>
    verifyEmail(page, visitor))
  const other = await (await browser.newContext()).newPage()
  await test.step('the link opened on another device logs in there, and the waiting page continues automatically', async () => {
    await other.goto(await confirmationLink(address))
    await expect(other).toHaveURL('/register')
    await expectQuestion(other, 'Your email address has been confirmed')
    await expectAccessible(other)
    await expectQuestion(page, 'Your email address has been confirmed')
    await other.goto(await confirmationLink(address))
    await expect(other.getByText(/log in/i).first()).toBeVisible()
    await expectAccessible(other)
  })
  await test.step('2 requires personal details', () => personSteps(page))
  await test.step('a login on another device continues at the same step', async () => {
    await page.getByRole('button', { name: 'Save and leave' }).click()
    await expect(page).toHaveURL('/')
    await other.evaluate(() => localStorage.clear())
    await logIn(other, address, journeyPassword)
    await expect(other).toHaveURL('/register')
    await expectQuestion(other, 'What is your occupation?')
  })
  await test.step('2.5 to 4.3 require finances, experience and account', () => backgroundSteps(other))
  await test.step('5 requires a tick for each text; completion, even if it happened on another device, leads to the document upload', () =>
    acceptLegalTexts(other))
  await other.context().close()
})

async function createAccount(page: Page, visitor: Visitor): Promise<void> {
  await page.goto('/register')
  await expectQuestion(page, 'Create your account')
  await expectRail(page, 'Create Account', ['Create your account', 'Security question', 'Verify email'])
  await chooseInComboBox(page, 'Country of residence', 'Belarus')
  await expect(page.getByText('We cannot open an account for you')).toBeVisible()
  await expect(page.getByText('To continue, choose a country that we serve.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'NEXT' })).toBeDisabled()
  await expect(page.getByLabel('First name')).toHaveCount(0)
  await expectAccessible(page)
  await chooseInComboBox(page, 'Country of residence', 'Germany')
  await next(page)
  const names = ['Title', 'First name', 'Surname', 'Email', 'Password']
  await expectFieldErrors(page, Object.fromEntries(names.map((name) => [name, missing])))
  await expect(page.getByRole('radio', { name: 'Mr.', exact: true })).toBeFocused()
  for (const name of [/Terms of business/, /Privacy notice/])
    await expect(page.getByRole('checkbox', { name })).toHaveAccessibleDescription('Tick this box to continue.')
  await expectAccessible(page)

  await page.getByRole('radio', { name: 'Mrs.' }).check({ force: true })
  await page.getByLabel('First name').fill(visitor.name)
  await page.getByLabel('Surname').fill(visitor.surname)
  await page.getByLabel('Email').fill('nora.example.net')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('checkbox', { name: /Privacy notice/ }).check({ force: true })
  const terms = page.getByRole('button', { name: 'Terms of business' })
  await terms.click()
  await expect(page.getByRole('dialog', { name: 'Terms of business' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(terms).toBeFocused()
  await page.getByRole('checkbox', { name: /Terms of business/ }).check({ force: true })
  await next(page)
  await expectFieldErrors(page, {
    Email: 'Enter a valid email address, for example name@example.com.',
    Password: 'Password MUST contain at least 6 characters!',
  })
  await page.getByLabel('Email').fill(visitor.email)
  await next(page)
  await expectFieldErrors(page, { Password: 'Password MUST contain at least 6 characters!' })
  await expectEntriesKept(page, visitor)
  await page.getByLabel('Password', { exact: true }).fill('password')
  await next(page)
  await expectFieldErrors(page, { Password: 'This password is too common. Choose another one.' })
  await page.getByLabel('Password', { exact: true }).fill(journeyPassword)
  await expectReplacedText(page, {
    key: 'terms',
    version: 'termsVersion',
    box: page.getByRole('checkbox', { name: /Terms of business/ }),
    send: page.getByRole('button', { name: 'NEXT' }),
  })
  await expect(page.getByRole('checkbox', { name: /Privacy notice/ })).toBeChecked()
  await next(page)
}

/** Unsent entries survive a reload, without the password; leaving the page deletes a visitor's. */
async function expectEntriesKept(page: Page, visitor: Visitor): Promise<void> {
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue(visitor.name)
  await expect(page.getByLabel('Email')).toHaveValue(visitor.email)
  await expect(page.getByRole('combobox', { name: 'Country of residence' })).toHaveValue('Germany')
  await expect(page.getByRole('radio', { name: 'Mrs.' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /Terms of business/ })).toBeChecked()
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveValue('')
  await expect(password).toHaveAccessibleDescription(/It is not saved in this browser/)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('12345')
  const other = await page.context().newPage()
  await other.goto('/register')
  await expect(other.getByRole('combobox', { name: 'Country of residence' })).toHaveValue('')
  await other.close()
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page.getByRole('button', { name: 'SIGN IN' })).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(visitor.email)
  await page.goBack()
  await expectQuestion(page, 'Create your account')
  await expect(page.getByRole('combobox', { name: 'Country of residence' })).toHaveValue('')
  await chooseInComboBox(page, 'Country of residence', 'Germany')
  await page.getByRole('radio', { name: 'Mrs.' }).check({ force: true })
  await page.getByLabel('First name').fill(visitor.name)
  await page.getByLabel('Surname').fill(visitor.surname)
  await page.getByLabel('Email').fill(visitor.email)
  for (const name of [/Terms of business/, /Privacy notice/])
    await page.getByRole('checkbox', { name }).check({ force: true })
}

async function securityQuestion(page: Page): Promise<void> {
  await expectQuestionFocused(page, 'Choose a security question')
  // No email with a link back to the registration has been sent yet.
  await expect(page.getByRole('button', { name: 'Leave', exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Security question')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectFieldErrors(page, { 'Security question': missing, 'Your answer': missing })
  await expect(page.getByLabel('Security question')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Rosenheim')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'BACK' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'NEXT' })).toBeFocused()
  await page.keyboard.press('Enter')
}

async function verifyEmail(page: Page, visitor: Visitor): Promise<string> {
  await expectQuestionFocused(page, 'Check your inbox')
  await expect(page.getByText(visitor.email)).toBeVisible()
  await page.getByRole('button', { name: 'BACK' }).click()
  await expectQuestionFocused(page, 'Choose a security question')
  await page.goForward()
  await expectQuestionFocused(page, 'Check your inbox')
  const again = page.getByRole('button', { name: 'Resend email' })
  await expect(again).toBeDisabled()
  await expect(page.getByText(/You can request another email in \d+ seconds?\./)).toBeVisible()
  const change = page.getByRole('button', { name: 'Change email address' })
  await change.click()
  await expect(field(page, 'New address')).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(change).toBeFocused()
  await change.click()
  await field(page, 'New address').fill('nora@')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expectFieldErrors(page, { 'New address': 'Enter a valid email address, for example name@example.com.' })
  await expectAccessible(page)
  // As if a minute had passed.
  await queryAsOwner(`update registrations set mail_sent_at = mail_sent_at - interval '61 seconds' where email = $1`, [
    visitor.email,
  ])
  await page.reload()
  await again.click()
  await expect(page.getByText('Sent. The previous link no longer works.')).toBeVisible()
  await expect(again).toBeDisabled()
  await queryAsOwner(`update registrations set mail_sent_at = mail_sent_at - interval '61 seconds' where email = $1`, [
    visitor.email,
  ])
  const address = `new-${visitor.email}`
  await change.click()
  await field(page, 'New address').fill(address)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(address)).toBeVisible()
  return address
}

async function personSteps(page: Page): Promise<void> {
  await next(page)
  await expectQuestionFocused(page, 'What is your phone number?')
  const details = ['Contact details', 'Date of birth', 'Residential address', 'Nationality']
  await expectRail(page, 'Personal Details', [...details, 'Employment information', 'Financial information'])
  await next(page)
  await expectFieldErrors(page, { 'Mobile phone': missing })
  await expectAccessible(page)
  await field(page, 'Mobile phone').fill('12')
  await next(page)
  await expectFieldErrors(page, {
    'Mobile phone':
      'This phone number is not valid. Check the number and its country code, for example +44 20 7946 0018.',
  })
  await field(page, 'Mobile phone').fill('030 12345678')
  await page.reload()
  await expect(field(page, 'Mobile phone')).toHaveValue(/30 ?12345678/)
  await next(page)

  await expectQuestionFocused(page, 'What is your date of birth?')
  // The years from 100 years ago to the current one, and the placeholder.
  await expect(field(page, 'Year').locator('option')).toHaveCount(102)
  await next(page)
  await expectFieldErrors(page, { 'Date of birth': 'Please, set your birth date.' })
  await expect(field(page, 'Day')).toBeFocused()
  await expectAccessible(page)
  // Last year: a person born in it is not 18 yet, whatever the day.
  await field(page, 'Year').selectOption({ index: 2 })
  await next(page)
  await expectFieldErrors(page, { 'Date of birth': 'Please, set your birth date. You must be 18 or older.' })
  await field(page, 'Day').selectOption('31')
  await field(page, 'Month').selectOption('2')
  await field(page, 'Year').selectOption('1986')
  await next(page)
  await expectFieldErrors(page, { 'Date of birth': 'Enter a valid date.' })
  // Last year, because a day of this one may be in the future.
  await field(page, 'Year').selectOption({ index: 2 })
  await field(page, 'Month').selectOption('1')
  await next(page)
  await expectFieldErrors(page, { 'Date of birth': 'You must be 18 or older.' })
  await field(page, 'Year').selectOption('1986')
  await next(page)

  await expectQuestionFocused(page, 'Where do you live?')
  await expect(page.getByRole('combobox', { name: 'Country of residence' })).toHaveValue('Germany')
  await next(page)
  await expectFieldErrors(page, { 'Street and house number': missing, Postcode: missing, City: missing })
  await expectAccessible(page)
  await field(page, 'Street and house number').fill('Lindenallee 48')
  await field(page, 'Postcode').fill('1043')
  await expect(page.getByLabel(/^County/)).toHaveAttribute('maxlength', '30')
  await chooseInComboBox(page, 'Country of residence', 'Belarus')
  await next(page)
  await expectFieldErrors(page, {
    'Country of residence': 'We cannot offer our services to residents of this country.',
    City: missing,
  })
  await chooseInComboBox(page, 'Country of residence', 'Germany')
  await next(page)
  await expectFieldErrors(page, { City: missing })
  await expect(field(page, 'Postcode')).toHaveAccessibleDescription(
    'Postcodes in Germany usually have 5 digits. Check that you entered it correctly.',
  )
  await field(page, 'Postcode').fill('10437')
  await field(page, 'City').fill('Berlin')
  await next(page)

  await expectQuestionFocused(page, 'What is your nationality?')
  await test.step('the browser’s Back and Forward move through the steps', async () => {
    await expectHistoryEntry(page, 'any here')
    await page.goBack()
    await expectQuestionFocused(page, 'Where do you live?')
    await expectHistoryEntry(page, 'here and ahead')
    await page.goBack()
    await expectQuestionFocused(page, 'What is your date of birth?')
    await expectHistoryEntry(page, 'here and ahead')
    await page.goForward()
    await expectQuestionFocused(page, 'Where do you live?')
    await expectHistoryEntry(page, 'here and ahead')
    await page.goForward()
    await expectQuestionFocused(page, 'What is your nationality?')
    await expectHistoryEntry(page, 'here and ahead')
    await page.goBack()
    await expectQuestionFocused(page, 'Where do you live?')
    await expectHistoryEntry(page, 'here and ahead')
  })
  await next(page)
  await expectQuestionFocused(page, 'What is your nationality?')
  await next(page)
  await expectFieldErrors(page, { Nationality: missing })
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByRole('button', { name: 'BACK' }).click()
  await expectQuestionFocused(page, 'Where do you live?')
  await expect(field(page, 'City')).toHaveValue('Berlin')
  await next(page)
  await chooseInComboBox(page, 'Nationality', 'Germany')
  await next(page)
  await expectQuestionFocused(page, 'What is your occupation?')
}

async function backgroundSteps(page: Page): Promise<void> {
  const source = 'Where does the money you will trade with come from?'
  await next(page)
  await expectFieldErrors(page, { Industry: missing, Position: missing, [source]: missing })
  await expectAccessible(page)
  await field(page, 'Industry').selectOption('Finance')
  await pick(page, 'Position', 'Manager')
  await pick(page, source, 'Employment')
  await next(page)

  const financial = 'Experience with financial products'
  await expectQuestionFocused(page, 'What are your income and savings?')
  await next(page)
  await expectFieldErrors(page, { 'Annual salary in GBP': missing, 'Savings in GBP': missing, [financial]: missing })
  await field(page, 'Annual salary in GBP').selectOption('50,000-89,999')
  await field(page, 'Savings in GBP').selectOption('10,000-49,999')
  await pick(page, financial, '1 to 5 years')
  await next(page)

  const questions = {
    'Have you traded CFDs or forex before?': 'Yes',
    'What share of a position would you use as margin?': '0.10',
    'Which method do you prefer for closing a position?': 'Stop loss',
    'Which leverage suits you?': 'Option 2',
    'How experienced are you in dealing with losses?': 'Intermediate',
  }
  await expectQuestionFocused(page, 'How do you trade?')
  await expectRail(page, 'Experience', ['Trading experience'])
  await next(page)
  await expectFieldErrors(page, Object.fromEntries(Object.keys(questions).map((question) => [question, missing])))
  await expectAccessible(page)
  for (const [question, answer] of Object.entries(questions)) await pick(page, question, answer)
  await next(page)

  for (const [title, group, tile] of [
    ['Which currency do you want for your account?', 'Base currency', 'EUR'],
    ['Which platform do you want to trade on?', 'Platform', 'MT5'],
    ['Which account type do you want?', 'Account type', 'Standard'],
  ] as const) {
    await expectQuestionFocused(page, title)
    await expectRail(page, 'Account Details', ['Base currency', 'Platform', 'Account type'])
    await next(page)
    await expectFieldErrors(page, { [group]: missing })
    await expectAccessible(page)
    await page.getByRole('group', { name: group }).getByRole('radio', { name: tile }).check({ force: true })
    await next(page)
  }
}

async function acceptLegalTexts(page: Page): Promise<void> {
  for (const name of ['Risk disclosure', 'Declaration', 'Client Assets Declarations']) {
    await expectQuestionFocused(page, name)
    await expectRail(page, 'Legal', ['Risk disclosure', 'Declaration', 'Client assets declaration'])
    const send = page.getByRole('button', { name: /^(NEXT|COMPLETE REGISTRATION)$/ })
    await send.click()
    await expect(page.getByRole('checkbox')).toHaveAccessibleDescription('Tick this box to continue.')
    await expect(page.getByRole('checkbox')).toBeFocused()
    if (name === 'Risk disclosure') await expectAccessible(page)
    await page.getByRole('checkbox').check({ force: true })
    if (name === 'Declaration') {
      const box = page.getByRole('checkbox')
      await expectReplacedText(page, { key: 'declaration', version: 'version', box, send })
    }
    if (name === 'Client Assets Declarations') await finishElsewhere(page)
    await send.click()
  }
  await expect(page.getByText('You completed your registration in another window or on another device.')).toBeVisible()
  await expect(page).toHaveURL('/upload-documents')
  await expectQuestion(page, 'Choose how to upload your documents')
}

/** Completes the last step as on another device; this page does not know it yet. */
async function finishElsewhere(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('portal.token'))
  await postToPortal(token ?? '', '/api/users/registerWeb', { step: 5, subStep: 3, accepted: true, version: 1 })
}

interface ReplacedText {
  readonly key: 'terms' | 'declaration'
  /** The field of the version that was read. */
  readonly version: string
  readonly box: Locator
  readonly send: Locator
}

/** The firm publishes a newer text while this one is being read: it is shown and requires another tick. */
async function expectReplacedText(page: Page, { key, version, box, send }: ReplacedText): Promise<void> {
  const settings = (await (await page.request.get('/api/settings')).json()) as { legalTexts: Record<string, object> }
  const newer = { ...settings.legalTexts[key], version: 2 }
  const error = 'There is a newer version of this text, 2. Please read it first.'
  await overrideSettings(page, { legalTexts: { ...settings.legalTexts, [key]: newer } })
  await page.route('**/api/users/registerWeb', (route) =>
    route.fulfill({
      status: 409,
      json: { success: false, error, code: 'text-replaced', errors: { [version]: error }, values: { version: 2 } },
    }),
  )
  await send.click()
  await expect(box).not.toBeChecked()
  await expect(box).toHaveAccessibleDescription(error)
  await expect(box).toBeFocused()
  if (key === 'declaration') await expect(page.getByText(/^Version 2\./)).toBeVisible()
  // Back to the previous version: any version other than the ticked one requires a tick.
  await page.unroute('**/api/settings')
  await box.check({ force: true })
  await send.click()
  await expect(box).not.toBeChecked()
  await page.unroute('**/api/users/registerWeb')
  await box.check({ force: true })
}

test('on a phone the progress shows the current and the total number of parts of the registration', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signClientIn(page, await createClientAtStage({ state: 'registering' }))
  await page.goto('/register')
  const progress = page.getByRole('navigation', { name: 'Steps of the registration' })
  // Three parts of the first step are complete.
  await expect(progress.getByText('Part 4 of 16')).toBeVisible()
})
