/** Approved clients of a journey's own, at their trading accounts. How a client is approved is the main journey's matter. */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { login } from '#contract/users-session.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { approvedBank } from '../funded-account.ts'
import { call, makeClient, type ClientTraits, type MadeClient } from '../factories.ts'
import { databaseOwnerUrl } from '../product.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'

export interface ApprovedClient {
  readonly email: string
  readonly name: string
}

/** Written straight into the table: approved, identity passed, declaration accepted. */
export async function makeApprovedClient(): Promise<ApprovedClient> {
  const email = `ida.brandt-${randomUUID().slice(0, 8)}@example.net`
  const client = new pg.Client({ connectionString: databaseOwnerUrl() })
  await client.connect()
  try {
    await client.query(
      `insert into clients (email, state, title, name, surname, birth_date, mobile_phone, address_no, city, postcode, country, nationality,
         password_hash, password_changed_at, step, sub_step, registered_at, declaration_version, identity_approved_at, address_approved_at,
         approved_at, created_at)
       values ($1, 'approved', 'Mrs.', 'Ida', 'Brandt', '1986-03-14', '+4930901820', 'Lindenallee 48', 'Berlin', '10437', 'DE', 'DE',
         $2, now(), 5, 3, now(), 1, now(), now(), now(), now())`,
      [email, await hashPassword(journeyPassword)],
    )
  } finally {
    await client.end()
  }
  return { email, name: 'Ida Brandt' }
}

/** Fills in the login page and sends it. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
}

/** Logged in, with what the portal asks on the first page put aside. */
export async function loggedIn(page: Page): Promise<ApprovedClient> {
  const client = await makeApprovedClient()
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
  { email }: { readonly email: string },
  password = journeyPassword,
): Promise<void> {
  const { answer } = await call(await runningProduct(), login, { body: { email, password } })
  await page.goto('/healthz')
  await page.evaluate((token) => localStorage.setItem('portal.token', token), answer.token ?? '')
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
