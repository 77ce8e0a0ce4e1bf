/** The list that `?` opens names every key of a page, and no other key has an effect (requirements 24.63). */
import { expect, type Page } from '@playwright/test'
import { writeEnquiry } from '#contract/enquiries.ts'
import { shortcutKeys } from '#ui/navigation/keyboard-shortcuts.ts'
import { call } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { test } from './fixtures.ts'
import { lookAtItem } from './keyboard.ts'
import { accountRequest, application, bankRequest, newClient, type WaitingClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { staffAt } from './staff.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const items = (page: Page) => page.locator('.inbox-item')

async function shown(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('h1').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Search:/ })).toBeVisible()
}

/** Presses a key on the shown item, which counts as viewed. */
async function key(page: Page, stroke: string): Promise<void> {
  await lookAtItem(page)
  await page.keyboard.press(stroke)
}

async function closed(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
}

async function inbox(page: Page, { name }: WaitingClient): Promise<void> {
  await shown(page, `/office/inbox?mine=false&q=${encodeURIComponent(name)}`)
  await expect(items(page)).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
  await page.getByRole('main').focus()
}

/** Opens the record's page of an item of the inbox. */
async function record(page: Page, client: WaitingClient, kind: string): Promise<void> {
  await inbox(page, client)
  await items(page).filter({ hasText: kind }).click()
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Reject/ })).toBeVisible()
}

test('every key of a page is printed', async ({ browser }) => {
  const client = await newClient()
  await accountRequest(client)
  await bankRequest(client)
  const { page } = await staffAt(browser, 'operations', 'Nils Aho')
  await inbox(page, client)
  await page.keyboard.press('?')
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  const strokes = await dialog(page)
    .locator('kbd')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-stroke')))
  expect(shortcutKeys.filter((one) => !strokes.includes(one))).toEqual([])
})

test('an application and an enquiry have keys of their own', async ({ browser }) => {
  const product = await runningProduct()
  const client = await newClient()
  await application(client)
  const write = async (complaint: boolean) => {
    const body = { topic: 'payments', text: 'Where is my money?', complaint, reference: '' } as const
    return (await call(product, writeEnquiry, { as: client, body })).answer.enquiry.id
  }
  const [question, complaint] = [await write(false), await write(true)]
  const { page } = await staffAt(browser, 'compliance', 'Ines Albrecht')
  const opens = async (stroke: string, name: RegExp) => {
    await key(page, stroke)
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await closed(page)
  }
  await shown(page, `/office/inbox?mine=false&kind=professional&q=${encodeURIComponent(client.name)}`)
  await expect(items(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Request more information/ })).toBeVisible()
  await opens('p', /^Request more information/)
  await shown(page, `/office/enquiries/${question}`)
  await expect(page.getByRole('button', { name: /^Reply/ })).toBeVisible()
  await opens('r', /^Reply/)
  await opens('c', /^Close without another reply/)
  await shown(page, `/office/enquiries/${complaint}`)
  await expect(page.getByRole('button', { name: /^Conclude complaint/ })).toBeVisible()
  await opens('a', /^Conclude complaint/)
})

/** All characters of a keyboard, and the navigation keys. */
const characters = Array.from({ length: 94 }, (_, place) => String.fromCharCode(33 + place))

test('a key that is not printed does nothing', async ({ browser }) => {
  const client = await newClient()
  await accountRequest(client)
  await bankRequest(client)
  const { page } = await staffAt(browser, 'operations', 'Nils Aho')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/viewing')) sent.push(request.url())
  })
  // g and the key after it are one shortcut.
  const printed: readonly string[] = [...shortcutKeys, 'g']
  const others = characters.filter((one) => !printed.includes(one))
  const nothing = async (address: string) => {
    await shown(page, address)
    await lookAtItem(page)
    await page.getByRole('main').focus()
    const at = page.url()
    for (const one of others) await page.keyboard.press(one)
    expect(page.url()).toBe(at)
    await expect(page.locator('[role="dialog"], [role="menu"], [role="alert"]')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  }
  for (const address of [
    `/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`,
    '/office/overview',
    '/office/withdrawals',
  ])
    await nothing(address)
  await record(page, client, 'Bank details')
  await nothing(page.url())
  expect(sent.filter((url) => !url.includes('/inbox/filter'))).toEqual([])
})
