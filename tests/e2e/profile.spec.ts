/** Profile: three sections, security, language and data (requirements 5, 4.19). */
import type { Page } from '@playwright/test'
import { listSessions } from '#contract/security.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { call, makeClient, clientTokenFor } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { appCode } from './app-code.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { chooseOption, chooseTile, press, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { expectFieldErrors, queryAsOwner } from './stages.ts'
import { journeyPassword } from './staff.ts'

const section = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = (page: Page, question: string | RegExp, answer: string) =>
  chooseTile(page, page.getByRole('group', { name: question }).getByRole('radio', { name: answer, exact: true }))
const save = (page: Page) => press(page, page.getByRole('button', { name: 'SAVE' }))

test('personal details show missing fields; a new address applies immediately, a new surname needs a review, using only the keyboard', async ({
  page,
}) => {
  const { id } = await openPageAsNewClient(page, '/profile')
  const { pool } = (await runningProduct()).dependencies
  const born = (day: string | null) => pool.query('update clients set birth_date = $2 where id = $1', [id, day])
  await born(null)
  await page.route('**/api/countries', (route) => route.fulfill({ status: 404, json: {} }))
  await page.reload()
  await expect(page.getByRole('alert').getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/countries')
  await press(page, page.getByRole('button', { name: 'Try again' }))
  await press(page, page.getByRole('button', { name: 'Edit' }))
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByLabel('County')).toHaveAttribute('maxlength', '30')
  for (const name of ['First name', 'Surname', 'Street and house number', 'City', 'Postcode'])
    await type(page, page.getByLabel(name, { exact: true }), '')
  await type(page, page.getByLabel('Mobile phone').last(), '')
  await save(page)
  await expect(page.getByText('Please, set your birth date.')).toBeVisible()
  for (const name of ['First name', 'Surname', 'Street and house number', 'City', 'Postcode'])
    await expect(page.getByLabel(name, { exact: true })).toHaveAccessibleDescription(/This field is required\./)
  await expect(page.getByLabel('First name')).toBeFocused()
  await expectAccessible(page)

  await page.keyboard.type('Hannah')
  await type(page, page.getByLabel('Surname'), 'Winter')
  await chooseOption(page, page.getByLabel('Day'), '12')
  await chooseOption(page, page.getByLabel('Month'), '3')
  await chooseOption(page, page.getByLabel('Year'), '2015')
  await type(page, page.getByLabel('Mobile phone').last(), '30901820')
  await type(page, page.getByLabel('Street and house number'), 'Lindenallee 48')
  await type(page, page.getByLabel('Postcode'), '1446')
  await page.keyboard.press('Enter')
  // This is only a hint and does not reject the input.
  await expect(page.getByLabel('Postcode')).toHaveAccessibleDescription(
    'Postcodes in Germany usually have 5 digits. Check that you entered it correctly.',
  )
  await expect(page.getByLabel('City')).toHaveAccessibleDescription('This field is required.')
  await expect(page.getByText('You must be 18 or older.')).toBeVisible()
  await chooseOption(page, page.getByLabel('Year'), '1984')
  await type(page, page.getByLabel('Postcode'), '14467')
  await type(page, page.getByLabel('City'), 'Potsdam')
  await born('1984-03-12')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved. We will review this change first:')).toBeVisible()
  await expect(page.getByText('14467 Potsdam')).toBeVisible()
  await expect(page.getByText('Awaiting our review')).toBeVisible()
  await expect(page.getByText('Mrs. Hannah Brandt')).toBeVisible()
  await expectAccessible(page)

  // Pending values are shown next to the form, without those that are unchanged.
  await press(page, page.getByRole('button', { name: 'Edit' }))
  await expect(page.getByText('Awaiting our review')).toBeVisible()
  await type(page, page.getByLabel('City'), 'Potsdam-West')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
})

test('employment requires all six answers and trading experience all five, using only the keyboard', async ({
  page,
}) => {
  await openPageAsNewClient(page, '/profile')
  await press(page, section(page, 'Employment & financial info'))
  await expect(page.getByRole('button', { name: 'Personal details', exact: true })).toHaveAttribute(
    'aria-expanded',
    'false',
  )
  await press(page, page.getByRole('button', { name: 'Edit' }))
  await expect(page.getByLabel('Industry')).toBeFocused()
  await press(page, page.getByRole('button', { name: 'SAVE' }))
  await expect(page.getByText('This field is required.')).toHaveCount(6)
  await expect(page.getByLabel('Industry')).toBeFocused()
  await expectAccessible(page)
  await chooseOption(page, page.getByLabel('Industry'), 'Banking')
  await choose(page, 'Position', 'Manager')
  await choose(page, /Where does the money you will trade with/, 'Inheritance')
  await chooseOption(page, page.getByLabel('Annual salary in GBP'), '50,000-89,999')
  await chooseOption(page, page.getByLabel('Savings in GBP'), 'under 10,000')
  await save(page)
  await expect(page.getByText('This field is required.')).toHaveCount(1)
  await choose(page, 'Experience with financial products', '1 to 5 years')
  // On a screen as low as a phone's, an error of the whole form is shown next to SAVE.
  await page.setViewportSize({ width: 390, height: 600 })
  const changes = '**/api/users/updateEmploymentIncome'
  const error = 'Too many attempts. Wait a moment and try again.'
  await page.route(changes, (route) =>
    route.fulfill({ status: 429, json: { success: false, code: 'too-many', error, errors: { server: error } } }),
  )
  await save(page)
  await expect(page.getByText(error)).toBeInViewport()
  await page.unroute(changes)
  await page.setViewportSize({ width: 1280, height: 720 })
  await save(page)
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText('under 10,000')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()

  await press(page, section(page, 'Trading experience'))
  await press(page, page.getByRole('button', { name: 'Edit' }))
  await save(page)
  await expect(page.getByText('This field is required.')).toHaveCount(5)
  await expectAccessible(page)
  await choose(page, /traded CFDs or forex before/, 'Yes')
  await choose(page, /What share of a position/, '0.20')
  await choose(page, /Which method do you prefer for closing/, 'Hedge')
  await choose(page, /Which leverage suits you/, 'Option 2')
  await choose(page, /How experienced are you/, 'Advanced')
  await save(page)
  await expect(page.getByText('Option 2')).toBeVisible()
  await expect(page.getByText('Advanced')).toBeVisible()
})

test('another session is ended, and a new password ends all other sessions, using only the keyboard', async ({
  page,
}) => {
  const product = await runningProduct()
  const client = await makeClient(product)
  await makeApprovedBank(product, client)
  const [first, second] = [await clientTokenFor(product, client), await clientTokenFor(product, client)]
  await openPageAsClient(page, '/profile', client)
  const answers = async (token: string) => (await call(product, listSessions, { as: token })).status
  await press(page, section(page, 'Security'))
  const rows = page.getByRole('listitem').filter({ hasText: 'last seen' })
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: 'this device' })).toHaveCount(1)
  await expectAccessible(page)
  await page.route('**/api/users/endSession', (route) => route.abort())
  const ended = rows.filter({ hasText: 'test' }).first().getByRole('button')
  await press(page, ended)
  await expect(page.getByText('Server error.')).toBeVisible()
  await expect(ended).toBeFocused()
  await page.unroute('**/api/users/endSession')
  const fault = {
    success: false,
    code: 'server',
    error: 'Server error.',
    errors: {},
    values: {},
    reference: 'K7Q2M4XA',
  }
  await page.route('**/api/users/endSession', (route) => route.fulfill({ status: 500, json: fault }))
  await press(page, ended)
  await expect(page.getByText('Server error. Reference K7Q2M4XA')).toBeVisible()
  await page.unroute('**/api/users/endSession')
  await press(page, ended)
  await expect(rows).toHaveCount(3)
  expect([await answers(first.token), await answers(second.token)].toSorted()).toEqual([200, 401])

  await press(page, page.getByRole('button', { name: 'Change password' }))
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Turn on' })).toHaveAccessibleDescription(
    'Complete or cancel the form above first.',
  )
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const write = (name: string, text: string) => type(page, field(name), text)
  const change = () => press(page, page.getByRole('button', { name: 'CHANGE PASSWORD', exact: true }))
  await change()
  await expectFieldErrors(page, {
    'Current password': 'Enter your current password.',
    'New password': 'Enter a new password.',
    'Confirm password': 'Enter the password again.',
  })
  await expect(field('Current password')).toBeFocused()
  await page.keyboard.type('not-the-password')
  await write('New password', 'Harbour-quince-17')
  await write('Confirm password', 'Harbour-quince-18')
  await change()
  await expect(page.getByText('Passwords MUST match!')).toBeVisible()
  await expect(field('Confirm password')).toBeFocused()
  await write('New password', 'short')
  await write('Confirm password', 'short')
  await change()
  await expect(page.getByText('Password MUST contain at least 6 characters!')).toBeVisible()
  await write('New password', 'Harbour-quince-17')
  await write('Confirm password', 'Harbour-quince-17')
  await change()
  await expect(field('Current password')).toBeFocused()
  await expect(field('Current password')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await write('Current password', journeyPassword)
  await changeDuringOtherRequest(page, () => page.keyboard.press('Enter'))
  await expect(page.getByText('Your password has been changed. We have ended your other sessions.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()
  await expect(rows).toHaveCount(1)
  expect([await answers(first.token), await answers(second.token)]).toEqual([401, 401])
})

/** Holds the response of a password change until the former token of another request has been rejected. */
async function changeDuringOtherRequest(page: Page, change: () => Promise<void>): Promise<void> {
  const changed = Promise.withResolvers<void>()
  const other = Promise.withResolvers<void>()
  await page.route('**/api/users/changePassword', async (route) => {
    const response = await route.fetch()
    changed.resolve()
    await other.promise
    await route.fulfill({ response })
  })
  await change()
  await changed.promise
  const statusOf = (status: number) =>
    page.waitForResponse((response) => response.url().endsWith('/api/users/current') && response.status() === status)
  const [rejected, repeated] = [statusOf(401), statusOf(200)]
  // A return to the window requests the current user.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await rejected
  other.resolve()
  await repeated
  await page.unroute('**/api/users/changePassword')
}

test('all other sessions are ended together, also if some have ended elsewhere', async ({ page }) => {
  const product = await runningProduct()
  const { pool } = product.dependencies
  const client = await makeClient(product)
  await makeApprovedBank(product, client)
  const others = [await clientTokenFor(product, client), await clientTokenFor(product, client)]
  await openPageAsClient(page, '/profile?section=security', client)
  const rows = page.getByRole('listitem').filter({ hasText: 'last seen' })
  await expect(rows).toHaveCount(4)
  const ended = others.map(({ sessionId }) => sessionId)
  await pool.query('update sessions set ended_at = created_at where id = any ($1::uuid[])', [ended])
  await press(page, page.getByRole('button', { name: 'End all other sessions' }))
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('this device')
  await expect(page.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expectAccessible(page)
})

test('two-factor authentication is turned on with an authenticator code and off with a recovery code, using only the keyboard', async ({
  page,
}) => {
  await openPageAsNewClient(page, '/profile')
  await press(page, section(page, 'Security'))
  await press(page, page.getByRole('button', { name: 'Turn on' }))
  const password = page.getByLabel('Your password', { exact: true })
  await expect(password).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('Enter your password.')
  await page.keyboard.type('not-the-password')
  await press(page, page.getByRole('button', { name: 'CONTINUE' }))
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toBeFocused()
  await type(page, password, journeyPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
  const secret = (await page.locator('.authenticator-key').innerText()).replaceAll(/\s/g, '')
  await type(page, page.getByLabel('Code', { exact: true }), '000000')
  await press(page, page.getByRole('button', { name: 'TURN ON' }))
  await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await type(page, page.getByLabel('Code', { exact: true }), appCode(secret))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-factor authentication is on')).toBeVisible()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const code = await codes.first().innerText()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'I have saved them' }))
  await expect(page.getByText('On. You log in with your password and a code from your app.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(password).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Code or recovery code')).toHaveAccessibleDescription('Enter the code.')
  await expect(password).toHaveAccessibleDescription('Enter your password.')
  await expectAccessible(page)
  await page.keyboard.type(journeyPassword)
  await type(page, page.getByLabel('Code or recovery code'), code)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-factor authentication is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeFocused()
})

test('all data is downloaded as a ZIP; in German all labels are German whatever the browser’s language, using only the keyboard', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/profile')
  await press(page, section(page, 'Notifications and data'))
  await expect(page.getByText(`We email ${client.email} about every decision`)).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'Download my data' }))
  expect((await download).suggestedFilename()).toBe('my-data.zip')
  await expect(page.getByRole('button', { name: 'Download my data' })).toBeFocused()
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(0)
  await press(page, page.getByRole('main').getByRole('button', { name: 'Language and appearance' }))
  await chooseTile(page, page.getByRole('radio', { name: 'Deutsch' }))
  await expect(page.getByRole('dialog', { name: 'Sprache und Darstellung' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeFocused()
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeChecked()
  // As if the portal had been switched before signing in.
  await queryAsOwner(`update clients set language = 'en' where id = $1`, [client.id])
  await page.reload()
  await press(page, page.getByRole('button', { name: 'Sprache und Darstellung' }).first())
  await expect(page.getByText(/an Sie: English\./)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Deutsch' })).not.toBeChecked()
  await chooseTile(page, page.getByRole('radio', { name: 'Deutsch' }))
  await expect(page.getByText(/an Sie: /)).toHaveCount(0)
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await press(page, page.getByRole('button', { name: /^Benachrichtigungen/ }).first())
  await expect(page.getByRole('dialog', { name: 'Benachrichtigungen' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Schließen' }).first()).toBeAttached()
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
})
