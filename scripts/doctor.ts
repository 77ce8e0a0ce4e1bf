/** `npm run doctor`: checks everything that the product needs, one line each, with the remedy. */
import { dayMs } from '#rules/dates.ts'
import { statSync } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import pg from 'pg'
import { connectionTo } from '#server/db/connection-config.ts'
import pino from 'pino'
import { readConfig, type Config } from '#server/config/config.ts'
import { assertDataFolder } from '#server/config/data-folder.ts'
import { assertDatabaseReachable } from '#server/db/database.ts'
import { waitingMigrations } from '#server/db/migrate.ts'
import { doctor } from '#server/operator/doctor-command.ts'
import { readLocationTable } from '#server/http/ip-locations.ts'
import { isForServerAlone } from '#server/operator/key-file-mode.ts'
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
/** GeoLite2 is published twice a week, DB-IP's table once a month. */
const locationTableDaysMax = 60
let problemCount = 0

/** What works and needs attention all the same, as a sentence. */
class Warning extends Error {}

/** Prints one line and counts it as a problem if it is marked as one, so that the number agrees with what is shown. */
function report(line: string): void {
  if (/^[✗!] /.test(line)) problemCount += 1
  console.log(line)
}

/** Reports one line; the check throws the sentence with the error or warning, or returns that of success. */
async function examine(name: string, check: () => Promise<string>): Promise<void> {
  try {
    report(`✓ ${name}: ${await check()}`)
  } catch (error) {
    report(`${error instanceof Warning ? '!' : '✗'} ${name}: ${errorSentence(error)}`)
  }
}

/** Returns the text of an error and its causes: an adapter's error names its own cause. */
function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Problem) return error.message
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  const behind = message || code
  return behind === undefined || error.message.includes(behind) ? error.message : `${error.message} (${behind})`
}

function examineConfig(): Config | null {
  try {
    return readConfig(runningEnvironment(process.env))
  } catch (error) {
    report(`✗ Environment: ${(error as Error).message}`)
    return null
  }
}

/** Returns whether the database responds; otherwise its content is not checked. */
async function examineDatabase(config: Config): Promise<boolean> {
  const { database } = config
  if (database === null) {
    report("- Database: the embedded database is not running ('npm start' starts it).")
    return false
  }
  try {
    await assertDatabaseReachable(database.url, 'DATABASE_URL')
  } catch (error) {
    report(`✗ Database: ${errorSentence(error)} Roles, migrations and records were not checked.`)
    return false
  }
  const server = new pg.Client({ ...connectionTo(database.url), connectionTimeoutMillis: 5_000 })
  server.on('error', () => undefined)
  await examine('Database', async () => {
    await server.connect()
    const answer = await server.query<{ version: string; number: number; now: Date }>(
      "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, clock_timestamp() as now",
    )
    const row = answer.rows[0]
    if (row === undefined || row.number < postgresMin)
      throw new Error(`PostgreSQL 18 is required. This is ${row?.version}. Point DATABASE_URL to a newer server.`)
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
        `${waiting.length} to apply. ${database.ownerUrl === null ? "Run 'operator migrate' with DATABASE_OWNER_URL." : 'The next start applies them.'}`,
      )
    return 'all applied'
  })
  return true
}

async function examineFiles(config: Config): Promise<void> {
  await examine('DATA_DIR', async () => {
    await assertDataFolder(config)
    const disk = await statfs(config.dataDir)
    const free = disk.bavail * disk.bsize
    if (free < freeBytesMin)
      throw new Error(
        `Only ${Math.round(free / 1e6)} MB free in ${config.dataDir}. Remove other files, or enlarge the disk.`,
      )
    return `${config.dataDir}, ${Math.round(free / 1e9)} GB free`
  })
  await examine('Master key', async () => {
    const file = config.masterKeyFile
    const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(
        `${file} cannot be read (${code}). Put the key there for the server's account, or correct MASTER_KEY_FILE.`,
      )
    })
    if (bytes.length < 32)
      throw new Error(
        `${file} is too short for 32 bytes in base64. Put the right file there, or correct MASTER_KEY_FILE.`,
      )
    const account = { uid: process.getuid?.() ?? 0, groups: process.getgroups?.() ?? [] }
    if (process.platform !== 'win32' && !isForServerAlone(statSync(file), account))
      throw new Error(`${file} can be read by other accounts. Run: chmod 400 ${file}`)
    return file
  })
  const { ipLocationFile } = config
  if (ipLocationFile !== null) await examine('IP locations', () => examineLocationTable(ipLocationFile))
}

async function examineLocationTable(file: string): Promise<string> {
  const { builtAt } = await readLocationTable(file, () => undefined)
  const days = Math.floor((Date.now() - builtAt.getTime()) / dayMs)
  const table = `table of ${builtAt.toISOString().slice(0, 10)}`
  if (days <= locationTableDaysMax) return table
  throw new Warning(
    `${table}, ${days} days old. Countries of sign-ins may be wrong. Run geoipupdate, or put a newer table at ${file}; a restart is not necessary.`,
  )
}

/** Returns a check whose failure includes the next step. */
function healthCheck(health: () => Promise<void>, next: string): () => Promise<string> {
  return () =>
    health().then(
      () => 'responds',
      (error: unknown) => {
        throw new Error(`${errorSentence(error)}. ${next}`)
      },
    )
}

const platformSecrets = { MT5: 'MT5_LOGIN, MT5_PASSWORD', MT4: 'MT4_KEY, MT4_SECRET' } as const

/** Checks that it responds, grants our login the necessary permissions, and has the groups of the settings. */
async function examinePlatform(config: Config, platforms: Dependencies['platforms'], name: Platform): Promise<string> {
  const next = `Check ${name}_URL and ${platformSecrets[name]}, and that the platform accepts this machine.`
  await healthCheck(() => platforms[name].health(), next)()
  if (config.database === null) return 'responds'
  const pool = new pg.Pool({ ...connectionTo(config.database.url), max: 1, connectionTimeoutMillis: 5_000 })
  try {
    const login = await newestLogin(pool, name)
    if (login === null) return 'responds; permissions and groups are checked once it has an account'
    const missing = await platforms[name].missingRights(login)
    if (missing.length > 0) throw new Error(missingRightsText(name, missing))
    const { value } = await readSetting(pool, 'platformGroups', new Date())
    const rows = value.rows.filter(({ platform }) => platform === name)
    await checkPlatformGroups({ config, platforms }, 'platformGroups', { value: { rows }, current: { rows } }, 'en')
    return 'responds, with all permissions that can be seen and the groups of the settings'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(problemText(error.code, 'en', error.facts.values), { cause: error })
  } finally {
    await pool.end()
  }
}

async function examineIntegrations(config: Config, hasDatabase: boolean): Promise<void> {
  const looked = hasDatabase ? config : { ...config, database: null }
  const integrations = connectIntegrations(config, pino({ level: 'silent' }))
  const { platforms, mail, cards, scanner } = integrations.parts
  if (config.mail.smtpUrl !== null)
    await examine(
      'Mail server',
      healthCheck(
        () => mail.health(),
        'Check SMTP_URL with its user and password, and that the mail server accepts this machine.',
      ),
    )
  if (config.mt5 !== null) await examine('MetaTrader 5', () => examinePlatform(looked, platforms, 'MT5'))
  if (config.mt4 !== null) await examine('MetaTrader 4', () => examinePlatform(looked, platforms, 'MT4'))
  if (cards !== null)
    await examine(
      `Card provider (${config.card?.kind})`,
      // It does not know such a checkout, and answers so under our key.
      healthCheck(
        async () => void (await cards.getStatus('doctor')),
        'Check CARD_KIND, CARD_URL, CARD_MERCHANT, CARD_KEY and CARD_SECRET.',
      ),
    )
  if (scanner !== null)
    await examine(
      'Virus scanner',
      healthCheck(async () => {
        if ((await scanner.scan(Buffer.from('doctor'))) === 'unavailable')
          throw new Error('No response at CLAMD_ADDRESS. Uploads stay in quarantine')
      }, 'Start clamd, or correct CLAMD_ADDRESS.'),
    )
  await integrations.close()
}

/** Checks the invariants inside the database, and lists stuck work. */
async function examineWork(config: Config): Promise<void> {
  if (config.database === null) return
  try {
    const context = await openContext(config)
    await doctor(context, report)
    await context.close()
  } catch (error) {
    report(`✗ Records: ${errorSentence(error)}`)
  }
}

report(`✓ Node: ${process.version}`)
const config = examineConfig()
if (config !== null) {
  report(`✓ Environment: ${config.production ? 'production' : config.demo ? 'demo' : 'development'}`)
  await examineFiles(config)
  const hasDatabase = await examineDatabase(config)
  await examineIntegrations(config, hasDatabase)
  if (hasDatabase) await examineWork(config)
}
console.log(problemCount === 0 ? '\nNo problems found.' : `\nProblems found: ${problemCount}.`)
process.exit(problemCount === 0 ? 0 : 1)
