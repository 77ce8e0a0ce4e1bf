/** Logging in, with and without a second factor, and a forgotten password (requirements 4). */
import { expectAccessible } from './accessible.ts'
import { appCode } from './app-code.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { makeClient } from '../factories.ts'
import { logInNewClient, logIn } from './clients.ts'
import { press } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { runningProduct } from './running.ts'
import { createClientAtStage, expectFieldErrors, invitationOf } from './stages.ts'
import { journeyPassword } from './staff.ts'

test('a firm with a single language is shown in it, whatever the browser prefers, and offers no other', async ({
  page,
}) => {
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"languages":["en","de"]', '"languages":["de"]')
    await route.fulfill({ response, body })
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'ANMELDEN' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Datenschutz' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(English|Deutsch)$/ })).toHaveCount(0)
})

test('the login works with the keyboard, shows errors at their fields, and keeps the input', async ({ page }) => {
  const { email } = await makeClient(await runningProduct())
  const emailField = page.getByLabel('Email')
  const password = page.getByLabel('Password', { exact: true })
  const signIn = page.getByRole('button', { name: 'SIGN IN' })
  await page.goto('/')
  await signIn.click()
  await expectFieldErrors(page, { Email: 'Enter your email address.', Password: 'Enter your password.' })
  await expect(emailField).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('ida.example.net')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Forgot password' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(password).toBeFocused()
  await page.keyboard.type('not-the-password')
  await page.keyboard.press('Enter')
  await expectFieldErrors(page, { Email: 'Enter a valid email address, for example name@example.com.' })
  await expect(emailField).toBeFocused()
  await emailField.fill(email)
  await page.keyboard.press('Enter')
  await expectFieldErrors(page, { Password: 'Email or password is not correct. Check both, or reset the password.' })
  await expect(emailField).toHaveValue(email)
  await expect(password).toBeFocused()
  await expectAccessible(page)

  const asked = page.waitForRequest('**/api/users/login')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/users/login', async (route) => {
    await held.promise
    await route.abort()
  })
  await password.fill(journeyPassword)
  await page.keyboard.press('Enter')
  await asked
  await expect(signIn).toBeDisabled()
  held.resolve()
  await expectFieldErrors(page, { Password: 'Server error.' })
  await expect(signIn).toBeEnabled()
  await expect(password).toBeFocused()
  await page.unroute('**/api/users/login')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(signIn).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL('/trading-accounts')
})

test('the login page shows the dates of the firm notice', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Firm notice' }).getByText('3pm on 5 July').last()).toBeVisible()
})

test('German is chosen on the login page with the keyboard and kept after a reload', async ({ page }) => {
  await page.goto('/')
  const german = page.getByRole('button', { name: 'Deutsch' })
  await press(page, german)
  await expect(page.getByRole('heading', { name: 'ANMELDEN' })).toBeVisible()
  await expect(german).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'ANMELDEN' })).toBeVisible()
})

test('errors on screen change with the language, those of the form and those of the server', async ({ page }) => {
  await page.goto('/')
  const german = page.getByRole('button', { name: 'Deutsch' })
  const english = page.getByRole('button', { name: 'English' })
  await press(page, page.getByRole('button', { name: 'SIGN IN' }))
  await expectFieldErrors(page, { Email: 'Enter your email address.', Password: 'Enter your password.' })
  await press(page, german)
  await expectFieldErrors(page, {
    'E-\u2060Mail': 'Geben Sie Ihre E-\u2060Mail-Adresse ein.',
    Passwort: 'Geben Sie Ihr Passwort ein.',
  })
  // A corrected field stays correct.
  await page.getByLabel('E-\u2060Mail').fill('unknown@example.net')
  await press(page, english)
  await expectFieldErrors(page, { Password: 'Enter your password.' })
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.keyboard.press('Enter')
  await expectFieldErrors(page, { Password: 'Email or password is not correct. Check both, or reset the password.' })
  await press(page, german)
  await expectFieldErrors(page, {
    Passwort: 'E-\u2060Mail oder Passwort ist falsch. Prüfen Sie beides oder setzen Sie das Passwort zurück.',
  })
})

test('a forgotten password is reset with a link from an email, which works once', async ({ page }) => {
  const { email } = await makeClient(await runningProduct())
  await page.goto('/')
  await press(page, page.getByRole('link', { name: 'Forgot password' }))
  await expect(page).toHaveURL('/forgot-password')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('link', { name: 'BACK TO LOGIN' })).toBeVisible()
  // The validity of the link is a setting of the firm and is stated in the email.
  await expect(page.getByText(/\d+ minutes/)).toHaveCount(0)
  await page.goto('/password-reset')
  await page.getByRole('button', { name: 'RESET' }).click()
  await expectFieldErrors(page, { Email: 'Enter your email address.' })
  await page.getByLabel('Email').fill('ida@')
  await page.getByRole('button', { name: 'RESET' }).click()
  await expectFieldErrors(page, { Email: 'Enter a valid email address, for example name@example.com.' })
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Please check your email.' })).toBeFocused()
  await expectAccessible(page)
  await press(page, page.getByRole('link', { name: 'BACK TO LOGIN' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  const mail = await mailTo(email, /password/i)
  const link = /https?:\/\/\S+\/resetpassword\/\S+/.exec(mail.text)?.[0] ?? ''
  await page.goto(link)
  const save = page.getByRole('button', { name: 'SAVE' })
  const fill = async (password: string, again: string) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(again)
    await save.click()
  }
  // Space for errors is reserved, so the form never moves.
  const command = () => save.boundingBox()
  await expect(save).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const place = await command()
  await fill('', '')
  await expectFieldErrors(page, {
    'New password': 'Enter a new password.',
    'Confirm password': 'Enter the password again.',
  })
  expect(await command()).toEqual(place)
  await fill('Medlar-orchard-58', 'Medlar-orchard-59')
  await expectFieldErrors(page, { 'Confirm password': 'Passwords MUST match!' })
  await expect(page.getByRole('alert')).toHaveText('Passwords MUST match!')
  await fill('short', 'shirt')
  await expectFieldErrors(page, {
    'New password': 'Password MUST contain at least 6 characters!',
    'Confirm password': 'Passwords MUST match!',
  })
  await fill('password', 'password')
  await expectFieldErrors(page, { 'New password': 'This password is too common. Choose another one.' })
  expect(await command()).toEqual(place)
  await expectAccessible(page)
  await fill('Medlar-orchard-58', 'Medlar-orchard-58')
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await logIn(page, email, 'Medlar-orchard-58')
  await page.waitForURL('/trading-accounts')
  await page.goto(link)
  await fill('Medlar-orchard-60', 'Medlar-orchard-60')
  await expect(page.getByText('This link has already been used or replaced.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'REQUEST A NEW LINK' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/email/confirm/no/such/link')
  await expect(page.getByText('This link is not valid. Check that you copied the whole link.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Continue your registration' })).toHaveAttribute('href', '/register')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'LOG IN' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /./ })).toBeVisible()
})

test('an invited client confirms with the link, sets the first password and continues the registration', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'registering' })
  const link = await invitationOf(client)
  await page.route(`**${link}`, (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()))
  await page.goto(link)
  await expect(page.getByText('Server error.')).toBeVisible()
  await page.unroute(`**${link}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New password' })).toBeVisible()
  await expect(page).toHaveURL(/\/resetpassword\//)
  await page.getByLabel('New password', { exact: true }).fill('Medlar-orchard-61')
  await page.getByLabel('Confirm password').fill('Medlar-orchard-61')
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText(/Log in\.$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Request a link' })).toHaveAttribute('href', '/forgot-password')
  await logIn(page, client.email, 'Medlar-orchard-61')
  await expect(page).toHaveURL('/register')
})

test('the second factor is requested instead of the login fields, and a recovery code works without the phone', async ({
  page,
}) => {
  const client = await logInNewClient(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(journeyPassword)
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await expect(page.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText(/^[A-Z2-7]{4}(\s[A-Z2-7]{1,4}){4,}$/).innerText()).replace(/\s/g, '')
  await page.getByLabel('Code', { exact: true }).fill(appCode(secret))
  await page.getByRole('button', { name: 'TURN ON' }).click()
  await expect(page.getByText('Two-factor authentication is on')).toBeVisible()
  const code = await page
    .getByRole('listitem')
    .filter({ hasText: /^[A-Z0-9]{4}(-[A-Z0-9]{4})+$/ })
    .first()
    .innerText()
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, client.email, journeyPassword)
  await expect(page.getByRole('heading', { name: 'Confirm your identity' })).toBeFocused()
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expectFieldErrors(page, { Code: 'Enter the code.' })
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expectFieldErrors(page, {
    Code: 'This code is not correct or has already been used. Enter the next code from your app.',
  })
  await expectAccessible(page)
  await page.getByRole('button', { name: /Use a recovery code/ }).click()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await page.waitForURL('/trading-accounts')
})
