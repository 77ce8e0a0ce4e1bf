/**
 * The product of the journeys, in the form in which tests/factories.ts makes people: its database, its keys, its clock.
 */
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server/config/config.ts'
import { openKeys, readMasterKey } from '#server/crypto/keys.ts'
import { type MadeOn } from '../factories.ts'
import { databaseOwnerUrl, portalUrl, serverEnv } from '../product.ts'

export interface RunningProduct extends MadeOn {
  readonly url: string
}

let opened: Promise<RunningProduct> | undefined

/** Opened once in each of Playwright's processes, whose end closes the connections. */
export function runningProduct(): Promise<RunningProduct> {
  return (opened ??= open())
}

async function open(): Promise<RunningProduct> {
  const config = readConfig(serverEnv())
  const { requests: pool } = openDatabase(databaseOwnerUrl(), () => undefined, { requests: 2, jobs: 1 })
  const keys = await openKeys(pool, await readMasterKey(pool, config.masterKeyFile, false))
  return { url: portalUrl(), dependencies: { pool, keys }, clock: { now: () => new Date() } }
}
