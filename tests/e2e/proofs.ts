/** People whose last proof is too old, and the app that gives them a code. */
import { expect, type Page } from '@playwright/test'
import { createTotpSecret, type FactorOwner } from '#server/auth/totp.ts'
import { appCode } from './app-code.ts'
import { type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'

/** All open sessions of somebody were proved an hour ago: money and access take a new proof. */
export async function provedAnHourAgo({ table, id }: FactorOwner): Promise<void> {
  const { dependencies } = await runningProduct()
  const owner = table === 'clients' ? 'client_id' : 'staff_id'
  await dependencies.pool.query(`update sessions set proved_at = now() - interval '1 hour' where ${owner} = $1`, [id])
}

/** Sets up the second factor of somebody; answers a code of the app at any moment. */
export async function giveAuthenticator(owner: FactorOwner): Promise<() => string> {
  const { dependencies } = await runningProduct()
  const { sealed, secret } = createTotpSecret(dependencies.keys, owner, 'journey', 'journey')
  await dependencies.pool.query(
    `update ${owner.table} set factor_secret = $1, factor_confirmed_at = now(), factor_last_step = 0 where id = $2`,
    [sealed, owner.id],
  )
  return () => appCode(secret)
}

/** Gives the password that a withdrawal or a bank account asks for, by keyboard; the dialog names what it is for. */
export async function giveProof(
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
