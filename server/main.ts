/** Starts one server: database, keys, HTTP, workers; and stops it without losing what is under way. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import pg from 'pg'
import { app } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { chores, operationKinds } from './features.ts'
import { watchConnections } from './http/connections.ts'
import { announcePresence } from './jobs/presence.ts'
import { operationDriver, type Driver } from './jobs/operations.ts'
import { startWorkers, type Workers } from './jobs/workers.ts'
import { openKeys, readMasterKey } from './keys.ts'
import { folderStore } from './outside/file-store/file-store.ts'
import { connectOutsides } from './outsides.ts'
import type { Parts } from './parts.ts'
import { openSettings } from './settings.ts'

export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  readonly parts: Parts
  /** Drives operations by hand: what tests use in place of waiting. */
  readonly driver: Driver
  stop(): Promise<void>
}

export interface StartOptions {
  readonly now?: () => Date
  /** False: no queue, no clocks; operations move only by `driver`. */
  readonly workers?: boolean
  /** False where the schema is known to be of this version. */
  readonly migrate?: boolean
}

/** For the sweep, the sealer and the chores, which run beside the queue's workers. */
const connectionsBesideWorkers = 6
/** For answers that are under way when the server stops (quality-bar K2). */
const answersMsMax = 8_000

/** Starts the server that `config` describes. Refuses with a sentence when something it needs is not there. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  if (!config.database) throw new Error('The server needs DATABASE_URL; npm start gives it the embedded one.')
  const now = options.now ?? (() => new Date())
  const log = pino({ level: config.logLevel, base: null, redact: ['req.headers.authorization'] })
  if (options.migrate !== false) await migrate(config.database.ownerUrl)
  const sizes = { requests: config.database.connections, jobs: config.workers + connectionsBesideWorkers }
  const database = openDatabase(
    config.database.url,
    (error) => log.warn({ err: error }, 'a database connection broke'),
    sizes,
  )
  const masterKey = await readMasterKey(database.jobs, config.masterKeyFile, config.mayMakeMasterKey)
  const keys = await openKeys(database.jobs, masterKey)
  const settings = openSettings(database.requests, now)
  const outsides = connectOutsides(config, log, now)
  const parts: Parts = {
    config,
    pool: database.requests,
    jobs: database.jobs,
    keys,
    settings,
    ...outsides.parts,
    files: folderStore(join(config.dataDir, 'files')),
    log,
    now,
  }
  const listener = await listen(config.database.url, settings.forget, (error) =>
    log.warn({ err: error }, 'the listener broke'),
  )
  const presence = await announcePresence(config.database.url, (error) =>
    log.warn({ err: error }, 'the presence broke'),
  )
  const driver = operationDriver(database.jobs, operationKinds(parts), presence.server, now)
  const server = await app(parts)
  const connections = watchConnections(server.server)
  await server.listen({ port: config.port, host: config.host })
  const withJobs = options.workers !== false && config.role !== 'web'
  const workers: Workers | null = withJobs
    ? await startWorkers({
        pool: database.jobs,
        driver,
        presence,
        chores: chores(parts),
        concurrency: config.workers,
        log,
        now,
      })
    : null
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    parts,
    driver,
    async stop() {
      await connections.endWith(() => server.close(), answersMsMax)
      await workers?.stop()
      await listener.stop()
      await presence.leave()
      await outsides.close()
      await database.close()
    },
  }
}

const reconnectMs = 1_000

/** One LISTEN connection for changed settings; it comes back after a break and then forgets everything. */
async function listen(url: string, forget: (section: string) => void, onError: (error: Error) => void) {
  let stopped = false
  let connection: pg.Client
  const connect = async (): Promise<void> => {
    connection = new pg.Client({ connectionString: url, application_name: 'portal-settings', keepAlive: true })
    connection.on('notification', (message) => forget(message.payload ?? ''))
    connection.on('error', (error) => {
      onError(error)
      if (!stopped) setTimeout(() => connect().catch(onError), reconnectMs)
    })
    await connection.connect()
    await connection.query('listen settings')
  }
  await connect()
  return {
    async stop() {
      stopped = true
      await connection.end()
    },
  }
}
