/**
 * Approved clients that only one journey uses, with their trading accounts. The main journey tests the approval itself.
 */
import type { Page } from '@playwright/test'
import { makeApprovedBank } from '../funded-account.ts'
import { makeClient, type ClientTraits, type MadeClient } from '../factories.ts'
import { expect } from './expect.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'
import { signClientIn } from './stages.ts'

/** Fills in the login page and submits it. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
}

/** Logs in a client and dismisses the dialogs of the first page. */
export async function logInNewClient(page: Page): Promise<MadeClient> {
  const client = await makeClient(await runningProduct())
  await logIn(page, client.email, journeyPassword)
  await page.waitForURL('/trading-accounts')
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return client
}

/**
 * Opens a page as a client in any state, signed in as after a login; with bank details, so that nothing requests them.
 */
export async function openPageAsNewClient(page: Page, address: string, traits: ClientTraits = {}): Promise<MadeClient> {
  const product = await runningProduct()
  const client = await makeClient(product, traits)
  await makeApprovedBank(product, client)
  await openPageAsClient(page, address, client)
  return client
}

/** Opens a page as a client who already exists. */
export async function openPageAsClient(
  page: Page,
  address: string,
  client: { readonly email: string },
  password?: string,
): Promise<void> {
  await signClientIn(page, client, password)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
