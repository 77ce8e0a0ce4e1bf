/** People whose last confirmation of identity is too old, and their authenticator app. */
import type { Page } from '@playwright/test'
import { createTotpSecret, type FactorOwner } from '#server/auth/totp.ts'
import { appCode } from './app-code.ts'
import { expect } from './expect.ts'
import { type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'

/** Sets a person's last proof in all sessions to an hour ago, so that changes to money and access require a new one. */
export async function expireStepUp({ table, id }: FactorOwner): Promise<void> {
  const { dependencies } = await runningProduct()
  const owner = table === 'clients' ? 'client_id' : 'staff_id'
  await dependencies.pool.query(`update sessions set proved_at = now() - interval '1 hour' where ${owner} = $1`, [id])
}

/** Sets up a person's second factor; returns a function that returns the app's current code. */
export async function setUpAuthenticator(owner: FactorOwner): Promise<() => string> {
  const { dependencies } = await runningProduct()
  const { sealed, secret } = createTotpSecret(dependencies.keys, owner, 'journey', 'journey')
  await dependencies.pool.query(
    `update ${owner.table} set factor_secret = $1, factor_confirmed_at = now(), factor_last_step = 0 where id = $2`,
    [sealed, owner.id],
  )
  return () => appCode(secret)
}

/**
 * Enters the password that a withdrawal or a bank account requires, with the keyboard; the dialog names its purpose.
 */
export async function confirmIdentity(
  page: Page,
  names: readonly (string | RegExp)[],
  password = journeyPassword,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  for (const name of names) await expect(dialog).toContainText(name)
  await type(page, dialog.getByLabel('Your password'), password)
  await page.keyboard.press('Enter')
}
