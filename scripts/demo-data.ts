/** When the demo is seeded: once, into an empty database; a half-done seed is thrown away whole and begun anew. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig, type Environment } from '#server/config.ts'

const begunFile = (dataDir: string) => join(dataDir, 'seed.begun')

/** Before the embedded database starts: removes a demo whose seed was interrupted. */
export function removeHalfSeeded(dataDir: string): void {
  if (!existsSync(begunFile(dataDir))) return
  // Without this file the cluster counts as half made, and is made anew.
  rmSync(join(dataDir, 'database.complete'), { force: true })
  for (const name of ['simulators', 'files', 'master.key'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(begunFile(dataDir))
}

/** Seeds the migrated database where nobody is in it, and answers whether it did. */
export async function seedEmpty(env: Environment): Promise<boolean> {
  const config = readConfig(env)
  const ownerUrl = config.database?.ownerUrl ?? null
  if (ownerUrl === null || !(await isEmpty(ownerUrl))) return false
  writeFileSync(begunFile(config.dataDir), '')
  // Loaded only where it is needed: it brings the whole server with it.
  const { seed } = await import('./seed.ts')
  await seed(config)
  rmSync(begunFile(config.dataDir))
  return true
}

async function isEmpty(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const people = await client.query<{ none: boolean }>('select not exists (select from staff) as none')
    return people.rows[0]?.none ?? false
  } finally {
    await client.end()
  }
}
