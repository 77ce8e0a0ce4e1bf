/** When the demo is seeded: once, into an empty database; a half-done seed is thrown away whole and begun again. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig, type Config, type Environment } from '#server/config/config.ts'
import type { VariableName } from '#server/config/environment.ts'

const begunFile = (dataDir: string) => join(dataDir, 'seed.begun')

/** Before the embedded database starts: removes a demo whose seed was interrupted. */
export function removeHalfSeeded(dataDir: string): void {
  if (!existsSync(begunFile(dataDir))) return
  // Without this file the cluster counts as half made, and is made again.
  rmSync(join(dataDir, 'database.complete'), { force: true })
  for (const name of ['simulators', 'files', 'master.key'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(begunFile(dataDir))
}

/** What became of the demo's data at a start. */
export type DemoData = { readonly made: boolean } | { readonly none: string }

interface Mailbox {
  /** Leads the server to the mailbox. */
  readonly serverEnv: Environment
  stop(): Promise<void>
}

/**
 * Seeds the migrated database where no one is in it. The history is played with the demo's own simulators: a mail server
 * of the operator's is passed over by a mailbox for that time, and platforms or a provider of the operator's get no
 * invented accounts and payments, so that the demo begins empty.
 */
export async function seedEmpty(outer: Config, env: Environment, mailbox: () => Promise<Mailbox>): Promise<DemoData> {
  const config = readConfig(env)
  if (config.database === null || !(await isEmpty(config.database.ownerUrl ?? config.database.url)))
    return { made: false }
  const own = integrationsNamed(outer)
  if (own.length > 0)
    return {
      none: `No demo data: it is made with the demo's own simulators, and ${own.join(' and ')} named others. 'operator create-administrator' makes the first administrator.`,
    }
  writeFileSync(begunFile(config.dataDir), '')
  const box = outer.mail.smtpUrl === null ? null : await mailbox()
  try {
    // Loaded only where it is needed: it brings the whole server with it.
    const { seed } = await import('./seed.ts')
    await seed(readConfig({ ...env, ...box?.serverEnv }))
  } finally {
    await box?.stop()
  }
  await flush(config.database.ownerUrl ?? config.database.url)
  rmSync(begunFile(config.dataDir))
  return { made: true }
}

/** Returns the variables by which the operator named platforms and a provider of their own. */
export function integrationsNamed({ mt5, mt4, card }: Pick<Config, 'mt5' | 'mt4' | 'card'>): VariableName[] {
  return [
    ...(mt5 ? ['MT5_URL' as const] : []),
    ...(mt4 ? ['MT4_URL' as const] : []),
    ...(card ? ['CARD_URL' as const] : []),
  ]
}

async function isEmpty(url: string): Promise<boolean> {
  const [people] = await ask<{ none: boolean }>(url, 'select not exists (select from staff) as none')
  return people?.none ?? false
}

/** Every commit so far is on the disk, also those that did not wait for it. */
async function flush(url: string): Promise<void> {
  await ask(url, "select pg_logical_emit_message(false, 'demo', '', true)")
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
