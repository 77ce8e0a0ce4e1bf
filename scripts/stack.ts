/**
 * The whole product on one machine: database, simulators, demo data and server, started in order, stopped in reverse.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setImmediate } from 'node:timers/promises'
import type { Config } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { migrateOrCheckSchema, migrate } from '#server/db/migrate.ts'
import { removeHalfSeeded, seedIfEmpty, type DemoData } from './demo-data.ts'
import { hasDatabase } from './database-cluster.ts'
import { startDatabase, type EmbeddedDatabase } from './embedded-database.ts'
import { keepRunning } from './child-process.ts'
import { runningFile } from './running-environment.ts'
import type { ServerPrograms } from './server-programs.ts'
import { writeDemoLocations } from './seed/ip-addresses.ts'
import type { seed as Seed } from './seed.ts'
import { startMailbox, startSimulators } from './simulators.ts'

export interface Stack {
  /** The server's environment: addresses and secrets of everything around it. */
  readonly serverEnv: Environment
  /** Null without demo data. */
  readonly demoData: DemoData | null
  restartServer(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  readonly env: Environment
  readonly config: Config
  /** Returns the server and the demo's history. */
  readonly programs: () => Promise<ServerPrograms>
  /** Does the work that must be done before the server starts, in parallel with the database. */
  readonly meanwhile: () => Promise<void>
  readonly onGone: (sentence: string) => void
}

/** Starts everything. If one part fails, stops those already started and throws that part's sentence. */
export async function startStack({ env, config, programs, meanwhile, onGone }: Options): Promise<Stack> {
  await assertPortFree(config)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const stopPart of stops.splice(0).toReversed()) await stopPart()
  }
  const isNew = config.demo && config.database === null && !hasDatabase(config.dataDir)
  const prepared = Promise.withResolvers<void>()
  // Later than initdb and PostgreSQL, which are waited for longest.
  const loaded = setImmediate().then(programs)
  const seed = async () => ((await import(pathToFileURL((await loaded).seed).href)) as { seed: typeof Seed }).seed
  const surroundings = startPrerequisites(env, config, stops, { onGone, onPrepared: prepared.resolve, seed })
  // Later, because its beginning would delay the start of the other processes.
  const work = setImmediate().then(meanwhile)
  const everything = Promise.all([surroundings, work])
  // Handled by keepRunning, which is called later.
  everything.catch(() => undefined)
  try {
    if (isNew) {
      // The history runs the same modules as the server, which then reads them back compiled.
      await seed()
      flushCompileCache()
      // Until the history begins, the processor is needed for what it waits for.
      await Promise.race([prepared.promise, surroundings])
    }
    const server = await keepRunning({
      script: (await loaded).serve,
      env: { ...env, ...memorySavingVariables(env, config) },
      envLater: everything.then(([{ serverEnv }]) => serverVariables(serverEnv, config)),
      // In the demo the terminal shows one block; otherwise the log is the output.
      log: config.demo ? join(config.dataDir, 'server.log') : null,
      onGone,
    })
    const around = await surroundings
    stops.push(() => server.stop())
    const file = runningFile(config.dataDir)
    writeFileSync(file, JSON.stringify(around.serverEnv), { mode: 0o600 })
    stops.push(async () => rmSync(file, { force: true }))
    return { ...around, restartServer: () => server.restart(), stop }
  } catch (error) {
    // Parts that are still being built or started would outlive us.
    await Promise.allSettled([surroundings, work, loaded])
    await stop()
    throw error
  }
}

/**
 * Returns the variables that reduce memory at rest (ADR 63): Node reads back compiled code, and its young generation is
 * smaller. Node also does not look for links in the paths of its modules: packages are real folders (ADR 308).
 */
function memorySavingVariables(env: Environment, config: Config): Environment {
  const options =
    `${env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=8 --preserve-symlinks --preserve-symlinks-main`.trim()
  return { NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(config.dataDir, 'compiled'), NODE_OPTIONS: options }
}

/**
 * Returns the server's own environment: the schema of the embedded database is current, so it needs no owner's address.
 */
function serverVariables(serverEnv: Environment, config: Config): Environment {
  const { DATABASE_OWNER_URL: _owner, ...own } = serverEnv
  return config.database === null ? own : serverEnv
}

interface PrerequisiteOptions {
  readonly seed: () => Promise<typeof Seed>
  readonly onGone: (sentence: string) => void
  /** Called when the schema is current and the simulators run. */
  readonly onPrepared: () => void
}

/** Starts database, simulators and demo data, as far as the environment does not name others. */
async function startPrerequisites(
  env: Environment,
  config: Config,
  stops: (() => Promise<void>)[],
  { onGone, onPrepared, seed }: PrerequisiteOptions,
): Promise<Pick<Stack, 'serverEnv' | 'demoData'>> {
  const database = config.database === null ? await startOwnDatabase(config, stops, onGone) : null
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const databaseEnv: Environment = database
    ? { DATABASE_URL: database.serverUrl, DATABASE_OWNER_URL: database.ownerUrl }
    : {}
  const schema = database ? migrate(withoutSyncCommit(database.ownerUrl)) : null
  if (!config.demo) {
    await Promise.all([schema, database?.durable])
    return { serverEnv: { ...env, DEMO: 'off', ...databaseEnv }, demoData: null }
  }
  if (config.database !== null) await migrateOrCheckSchema(config.database)
  const [simulators] = await Promise.all([
    startSimulators(config, onGone).then((started) => {
      stops.push(() => started.stop())
      return started
    }),
    schema,
  ])
  onPrepared()
  const locations: Environment =
    config.ipLocationFile === null ? { IP_LOCATION_FILE: writeDemoLocations(config.dataDir) } : {}
  const serverEnv = { ...env, DEMO: 'on', ...databaseEnv, ...simulators.serverEnv, ...locations }
  const seedEnv: Environment = database
    ? {
        ...serverEnv,
        DATABASE_URL: withoutSyncCommit(database.serverUrl),
        DATABASE_OWNER_URL: withoutSyncCommit(database.ownerUrl),
      }
    : serverEnv
  const durable = database?.durable ?? Promise.resolve()
  const demoData = await seedIfEmpty(config, seedEnv, { seed, mailbox: () => startMailbox(config, onGone), durable })
  await durable
  return { serverEnv, demoData }
}

async function startOwnDatabase(
  config: Config,
  stops: (() => Promise<void>)[],
  onGone: (sentence: string) => void,
): Promise<EmbeddedDatabase> {
  removeHalfSeeded(config.dataDir)
  const database = await startDatabase({ dataDir: config.dataDir, early: true })
  stops.push(() => database.stop())
  void database.died.then(onGone)
  return database
}

/**
 * Returns the address for work that is repeated if interrupted, the schema and the demo's history: no commit waits for
 * the disk. A crash always loses only the last commits, because they reach the disk in order.
 */
function withoutSyncCommit(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c synchronous_commit=off')}`
}

async function assertPortFree({ host, port }: Config): Promise<void> {
  const server = createServer()
  await new Promise<void>((free, taken) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      taken(
        error.code === 'EADDRINUSE'
          ? new Error(
              `Port ${port} is already in use, perhaps by another instance of this product. Stop it, or set PORT.`,
            )
          : new Error(`Cannot listen on HOST ${host} and PORT ${port}: ${error.message}.`),
      ),
    )
    server.listen(port, host, free)
  })
  await new Promise((closed) => server.close(closed))
}
