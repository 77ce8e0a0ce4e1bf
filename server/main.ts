/** Starts one server: database, keys, HTTP, workers; and stops it without losing work in progress. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { BadConfig } from './config/read-variable.ts'
import { assertDataFolder } from './config/data-folder.ts'
import { openDatabase, assertDatabaseReachable } from './db/database.ts'
import { listenTo } from './db/listen.ts'
import { migrateOrCheckSchema } from './db/migrate.ts'
import { assertNoDemoData } from './features/demo/assert-no-demo-data.ts'
import { scheduledTasks, operationKinds, signSearches } from './features.ts'
import { assertPagesBuilt } from './http/pages.ts'
import { openIpLocations } from './http/ip-locations.ts'
import { trackConnections } from './http/connection-draining.ts'
import { clockLookup } from './jobs/platform-days.ts'
import { configuredIntegrations, keepStoringCalls, storeCalls } from './jobs/integration-calls.ts'
import { registerServer } from './jobs/server-registry.ts'
import { operationDriver, type Driver } from './jobs/operations.ts'
import { startWorkers, type Workers } from './jobs/workers.ts'
import { openKeys, readMasterKey } from './crypto/keys.ts'
import { openLog } from './log/log.ts'
import { serveMetrics } from './log/metrics.ts'
import { folderStore } from './integrations/file-store/file-store.ts'
import { connectIntegrations } from './integrations/connect.ts'
import type { Dependencies } from './dependencies.ts'
import { assertRestoreNoted, recordDatabaseChange } from './recovery/database-identity.ts'
import { startHeartbeat } from './recovery/heartbeat.ts'
import { openSendingGate, watchTimelines } from './recovery/sending-gate.ts'
import { openBreachedPasswords } from './auth/breached-passwords.ts'
import { openSettings } from './settings/settings.ts'

export interface RunningServer {
  /** The address that it listens on. */
  readonly url: string
  readonly dependencies: Dependencies
  /** Processes operations explicitly, for tests that would otherwise have to wait. */
  readonly driver: Driver
  /** Stores the counted calls to the integrations now, for tests that would otherwise have to wait. */
  storeCalls(): Promise<void>
  /** Drains for this number of ms, as configured by default; finishes work in progress; ends. */
  stop(drainMs?: number): Promise<void>
}

export interface StartOptions {
  readonly now?: () => Date
  /** Delays a response; by the clock by default. */
  readonly pause?: (ms: number) => Promise<unknown>
  /** For responses in progress at a stop; a few seconds by default. */
  readonly answersMsMax?: number
  /** For the first request of a connection that was just opened; one second by default. */
  readonly firstRequestMsMax?: number
  /** False: no queue, no scheduled tasks; only `driver` processes operations. */
  readonly workers?: boolean
  /** False if the schema is known to be of this version. */
  readonly migrate?: boolean
  /** The destination of log lines; standard output by default. */
  readonly logTo?: DestinationStream
}

/** For the sweep, the sealer and the scheduled tasks, which run in addition to the queue's workers. */
const connectionsBesideWorkers = 6
/** For responses in progress when the server stops (requirements 33.2). */
const answersMsMax = 8_000
/** For the request on a connection that a proxy opened just before the listener closed. */
const firstRequestMsMax = 1_000

/** Starts the server with `config`. Throws a sentence if something that it needs is missing. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  if (!config.database) throw new Error('DATABASE_URL is missing. Set it, or use npm start with the embedded database.')
  const now = options.now ?? (() => new Date())
  const log = openLog(config.logLevel, options.logTo, config.role)
  await assertDataFolder(config)
  await assertPagesBuilt(config)
  const breachedPasswords = await openBreachedPasswords(config.breachedPasswordsFile)
  const ipLocations = await openIpLocations(config.ipLocationFile, now, (error) =>
    log.warn({ err: error }, 'table of IP locations not used'),
  )
  if (options.migrate !== false) await migrateOrCheckSchema(config.database)
  await assertDatabaseReachable(config.database.url, 'DATABASE_URL')
  const sizes = { requests: config.database.connections, jobs: config.workers + connectionsBesideWorkers }
  const database = openDatabase(
    config.database.url,
    (error) => log.warn({ err: error }, 'database connection lost'),
    sizes,
  )
  if (config.production) await assertNoDemoData(database.jobs)
  await assertRestoreNoted(database.jobs)
  const masterKey = await readMasterKey(database.jobs, config.masterKeyFile, config.mayMakeMasterKey)
  const keys = await openKeys(database.jobs, masterKey, now)
  const settings = openSettings(database.settings, now)
  const { timeline } = await recordDatabaseChange(database.jobs, now())
  const integrations = connectIntegrations(config, log, now, clockLookup(database.settings, settings))
  const stopping = new AbortController()
  const dependencies: Dependencies = {
    config,
    pool: database.requests,
    jobs: database.jobs,
    keys,
    settings,
    ...integrations.parts,
    breachedPasswords,
    ipLocations,
    files: folderStore(join(config.dataDir, 'files')),
    log,
    stopping: stopping.signal,
    now,
    pause: options.pause ?? wait,
  }
  const learnKeys = (): void =>
    void keys.reload().catch((error: unknown) => log.error({ err: error }, 'new key could not be decrypted'))
  const listener = await listenTo({
    url: config.database.url,
    channels: ['settings', 'keys'],
    onNotification: (payload, channel) => (channel === 'keys' ? learnKeys() : settings.forget(payload)),
    onReconnect: () => {
      settings.forgetAll()
      learnKeys()
    },
    onError: (error) => log.warn({ err: error }, 'listener connection lost'),
  })
  const presence = await registerServer(config.database.url, (error) =>
    log.warn({ err: error }, 'server registry connection lost'),
  )
  const pools = [database.jobs, database.requests] as const
  const gate = openSendingGate({ pools, searches: signSearches(dependencies), timeline, log, now })
  watchTimelines(pools, gate)
  const stopLooking = gate.keepLooking()
  const stopHeart = await startHeartbeat({
    pool: database.jobs,
    server: presence.server,
    role: config.role,
    onError: (error) => log.warn({ err: error }, 'heartbeat missed'),
    now,
  })
  const storing = keepStoringCalls(database.jobs, integrations.calls, (error) =>
    log.warn({ err: error }, 'integration calls not counted'),
  )
  const driver = operationDriver(database.jobs, operationKinds(dependencies), presence.server, now, gate)
  const server = await createApp(dependencies)
  const connections = trackConnections(server.server, stopping.signal)
  await server.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error
    throw new BadConfig(
      `The server cannot listen on ${config.host}:${config.port} (${error.code}). Stop the program that uses this address, or change HOST and PORT.`,
    )
  })
  const metrics =
    config.metrics &&
    (await serveMetrics({
      pool: database.jobs,
      address: config.metrics,
      integrations: configuredIntegrations(config),
      now,
      onError: (error) => log.warn({ err: error }, 'metrics could not be read'),
    }))
  const withJobs = options.workers !== false && config.role !== 'web'
  const workers: Workers | null = withJobs
    ? await startWorkers({
        pool: database.jobs,
        driver,
        presence,
        scheduledTasks: scheduledTasks(dependencies),
        concurrency: config.workers,
        log,
        now,
      })
    : null
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    dependencies,
    driver,
    storeCalls: () => storeCalls(database.jobs, integrations.calls),
    async stop(drainMs = config.role === 'jobs' ? 0 : config.drainMs) {
      stopping.abort()
      if (drainMs > 0) await dependencies.pause(drainMs)
      await connections.endWith(() => server.close(), {
        answersMsMax: options.answersMsMax ?? answersMsMax,
        firstRequestMsMax: drainMs > 0 ? (options.firstRequestMsMax ?? firstRequestMsMax) : 0,
      })
      await metrics?.stop()
      await workers?.stop()
      await stopLooking()
      await stopHeart()
      await listener.stop()
      await presence.leave()
      await integrations.close()
      await storing.stop()
      await breachedPasswords.close()
      await database.close()
    },
  }
}
