/** Logging in, with and without a second factor, and a forgotten password: specification sections 4, 5 and 8. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { loggedIn, logIn, makeApprovedClient } from './clients.ts'
import { mailTo } from './mailbox.ts'
import { journeyPassword } from './staff.ts'

test('a wrong password is told under its field, and what was typed stays', async ({ page }) => {
  const { email } = await makeApprovedClient()
  await logIn(page, email, 'not-the-password')
  await expect(page.getByText('E-mail or password is wrong. Check both, or reset the password.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('the login page names the dates of the firm notice', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Firm notice' }).getByText('3pm on 5 July').last()).toBeVisible()
})

test('German is chosen on the login page and stays', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
})

test('a forgotten password is replaced by the link of a mail, which works once', async ({ page }) => {
  const { email } = await makeApprovedClient()
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page.getByText('Please check your email.')).toBeVisible()
  const mail = await mailTo(email, /password/i)
  const link = /https?:\/\/\S+\/resetpassword\/\S+/.exec(mail.text)?.[0] ?? ''
  await page.goto(link)
  const fill = async (password: string, again: string) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(again)
    await page.getByRole('button', { name: 'SAVE' }).click()
  }
  await fill('Medlar-orchard-58', 'Medlar-orchard-59')
  await expect(page.getByText('Passwords MUST match!')).toBeVisible()
  await fill('short', 'short')
  await expect(page.getByText('Password MUST contain at least 6 characters!')).toBeVisible()
  await fill('Medlar-orchard-58', 'Medlar-orchard-58')
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await logIn(page, email, 'Medlar-orchard-58')
  await page.waitForURL('/trading-accounts')
  await page.goto(link)
  await fill('Medlar-orchard-60', 'Medlar-orchard-60')
  await expect(page.getByText('This link was used already, or a newer one replaced it.')).toBeVisible()
})

test('a second factor takes the place of the fields, and a recovery code opens without the phone', async ({ page }) => {
  const client = await loggedIn(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(journeyPassword)
  await page.getByRole('button', { name: 'GO ON' }).click()
  await expect(page.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText(/^[A-Z2-7]{4}(\s[A-Z2-7]{1,4}){4,}$/).innerText()).replace(/\s/g, '')
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.getByRole('button', { name: 'TURN ON' }).click()
  await expect(page.getByText('Two-factor authentication is on')).toBeVisible()
  const code = await page
    .getByRole('listitem')
    .filter({ hasText: /^[A-Z0-9]{4}(-[A-Z0-9]{4})+$/ })
    .first()
    .innerText()
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, client.email, journeyPassword)
  await expect(page.getByRole('heading', { name: 'Confirm it is you' })).toBeFocused()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expect(page.getByText(/This code is wrong/)).toBeVisible()
  await page.getByRole('button', { name: /Use a recovery code/ }).click()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await page.waitForURL('/trading-accounts')
})
