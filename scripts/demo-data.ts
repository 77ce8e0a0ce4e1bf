/** Seeds the demo: once, into an empty database; an incomplete seed is removed completely and started again. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig, type Config } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import type { VariableName } from '#server/config/environment.ts'
import type { seed as Seed } from './seed.ts'

const seedMarkerFile = (dataDir: string) => join(dataDir, 'seed.begun')

/** Removes a demo whose seed was interrupted, before the embedded database starts. */
export function removeHalfSeeded(dataDir: string): void {
  if (!existsSync(seedMarkerFile(dataDir))) return
  // Without this file the cluster counts as incomplete, and is created again.
  rmSync(join(dataDir, 'database.complete'), { force: true })
  for (const name of ['simulators', 'files', 'master.key'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(seedMarkerFile(dataDir))
}

/** The result for the demo's data at a start. */
export type DemoData = { readonly made: boolean } | { readonly none: string }

interface Mailbox {
  /** Variables that make the server use the mailbox. */
  readonly serverEnv: Environment
  stop(): Promise<void>
}

interface SeedSources {
  /** Loads the history, only if it is needed, because it imports the whole server. */
  readonly seed: () => Promise<typeof Seed>
  readonly mailbox: () => Promise<Mailbox>
  /** Resolves once a new database is on disk. */
  readonly durable: Promise<void>
}

/**
 * Seeds the migrated database if it is empty. The history uses the demo's own simulators: a mailbox replaces the
 * operator's mail server for that time, and the operator's platforms or provider get no invented accounts and payments,
 * so that the demo is empty then. A new database becomes `durable` meanwhile.
 */
export async function seedIfEmpty(
  outer: Config,
  env: Environment,
  { seed, mailbox, durable }: SeedSources,
): Promise<DemoData> {
  const config = readConfig(env)
  if (config.database === null || !(await isEmpty(config.database.ownerUrl ?? config.database.url)))
    return { made: false }
  const own = configuredIntegrations(outer)
  if (own.length > 0)
    return {
      none: `No demo data was created, because it needs the demo's own simulators and ${own.join(' and ')} point to other servers. Create the first administrator with 'operator create-administrator'.`,
    }
  writeFileSync(seedMarkerFile(config.dataDir), '')
  const box = outer.mail.smtpUrl === null ? null : await mailbox()
  try {
    const play = await seed()
    await play(readConfig({ ...env, ...box?.serverEnv }))
  } finally {
    await box?.stop()
  }
  await durable
  await flush(config.database.ownerUrl ?? config.database.url)
  rmSync(seedMarkerFile(config.dataDir))
  return { made: true }
}

/** Returns the variables with which the operator configured their own platforms and provider. */
export function configuredIntegrations({ mt5, mt4, card }: Pick<Config, 'mt5' | 'mt4' | 'card'>): VariableName[] {
  return [
    ...(mt5 ? ['MT5_URL' as const] : []),
    ...(mt4 ? ['MT4_URL' as const] : []),
    ...(card ? ['CARD_URL' as const] : []),
  ]
}

async function isEmpty(url: string): Promise<boolean> {
  const [people] = await queryRows<{ none: boolean }>(url, 'select not exists (select from staff) as none')
  return people?.none ?? false
}

/** Ensures that every commit so far is on disk, including those that did not wait for it. */
async function flush(url: string): Promise<void> {
  await queryRows(url, "select pg_logical_emit_message(false, 'demo', '', true)")
}

async function queryRows<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
