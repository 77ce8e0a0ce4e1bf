/** Who works here and by which rules: invitation to first sign-in, roles and settings with a second administrator. */
import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './accessible.ts'
import { test } from './browsing.ts'
import { openRecord, takeDecision } from './deciding.ts'
import { mailTo } from './mailbox.ts'
import { journeyPassword, staffAt } from './staff.ts'

test('somebody is invited, sets up password and second factor, gets other roles by two, and leaves', async ({
  browser,
  page,
}) => {
  const admin = await staffAt(browser, 'administrator', 'Ruth Kessler', '/office/staff')
  const name = `Lena ${randomUUID().slice(0, 6)}`
  const email = `lena-${randomUUID().slice(0, 8)}@example.org`
  const openMember = async (on = admin.page) => {
    await openRecord(on, '/staff')
    await on.getByRole('link', { name }).click()
    await expect(on.getByRole('dialog', { name })).toBeVisible()
  }

  await test.step('the invitation names roles and a reason', async () => {
    await admin.page.getByRole('button', { name: 'Invite…' }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('E-mail').fill(email)
    await dialog.getByRole('checkbox', { name: 'Operations clerk' }).check({ force: true })
    await dialog.getByLabel('Why').fill('Joins on Monday.')
    await expectAccessible(admin.page)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(dialog).toHaveCount(0)
  })
  await test.step('its link asks for a password, then for the second factor, and leads to the inbox', async () => {
    const link = /https?:\/\/\S+\/welcome\/\S+/.exec((await mailTo(email, /./)).text)?.[0] ?? ''
    await page.goto(link)
    await expect(page.getByRole('heading', { name: `Welcome, ${name}` })).toBeVisible()
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'GO ON' }).click()
    await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('New password').fill(journeyPassword)
    await page.getByRole('button', { name: 'GO ON' }).click()
    await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeFocused()
    await expect(page.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
    await expectAccessible(page)
    const key = (await page.locator('.authenticator-key').innerText()).replaceAll(/\s/g, '')
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(key) }).generate())
    await page.getByRole('button', { name: 'SIGN IN' }).click()
    await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I HAVE KEPT THEM' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
    const later = await page.context().newPage()
    await later.goto(link)
    await expect(later.getByRole('heading', { name: 'This invitation does not open' })).toBeVisible()
  })
  const second = await staffAt(browser, 'administrator', 'Paul Ferrer', '/office/staff')
  await test.step('a change of roles waits for a second administrator, and the asker cannot approve it', async () => {
    await openMember()
    await expectAccessible(admin.page)
    await admin.page.getByRole('button', { name: 'Change roles…' }).click()
    const dialog = admin.page.getByRole('dialog', { name: `Roles of ${name}` })
    await dialog.getByRole('checkbox', { name: 'Finance supervisor' }).check({ force: true })
    await dialog.getByLabel('Why').fill('Stands in for a colleague.')
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await expect(dialog).toHaveCount(0)
    await openRecord(admin.page, '/staff')
    const waiting = (on: typeof page) =>
      on.locator('section').filter({ has: on.getByRole('heading', { name: `Roles of ${name}` }) })
    await expect(waiting(admin.page).getByText(/another person must decide/)).toBeVisible()
    await expect(waiting(admin.page).getByRole('button', { name: 'Approve…' })).toHaveCount(0)
    await openRecord(second.page, '/staff')
    await waiting(second.page).getByRole('button', { name: 'Approve…' }).click()
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(second.page.getByText('The roles are in force.')).toBeVisible()
    await expect(waiting(second.page)).toHaveCount(0)
  })
  await test.step('a lost device is forgotten, and who leaves is deactivated', async () => {
    await openMember()
    await takeDecision(admin.page, 'Forget second factor…', { confirm: 'Forget it', words: 'Lost the phone.' })
    await openMember()
    await expect(admin.page.getByRole('dialog').getByText('set up')).toHaveCount(0)
    await takeDecision(admin.page, 'Deactivate…', { words: 'Left the firm.' })
    await openRecord(admin.page, '/staff')
    await expect(admin.page.getByRole('row', { name: new RegExp(`${name}.*Deactivated`) })).toBeVisible()
  })
})

test('nobody changes the own rights: the own row has no commands and says why', async ({ browser }) => {
  const name = `Olga ${randomUUID().slice(0, 6)}`
  const { page } = await staffAt(browser, 'administrator', name, '/office/staff')
  await expect(page.getByRole('row', { name: new RegExp(name) }).getByText('You cannot change your own.')).toBeVisible()
  await page.getByRole('link', { name: new RegExp(name) }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  await expect(drawer.getByRole('button', { name: /roles…|factor…|Deactivate…/ })).toHaveCount(0)
})

test('every section of the settings opens; a threshold waits for a second administrator, with before, after and reason', async ({
  browser,
}) => {
  const proposing = await staffAt(browser, 'administrator', 'Ruth Kessler', '/office/settings')
  const second = await staffAt(browser, 'administrator', 'Paul Ferrer', '/office/settings/thresholds')
  const { page } = proposing
  await test.step('every section is readable', async () => {
    const sections = page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link')
    await expect(sections.first()).toBeVisible()
    const addresses = await sections.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(addresses.length).toBeGreaterThan(10)
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
      await expectAccessible(page)
    }
  })
  await test.step('a threshold is proposed', async () => {
    await openRecord(page, '/settings/thresholds')
    const field = page.getByLabel('USD')
    const other = (await field.inputValue()) === '210.00' ? '200.00' : '210.00'
    await field.fill(other)
    await page.getByRole('button', { name: 'Review and save…' }).click()
    await page.getByRole('dialog').getByLabel('Why').fill('Agreed by the board.')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
    await expect(page.getByText('A change waits for a second administrator')).toBeVisible()
    await expect(page.getByText(/another person must decide/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0)
  })
  await test.step('another administrator reads the difference and refuses it', async () => {
    await openRecord(second.page, '/settings/thresholds')
    await expect(second.page.getByText('Agreed by the board.')).toBeVisible()
    await expectAccessible(second.page)
    await takeDecision(second.page, 'Reject…', { words: 'Not before next month.' })
    await expect(second.page.getByText('A change waits for a second administrator')).toHaveCount(0)
  })
})
