/** The professional client application, six steps (requirements 13). */
import type { Locator, Page } from '@playwright/test'
import { approveProfessional, rejectProfessional, reverseProfessional } from '#contract/office/professional.ts'
import { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { call, makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsNewClient } from './clients.ts'
import { runningProduct } from './running.ts'
import { expectHistoryEntry } from './wizards.ts'

const path = '/professional-client-status'
const submitted = 'PROFESSIONAL CLIENT STATUS SUBMITTED'
const command = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })

/** Goes back with the wizard's BACK button; the browser history has no entry of the wizard any more. */
async function backToTheFirst(page: Page): Promise<void> {
  await expectHistoryEntry(page, 'any here')
  await command(page, 'BACK').click()
  await expect(page.getByRole('heading', { name: 'Protections you give up' })).toBeFocused()
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull()
}

test('No at the fourth step submits the application; the last step later shows the decision; NEXT explains why it is disabled', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  await page.getByRole('link', { name: 'Professional Client Status' }).click()
  await expect(page.getByRole('heading', { name: 'Protections you give up' })).toBeVisible()
  await expectAccessible(page)
  await command(page, 'NEXT').click()
  const asked = page.getByRole('alertdialog', { name: 'Give up retail protections?' })
  await expect(asked).toContainText('Confirm that you have read which protections you give up')
  await expectAccessible(page)
  await command(page, 'Read again').click()
  await expect(page.getByRole('heading', { name: 'Protections you give up' })).toBeVisible()
  await command(page, 'NEXT').click()
  await command(page, 'Give up protections').click()

  await expect(page.getByRole('heading', { name: /10 significant trades/ })).toBeFocused()
  await backToTheFirst(page)
  await test.step('the browser’s Back on the first step leaves the wizard', async () => {
    await page.goBack()
    await page.waitForURL('/trading-accounts')
    await page.goForward()
  })
  await page.getByRole('checkbox').check({ force: true })
  await command(page, 'NEXT').click()
  await expect(page.getByRole('heading', { name: /10 significant trades/ })).toBeFocused()
  await backToTheFirst(page)
  await expect(page.getByRole('checkbox')).toBeChecked()
  await command(page, 'NEXT').click()
  await expect(command(page, 'NEXT')).toHaveAccessibleDescription('Answer the question to continue.')
  await choose(page, 'Yes')
  await expect(command(page, 'NEXT')).toHaveAccessibleDescription('Choose the number of trades to continue.')
  for (const count of ['0–9', '10–19', '20–29', '30+'])
    await expect(page.getByRole('radio', { name: count, exact: true })).toBeAttached()
  await expectAccessible(page)
  await choose(page, 'No')
  await expect(page.getByRole('radio', { name: '30+' })).toHaveCount(0)
  await command(page, 'NEXT').click()

  await expect(page.getByRole('heading', { name: /portfolio exceed EUR 500,000/ })).toBeFocused()
  await expect(command(page, 'NEXT')).toHaveAccessibleDescription('Answer the question to continue.')
  await command(page, 'BACK').click()
  await expect(page.getByRole('radio', { name: 'No', exact: true })).toBeChecked()
  await command(page, 'NEXT').click()
  await choose(page, 'Yes')
  await command(page, 'NEXT').click()
  await expect(page.getByRole('heading', { name: /in a professional role for at least one year/ })).toBeFocused()
  await test.step('the browser’s Back and Forward move through the steps, including the first', async () => {
    const steps = [/Protections you give up/, /10 significant trades/, /portfolio exceed/, /at least one year/]
    const shows = (name: RegExp) => expect(page.getByRole('heading', { name })).toBeVisible()
    await expectHistoryEntry(page, 'any here')
    for (const name of steps.toReversed().slice(1)) {
      await page.goBack()
      await shows(name)
      await expectHistoryEntry(page, name === steps[0] ? null : 'here and ahead')
    }
    for (const name of steps.slice(1)) {
      await page.goForward()
      await shows(name)
      await expectHistoryEntry(page, 'here and ahead')
    }
  })
  await test.step('a reload continues at the same step and keeps the answers', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: /in a professional role for at least one year/ })).toBeVisible()
    await command(page, 'BACK').click()
    await expect(page.getByRole('radio', { name: 'Yes', exact: true })).toBeChecked()
    await command(page, 'NEXT').click()
  })
  await choose(page, 'No')
  await expect(page.getByText('NEXT sends your application with the answers given so far.')).toBeVisible()
  await test.step('the application is shown as submitted even if it cannot be read afterwards', async () => {
    const reads = '**/api/users/getProfessionalClientsApplication'
    await page.route(reads, (route) => route.fulfill({ status: 500, json: {} }))
    const unread = page.waitForResponse(reads)
    await command(page, 'NEXT').click()
    await unread
    await expect(page.getByRole('heading', { name: submitted })).toBeVisible()
    await page.unroute(reads)
  })
  await expect(page.getByText(/will be in touch if more information is needed/)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: submitted })).toBeVisible()

  const product = await runningProduct()
  const { application } = (await call(product, getProfessionalClientsApplication, { as: client })).answer
  const as = await makeStaff(product, ['compliance'])
  const body = { version: 1, reason: 'One test of three.' }
  const refused = await call(product, rejectProfessional, { as, params: { id: application?.id ?? '' }, body })
  expect(refused.status, refused.bytes.toString()).toBe(200)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your application was rejected' })).toBeVisible()
  await expect(page.getByText('One test of three.')).toBeVisible()
  await expect(page.getByText(/will be in touch/)).toHaveCount(0)
  await test.step('a new application replaces the rejected one as soon as it is sent', async () => {
    await command(page, 'Apply again').click()
    await page.getByRole('checkbox').check({ force: true })
    await command(page, 'NEXT').click()
    for (const name of [/10 significant trades/, /portfolio exceed EUR 500,000/, /at least one year/]) {
      await expect(page.getByRole('heading', { name })).toBeFocused()
      await command(page, 'NEXT').click()
    }
    await expect(page.getByRole('heading', { name: submitted })).toBeFocused()
  })
  await test.step('an approved client can ask to become a retail client again, and is told when this is done', async () => {
    const current = await call(product, getProfessionalClientsApplication, { as: client })
    const params = { id: current.answer.application?.id ?? '' }
    await call(product, approveProfessional, { as, params, body: { version: 1, reason: 'Fine.', accounts: [] } })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'You are a professional client' })).toBeVisible()
    await command(page, 'Send us a message').click()
    await expect(page.getByRole('dialog').getByLabel('Message')).toBeVisible()
    await page.keyboard.press('Escape')
    await call(product, reverseProfessional, { as, params, body: { version: 2, reason: 'At your request.' } })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'You are a retail client again' })).toBeVisible()
    await expect(page.getByText('At your request.')).toBeVisible()
    await expectAccessible(page)
  })
  await page.getByRole('link', { name: 'BACK TO DASHBOARD' }).click()
  await page.waitForURL('/trading-accounts')
})

test('a client completes all six steps using only the keyboard; employer, role and experience need two characters', async ({
  page,
}) => {
  await openPageAsNewClient(page, path)
  const press = (key: string) => page.keyboard.press(key)
  const reach = async (target: Locator) => {
    await target.waitFor({ state: 'attached' })
    for (let tabs = 0; tabs < 60; tabs += 1) {
      await press('Tab')
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
    await expect(target, 'reached by Tab').toBeFocused()
  }
  const radio = (name: string) => page.getByRole('radio', { name, exact: true })
  const pressNext = async (name: string) => {
    await reach(command(page, name))
    await press('Enter')
  }
  await reach(page.getByRole('checkbox'))
  await press('Space')
  await pressNext('NEXT')
  await reach(radio('Yes'))
  await press('Space')
  await reach(radio('0–9'))
  await press('ArrowDown')
  await expect(radio('10–19')).toBeChecked()
  await pressNext('NEXT')
  await expect(page.getByRole('heading', { name: /portfolio exceed/ })).toBeFocused()
  await reach(radio('Yes'))
  await press('ArrowRight')
  await expect(radio('No')).toBeChecked()
  await pressNext('NEXT')
  await reach(radio('Yes'))
  await press('Space')
  await reach(page.getByLabel('Name of the employer'))
  await page.keyboard.type('Rheinufer Asset Management')
  await reach(page.getByLabel('Your role'))
  await page.keyboard.type('A')
  await expect(page.getByText('Enter at least 2 characters.')).toBeVisible()
  await expect(command(page, 'NEXT')).toHaveAccessibleDescription('Enter your employer and role to continue.')
  await expectAccessible(page)
  await page.keyboard.type('nalyst')
  await pressNext('NEXT')
  await expect(page.getByRole('heading', { name: 'Is this employer regulated?' })).toBeFocused()
  await reach(radio('Yes'))
  await press('Space')
  await reach(page.getByLabel('Your experience with CFDs and forex'))
  await page.keyboard.type('X')
  await expect(page.getByText('Enter at least 2 characters.')).toBeVisible()
  await expect(command(page, 'SUBMIT')).toHaveAccessibleDescription('Answer both questions to continue.')
  await expectAccessible(page)
  await page.keyboard.type(' years of index CFDs')
  await pressNext('SUBMIT')
  await expect(page.getByRole('heading', { name: submitted })).toBeFocused()
})

test('the page redirects to the accounts if the firm does not accept applications', async ({ page }) => {
  await page.route('**/api/users/checkClientsProfessionalStatus', (route) =>
    route.fulfill({ json: { success: true, disabledProfessionalClientApplication: true } }),
  )
  await openPageAsNewClient(page, path)
  await page.waitForURL('/trading-accounts')
})
