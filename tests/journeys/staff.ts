/** Staff of a journey's own, signed in through the office's pages: a one-time code counts once, so nobody is shared. */
import { randomUUID } from 'node:crypto'
import { expect, type Browser, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import type { StaffRole } from '#rules/actors.ts'
import { readConfig } from '#server/config.ts'
import { openKeys, readMasterKey } from '#server/keys.ts'
import { hashPassword } from '#server/people/password-hash.ts'
import { newFactor } from '#server/people/totp.ts'
import { databaseOwnerUrl, portalUrl, serverEnv } from '../product.ts'

export const journeyPassword = 'Quince-harbour-71'

export interface Clerk {
  readonly name: string
  readonly page: Page
}

/** A new member of staff, signed in with password and second factor, at the inbox. */
export async function signedInStaff(browser: Browser, role: StaffRole, name: string): Promise<Clerk> {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.org`
  const secret = await makeStaff(role, name, email)
  const context = await browser.newContext({ baseURL: portalUrl(), locale: 'en-GB', timezoneId: 'Europe/London' })
  const page = await context.newPage()
  await page.goto('/office/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(journeyPassword)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await page.getByLabel(/code/i).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
  return { name, page }
}

/** Written straight into the table, its second factor set up; how staff are invited is the back office's own test. */
async function makeStaff(role: StaffRole, name: string, email: string): Promise<string> {
  const config = readConfig(serverEnv())
  const pool = new pg.Pool({ connectionString: databaseOwnerUrl(), max: 1 })
  try {
    const keys = await openKeys(pool, await readMasterKey(pool, config.masterKeyFile, false))
    const id = randomUUID()
    const factor = newFactor(keys, { table: 'staff', id }, email, 'journey')
    await pool.query(
      `insert into staff (id, email, name, roles, state, password_hash, factor_secret, factor_confirmed_at, created_at)
       values ($1, $2, $3, $4, 'active', $5, $6, now(), now())`,
      [id, email, name, [role], await hashPassword(journeyPassword), factor.sealed],
    )
    return factor.secret
  } finally {
    await pool.end()
  }
}
