/** When the demo is seeded: once, into an empty database; a half-done seed is thrown away whole and begun anew. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { readConfig, type Config, type Environment } from '#server/config.ts'

export interface SignIn {
  readonly who: string
  readonly email: string
  readonly password: string
}

/** What scripts/seed.ts exports. */
interface Seed {
  /** Runs the product's own verbs against the simulators, with a past clock (mechanics 12). */
  seed(config: Config): Promise<void>
  readonly demoSignIns: readonly SignIn[]
}

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
  const module = await loadSeed()
  if (module === null) return false
  writeFileSync(begunFile(config.dataDir), '')
  await module.seed(config)
  rmSync(begunFile(config.dataDir))
  return true
}

/** The people of the demo, as the first lines of a start show them. */
export async function signIns(): Promise<readonly SignIn[]> {
  return (await loadSeed())?.demoSignIns ?? []
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

/** Loaded only when it is needed: it brings the whole server with it. Null where this checkout has none. */
async function loadSeed(): Promise<Seed | null> {
  const file = join(import.meta.dirname, 'seed.ts')
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Seed) : null
}
