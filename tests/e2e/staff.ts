/**
 * Staff of one journey, signed in through the back office's pages: a one-time code is valid once, so journeys do not
 * share staff.
 */
import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { StaffRole } from '#rules/actors.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { createTotpSecret } from '#server/auth/totp.ts'
import { goodPassword, makeStaff } from '../factories.ts'
import { appCode } from './app-code.ts'
import { expect } from './expect.ts'
import { profileOf } from './fixtures.ts'
import { type } from './keyboard.ts'
import { runningProduct } from './running.ts'

export { goodPassword as journeyPassword }

export interface Clerk {
  readonly name: string
  readonly page: Page
}

/** A clerk whose journey also calls the API. */
export interface ClerkWithToken extends Clerk {
  readonly id: string
  readonly token: string
}

/** Makes a new member of staff, signed in with the keyboard, by password and second factor, at the inbox. */
export async function signInNewStaff(browser: Browser, role: StaffRole, name: string): Promise<Clerk> {
  const page = await (await profileOf(browser, 'office')).newPage()
  await page.goto('/office/sign-in')
  await signIn(page, role, name)
  await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  return { name, page }
}

/** Signs in a new member of staff on the open sign-in page; with `code`, tries that code instead of the valid one. */
export async function signIn(page: Page, role: StaffRole, name: string, code?: string): Promise<void> {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.org`
  const secret = await insertStaffWithFactor(role, name, email)
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password', { exact: true }), goodPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Confirm your identity' })).toBeFocused()
  await type(page, page.getByLabel(/code/i), code ?? appCode(secret))
  await page.keyboard.press('Enter')
}

/**
 * Opens a page of the back office as a new member of staff with a session, for tests that do not test the sign-in.
 */
export async function openPageAsStaff(
  browser: Browser,
  roles: StaffRole | readonly StaffRole[],
  name: string,
  address = '/office/inbox',
  context?: BrowserContext,
): Promise<ClerkWithToken> {
  const { id, token } = await makeStaff(await runningProduct(), [roles].flat(), { name })
  const page = await (context ?? (await profileOf(browser, 'office'))).newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript((bearer) => sessionStorage.setItem('office.token', bearer), token)
  await page.goto(address)
  return { id, name, page, token }
}

/** Inserts staff into the table with a second factor; the back office's own tests cover invitations. */
async function insertStaffWithFactor(role: StaffRole, name: string, email: string): Promise<string> {
  const { dependencies } = await runningProduct()
  const id = randomUUID()
  const factor = createTotpSecret(dependencies.keys, { table: 'staff', id }, email, 'journey')
  await dependencies.pool.query(
    `insert into staff (id, email, name, roles, state, password_hash, factor_secret, factor_confirmed_at, created_at)
     values ($1, $2, $3, $4, 'active', $5, $6, now(), now())`,
    [id, email, name, [role], await hashPassword(goodPassword), factor.sealed],
  )
  return factor.secret
}
