/** The running product of the journeys: its addresses, and those of the demo's other parts. */
import type { Environment } from '#server/config/read-variable.ts'

/** Set by scripts/e2e-product.ts once the product is ready. */
export const productVariable = 'PORTAL_TEST_PRODUCT'

/** Returns the origin of the portal; a placeholder before the product has started. */
export function portalUrl(): string {
  return serverEnv()['PORTAL_URL'] ?? 'http://localhost'
}

/** Returns the mailbox simulator, whose `GET /mails?to=` shows the sent mails. */
export function mailboxUrl(): string {
  return requiredVariable('DEMO_MAILBOX_URL')
}

/** Returns the switches of the MetaTrader 5 simulator. */
export function mt5SwitchesUrl(): string {
  return requiredVariable('DEMO_MT5_SWITCHES_URL')
}

/** Returns the owner's address of the product's database, for making a journey's own staff. */
export function databaseOwnerUrl(): string {
  return requiredVariable('DATABASE_OWNER_URL')
}

/** Returns the whole environment of the running server. */
export function serverEnv(): Environment {
  return JSON.parse(process.env[productVariable] ?? '{}') as Environment
}

function requiredVariable(name: string): string {
  const value = serverEnv()[name]
  if (value === undefined) throw new Error(`${name} is unknown: the product has not been started.`)
  return value
}
