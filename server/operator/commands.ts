/** The operator's command line: verbs, what they take, and what they print. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { reachDatabase } from '../db/database.ts'
import { record } from '../db/events.ts'
import { migrate } from '../db/migrate.ts'
import { variables, type Variable } from '../environment.ts'
import { verifyEvents } from '../db/sealer.ts'
import { rows, sql } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import { slippedIn } from '../features/audit/queries.ts'
import { forgetExpired } from '../features/retention/forget-expired.ts'
import { Problem, sentence } from '../http/problem.ts'
import { brokenInvariants, invariants } from '../invariants.ts'
import { retryOperation, retryQueueJob } from '../jobs/retry-operation.ts'
import { folderStore, type FileStore } from '../outside/file-store/file-store.ts'
import { setRoles, setSetting } from './administrators.ts'
import { createAdministrator } from './create-administrator.ts'
import { actOf, openGround, Refused, textOf, type Ground } from './ground.ts'
import { rotatedPurposes } from '../keys.ts'
import { importClients, importColumns } from './import-clients.ts'
import { keysCommand } from './keys-command.ts'
import { missingFiles } from './missing-files.ts'
import { askFirst } from './restored.ts'
import { stuckThings } from './stuck.ts'

export type Print = (line: string) => void

const usage = `Usage: npm run operator -- <verb>

  create-administrator --email ada@example.com --name "Ada Lovelace" [--language en|de]
      Makes the first two administrators: prints a link that works once, and mails it.
  set-roles --email ada@example.com --roles finance,operations --reason "..."
      While there are fewer than two active administrators.
  set-setting --section thresholds --file value.json --reason "..."
      While there are fewer than two active administrators.
  import-clients clients.csv [--apply]
      Says what would happen; with --apply does it, whole or not at all.
      Columns: ${importColumns.join(', ')} (* may be empty).
  migrate
      Brings the database to this version, under DATABASE_OWNER_URL; servers may then start without that address.
  verify
      The chain of the audit log, the ledger and every other invariant.
  retry letters | all | <id of an operation or job>
      Sends stuck mails, all stuck operations and dead jobs, or one of them on their way again.
  keys status | rotate <${rotatedPurposes.join('|')}> | retire <id of a key> | wrap <file of a new master key>
      The keys, what hangs on each; a new one beside the old; an old one away; all of them under a new master key.
  retention [--dry-run]
      Forgets now what has had its days, as the daily job does; with --dry-run only says how much of what.
  restored
      After a restore, before any server starts: asks the outsides first about all that seems not sent yet.
  doctor
      What is stuck, why, what it means, and what to do.
  variables
      The variables of the environment, as a table.
`

type Command = (ground: Ground, args: string[], print: Print) => Promise<boolean>

const commands: Readonly<Record<string, Command>> = {
  'create-administrator': async (ground, args, print) => {
    const { email = '', name = '', language = 'en' } = options(args, ['email', 'name', 'language'])
    if (language !== 'en' && language !== 'de') throw new Refused('Languages are en and de.')
    const { link } = await createAdministrator(ground, { email, name, language })
    print('Open this link to set password and second factor. It works once:')
    print(link)
    return true
  },
  'set-roles': async (ground, args, print) => {
    const { email = '', roles = '', reason = '' } = options(args, ['email', 'roles', 'reason'])
    await setRoles(ground, { email, roles: roles.split(',').map((role) => role.trim()), reason })
    print(`${email} has the roles ${roles} now.`)
    return true
  },
  'set-setting': async (ground, args, print) => {
    const { section = '', file = '', reason = '' } = options(args, ['section', 'file', 'reason'])
    const version = await setSetting(ground, { section, json: await textOf(file), reason })
    print(`${section} is at version ${version} now.`)
    return true
  },
  'import-clients': async (ground, args, print) => {
    const apply = args.includes('--apply')
    const [file = ''] = args.filter((arg) => arg !== '--apply')
    const report = await importClients(ground, await textOf(file), apply)
    for (const { line, why } of report.wrong) print(`Line ${line}: ${why}.`)
    print(`${report.ready} new, ${report.known} known already, ${report.wrong.length} wrong.`)
    if (apply)
      print(report.wrong.length > 0 ? 'Nothing was written.' : `${report.written} were written and invited by mail.`)
    else print('This was a trial: nothing was written. Add --apply to write.')
    return report.wrong.length === 0
  },
  verify: async (ground, _args, print) => {
    const verified = await verifyEvents(ground.jobs)
    const added = verified.whole ? await slippedIn(ground.jobs) : null
    if (verified.whole && added !== null) print(`✗ Audit log: event ${added} was added among those that are sealed.`)
    else if (verified.whole)
      print(`✓ Audit log: ${verified.sealed} events, each as it was sealed; ${verified.waiting} wait for their seal.`)
    else
      print(
        `✗ Audit log: event ${verified.number} (id ${verified.eventId}) is ${verified.wrong === 'missing' ? 'missing' : 'altered'}.`,
      )
    return (await printInvariants(ground, print)) && verified.whole && added === null
  },
  retry: async (ground, args, print) => {
    const [which = ''] = args
    const ids = which === 'all' || which === 'letters' ? await stuckIds(ground, which) : [which]
    if (which === '') throw new Refused('Say which: letters, all, or an id that doctor names.')
    if (ids.length === 0) print('Nothing is stuck.')
    let well = true
    for (const id of ids) well = (await retryOne(ground, id, print)) && well
    return well
  },
  keys: (ground, args, print) => keysCommand(ground, args, print),
  retention: async (ground, args, print) => {
    const dry = args.includes('--dry-run')
    const files = filesOf(ground)
    const act = { acting: { kind: 'clock' }, now: ground.now(), reference: 'operator' } as const
    const times = await ground.settings.get('retention')
    for (const [name, period] of Object.entries(times)) print(`${name}: ${period}`)
    const counts = await forgetExpired({ jobs: ground.jobs, files, log: console }, times, act, dry)
    const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    print(`${dry ? 'Would be forgotten now' : 'Forgotten'}: ${told.length > 0 ? told.join(', ') : 'nothing'}.`)
    return true
  },
  restored: async (ground, _args, print) => {
    const count = await askFirst(ground)
    print(`${count} operations are asked about before anything is sent. Start the servers now.`)
    return true
  },
  doctor: (ground, _args, print) => doctor(ground, print),
}

/** Runs a verb. Answers whether all is well; prints a sentence for what is refused. */
export async function operate(
  config: Config,
  argv: readonly string[],
  print: Print,
  now?: () => Date,
): Promise<boolean> {
  const [verb = '', ...args] = argv
  if (verb === 'variables') return printVariables(print)
  if (verb === 'migrate') return migrateDatabase(config, print)
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined
  if (!command) {
    print(usage)
    return verb === '' || verb === 'help'
  }
  let ground: Ground | null = null
  try {
    ground = await openGround(config, now)
    return await command(ground, args, print)
  } catch (error) {
    if (error instanceof Problem) print(sentence(error.code, 'en', error.facts.values))
    else if (error instanceof Refused || error instanceof TypeError) print(error.message)
    else throw error
    return false
  } finally {
    await ground?.close()
  }
}

/** Before the servers of a new version, which then need no more than their own role. */
async function migrateDatabase(config: Config, print: Print): Promise<boolean> {
  const ownerUrl = config.database?.ownerUrl ?? null
  if (ownerUrl === null) {
    print('Set DATABASE_OWNER_URL: migrations run under the role that owns the tables.')
    return false
  }
  await reachDatabase(ownerUrl, 'DATABASE_OWNER_URL')
  const applied = await migrate(ownerUrl)
  for (const name of applied) print(`${name}: applied.`)
  print(
    applied.length === 0
      ? 'Nothing to apply: the database is of this version.'
      : 'The database is of this version now.',
  )
  return true
}

function printVariables(print: Print): boolean {
  print('| variable | what for | may be | without it |')
  print('|---|---|---|---|')
  for (const [name, variable] of Object.entries(variables)) {
    const { meaning, allowed, fallback }: Variable = variable
    print(`| \`${name}\` | ${meaning} | ${allowed} | ${fallback ?? 'nothing'} |`)
  }
  return true
}

function options(args: string[], names: readonly string[]): Record<string, string | undefined> {
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    strict: true,
  })
  return values as Record<string, string | undefined>
}

const missingShownMax = 50

function filesOf({ config }: Pick<Ground, 'config'>): FileStore {
  return folderStore(join(config.dataDir, 'files'))
}

/** The product's own part of the doctor: invariants first, then each stuck thing. */
export async function doctor(ground: Pick<Ground, 'jobs' | 'now' | 'config'>, print: Print): Promise<boolean> {
  const whole = await printInvariants(ground, print)
  const missing = await missingFiles(ground.jobs, filesOf(ground))
  if (missing.length > 0)
    print(
      `✗ ${missing.length} files have a record and no bytes: restore them into ${join(ground.config.dataDir, 'files')}.`,
    )
  for (const id of missing.slice(0, missingShownMax)) print(`    ${id}`)
  const stuck = await stuckThings(ground.jobs, ground.now())
  for (const { what, cause, effect, next, action, sick } of stuck) {
    const row = `${what} | cause: ${cause} | effect on the client: ${effect} | next try: ${next} | do: ${action}`
    print(`${sick ? '!' : '-'} ${row}`)
  }
  if (stuck.length === 0) print('✓ Nothing is stuck.')
  return whole && missing.length === 0 && !stuck.some(({ sick }) => sick)
}

async function printInvariants(ground: Pick<Ground, 'jobs' | 'now'>, print: Print): Promise<boolean> {
  const broken = await brokenInvariants(ground.jobs, ground.now())
  for (const { name, rule } of invariants) {
    const mine = broken.filter((one) => one.invariant === name)
    print(`${mine.length === 0 ? '✓' : '✗'} ${name}: ${rule}`)
    for (const { record: recordId, what } of mine) print(`    ${recordId}: ${what}`)
  }
  return broken.length === 0
}

/** Of what waits for a person: the mails alone, or all operations and dead jobs. */
async function stuckIds(ground: Ground, which: 'letters' | 'all'): Promise<string[]> {
  const parked = sql`select id::text as id from operations where parked_at is not null and state in ('waiting', 'unknown')`
  const found = await rows<{ id: string }>(
    ground.jobs,
    which === 'letters'
      ? sql`${parked} and kind = 'mail' order by id`
      : sql`${parked} union all select id::text from graphile_worker._private_jobs where attempts >= max_attempts`,
  )
  return found.map(({ id }) => id)
}

async function retryOne(ground: Ground, id: string, print: Print): Promise<boolean> {
  try {
    await transaction(ground.jobs, async (tx) => {
      if (/^\d+$/.test(id)) {
        if (!(await retryQueueJob(tx, id))) throw new Problem('job-gone')
        await record(tx, actOf(ground), { kind: 'job', verb: 'retry', reason: 'operator', details: { id } })
        return
      }
      const { id: recordId, kind, ref, client_id: clientId } = await retryOperation(tx, ground.keys, id, ground.now())
      const details = { kind, ref }
      await record(tx, actOf(ground), {
        kind: 'operation',
        verb: 'retry',
        record: recordId,
        reason: 'operator',
        details,
        ...(clientId === null ? {} : { clientId }),
      })
    })
    print(`${id}: on its way again.`)
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    print(`${id}: ${sentence(error.code, 'en', error.facts.values)}`)
    return false
  }
}
