/** Approved clients of a journey's own, at their trading accounts. How a client is approved is the main journey's matter. */
import { expect, type Page } from '@playwright/test'
import { approvedBank } from '../funded-account.ts'
import { makeClient, type ClientTraits, type MadeClient } from '../factories.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'
import { enter } from './stages.ts'

/** Fills in the login page and sends it. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
}

/** Logged in, with what the portal asks on the first page put aside. */
export async function loggedIn(page: Page): Promise<MadeClient> {
  const client = await makeClient(await runningProduct())
  await logIn(page, client.email, journeyPassword)
  await page.waitForURL('/trading-accounts')
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return client
}

/** A client in any state at a page, signed in as a login leaves it; with bank details, so that nothing asks for them. */
export async function clientAtPage(page: Page, address: string, traits: ClientTraits = {}): Promise<MadeClient> {
  const product = await runningProduct()
  const client = await makeClient(product, traits)
  await approvedBank(product, client)
  await enterAs(page, address, client)
  return client
}

/** The same for a client who was made before. */
export async function enterAs(
  page: Page,
  address: string,
  client: { readonly email: string },
  password?: string,
): Promise<void> {
  await enter(page, client, password)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
