/**
 * The product of the journeys in the form that tests/factories.ts needs to make people: its database, keys and clock.
 */
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server/config/config.ts'
import { openKeys, readMasterKey } from '#server/crypto/keys.ts'
import { type FactoryTarget } from '../factories.ts'
import { databaseOwnerUrl, portalUrl, serverEnv } from '../product.ts'

export interface RunningProduct extends FactoryTarget {
  readonly url: string
}

let opened: Promise<RunningProduct> | undefined

/** Returns the running product. It is opened once per Playwright process, whose end closes the connections. */
export function runningProduct(): Promise<RunningProduct> {
  return (opened ??= openRunningProduct())
}

async function openRunningProduct(): Promise<RunningProduct> {
  const config = readConfig(serverEnv())
  const { requests: pool } = openDatabase(databaseOwnerUrl(), () => undefined, { requests: 2, jobs: 1 })
  const keys = await openKeys(pool, await readMasterKey(pool, config.masterKeyFile, false))
  return { url: portalUrl(), dependencies: { pool, keys }, clock: { now: () => new Date() } }
}
