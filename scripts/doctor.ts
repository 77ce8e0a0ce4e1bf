/** `npm run doctor`: looks at everything that the product needs, one line each, and says what to do. */
import { readFileSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import pg from 'pg'
import pino from 'pino'
import { readConfig, type Config } from '#server/config/config.ts'
import { waitingMigrations } from '#server/db/migrate.ts'
import { doctor } from '#server/operator/commands.ts'
import { openContext } from '#server/operator/context.ts'
import { missingRightsText } from '#server/operator/platform-rights.ts'
import { checkPlatformGroups } from '#server/features/firm-settings/check-platform-groups.ts'
import { Problem, problemText } from '#server/http/problem.ts'
import { newestLogin } from '#server/jobs/platform-days.ts'
import { readSetting } from '#server/settings/settings.ts'
import type { Dependencies, Platform } from '#server/dependencies.ts'
import { connectIntegrations } from '#server/integrations/connect.ts'
import { runningEnvironment } from './running-environment.ts'
import { readUsage } from './usage.mjs'

readUsage('doctor')

const freeBytesMin = 1_000_000_000
const clockSkewMsMax = 1_000
const postgresMin = 180_000
let sick = 0

/** Prints one line; the check throws the sentence that says what is wrong, or answers what is well. */
async function examine(name: string, check: () => Promise<string>): Promise<void> {
  try {
    console.log(`✓ ${name}: ${await check()}`)
  } catch (error) {
    sick += 1
    console.log(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function examineConfig(): Config | null {
  try {
    return readConfig(runningEnvironment(process.env))
  } catch (error) {
    sick += 1
    console.log(`✗ Environment: ${(error as Error).message}`)
    return null
  }
}

async function examineDatabase(config: Config): Promise<void> {
  const { database } = config
  if (database === null) {
    console.log("- Database: the embedded database is not running ('npm start' starts it).")
    return
  }
  const server = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 5_000 })
  server.on('error', () => undefined)
  await examine('Database', async () => {
    await server.connect()
    const answer = await server.query<{ version: string; number: number; now: Date }>(
      "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, clock_timestamp() as now",
    )
    const row = answer.rows[0]
    if (row === undefined || row.number < postgresMin)
      throw new Error(`PostgreSQL 18 is required. This is ${row?.version}.`)
    const skewMs = Math.abs(row.now.getTime() - Date.now())
    if (skewMs > clockSkewMsMax)
      throw new Error(`Its clock differs by ${skewMs} ms. Synchronise the time of both machines.`)
    return `PostgreSQL ${row.version}`
  })
  await examine("The server's role", async () => {
    const answer = await server.query<{ may: boolean }>(
      "select has_table_privilege('postings', 'update') or has_table_privilege('events', 'delete') as may",
    )
    if (answer.rows[0]?.may)
      throw new Error('The role can change append-only tables. Use a separate role in DATABASE_URL.')
    return 'cannot change postings or events'
  })
  await server.end().catch(() => undefined)
  await examine('Migrations', async () => {
    const waiting = await waitingMigrations(database.url)
    if (waiting.length > 0)
      throw new Error(
        `${waiting.length} to apply. Run ${database.ownerUrl === null ? "'operator migrate' with DATABASE_OWNER_URL" : 'the next start'} does it.`,
      )
    return 'all applied'
  })
}

async function examineFiles(config: Config): Promise<void> {
  await examine('DATA_DIR', async () => {
    await access(config.dataDir, constants.W_OK)
    const disk = await statfs(config.dataDir)
    const free = disk.bavail * disk.bsize
    if (free < freeBytesMin) throw new Error(`Only ${Math.round(free / 1e6)} MB free in ${config.dataDir}.`)
    return `${config.dataDir}, ${Math.round(free / 1e9)} GB free`
  })
  await examine('Master key', async () => {
    const bytes = readFileSync(config.masterKeyFile).length
    if (bytes < 32) throw new Error(`${config.masterKeyFile} is too short. 32 bytes are required.`)
    if (process.platform !== 'win32' && (statSync(config.masterKeyFile).mode & 0o077) !== 0)
      throw new Error(`${config.masterKeyFile} can be read by other users. Run chmod 600.`)
    return config.masterKeyFile
  })
}

/** Whether it answers, grants our login what it needs, and has the groups of the settings. */
async function examinePlatform(config: Config, platforms: Dependencies['platforms'], name: Platform): Promise<string> {
  await platforms[name].health()
  if (config.database === null) return 'answers'
  const pool = new pg.Pool({ connectionString: config.database.url, max: 1, connectionTimeoutMillis: 5_000 })
  try {
    const login = await newestLogin(pool, name)
    if (login === null) return 'answers; rights and groups are checked once it has an account'
    const missing = await platforms[name].missingRights(login)
    if (missing.length > 0) throw new Error(missingRightsText(name, missing))
    const { value } = await readSetting(pool, 'platformGroups', new Date())
    const rows = value.rows.filter(({ platform }) => platform === name)
    await checkPlatformGroups({ config, platforms }, 'platformGroups', { value: { rows }, standing: { rows } }, 'en')
    return 'answers, with the rights that can be seen and the groups of the settings'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(problemText(error.code, 'en', error.facts.values), { cause: error })
  } finally {
    await pool.end()
  }
}

async function examineIntegrations(config: Config): Promise<void> {
  const integrations = connectIntegrations(config, pino({ level: 'silent' }))
  const { platforms, mail, cards, scanner } = integrations.parts
  const well = (health: () => Promise<void>) => async () => {
    await health()
    return 'answers'
  }
  if (config.mail.smtpUrl !== null)
    await examine(
      'Mail server',
      well(() => mail.health()),
    )
  if (config.mt5 !== null) await examine('MetaTrader 5', () => examinePlatform(config, platforms, 'MT5'))
  if (config.mt4 !== null) await examine('MetaTrader 4', () => examinePlatform(config, platforms, 'MT4'))
  if (cards !== null)
    await examine(
      'Card provider',
      // It knows no such checkout, and under our key it says so.
      well(async () => void (await cards.getStatus('doctor'))),
    )
  if (scanner !== null)
    await examine(
      'Virus scanner',
      well(async () => {
        if ((await scanner.scan(Buffer.from('doctor'))) === 'unavailable')
          throw new Error('No response at CLAMD_ADDRESS. Uploads stay in quarantine.')
      }),
    )
  await integrations.close()
}

/** What must hold inside the database, and what is stuck there. */
async function examineWork(config: Config): Promise<void> {
  if (config.database === null) return
  try {
    const context = await openContext(config)
    if (!(await doctor(context, (line) => console.log(line)))) sick += 1
    await context.close()
  } catch (error) {
    sick += 1
    console.log(`✗ Records: ${error instanceof Error ? error.message : String(error)}`)
  }
}

console.log(`✓ Node: ${process.version}`)
const config = examineConfig()
if (config !== null) {
  console.log(`✓ Environment: ${config.production ? 'production' : config.demo ? 'demo' : 'development'}`)
  await examineFiles(config)
  await examineDatabase(config)
  await examineIntegrations(config)
  await examineWork(config)
}
console.log(sick === 0 ? '\nNo problems found.' : `\nProblems found: ${sick}.`)
process.exit(sick === 0 ? 0 : 1)
