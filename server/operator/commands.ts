/** The operator's commands: their arguments and output. */
import { isLanguage, languages } from '#rules/choices.ts'
import type { Config } from '../config/config.ts'
import { assertDatabaseReachable } from '../db/database.ts'
import { operatorReference } from '../db/events.ts'
import { migrate } from '../db/migrate.ts'
import { variables, type Variable } from '../config/environment.ts'
import { purgeExpired } from '../features/retention/purge-expired.ts'
import { Problem, problemText } from '../http/problem.ts'
import { recoveryOf } from '../recovery/stopped-money.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'
import { setRoles, setSetting } from './administrators.ts'
import {
  helpOf,
  readArguments,
  type ConfirmPrompt,
  type BareCommand,
  type Command,
  type Print,
} from './command-line.ts'
import { createAdministrator } from './create-administrator.ts'
import { CommandError, filesOf, openContext, textOf, type OperatorContext } from './context.ts'
import { doctor, verifyIntegrity } from './doctor-command.ts'
import { rotatedPurposes } from '../crypto/keys.ts'
import { importClients, importColumns } from './import-clients.ts'
import { keysCommand } from './keys-command.ts'
import { recoverCommand } from './recover-command.ts'
import { retryStalled } from './retry-command.ts'
import { markPlannedMove, markRestored } from './after-restore.ts'

const commands: Readonly<Record<string, Command>> = {
  'create-administrator': {
    does: ['Creates the first two administrators. Prints a one-time link and emails it.'],
    options: {
      email: { value: 'ada@example.com', isRequired: true },
      name: { value: '"Ada Lovelace"', isRequired: true },
      language: { value: languages.join('|') },
    },
    async run(context, given, print) {
      const language = given.text('language') || 'en'
      if (!isLanguage(language)) throw new CommandError(`Choose the language ${languages.join(' or ')}.`)
      const { link } = await createAdministrator(context, {
        email: given.text('email'),
        name: given.text('name'),
        language,
      })
      print('Open this link to choose a password and set up two-factor authentication. It works once:')
      print(link)
      return true
    },
  },
  'set-roles': {
    does: ['Sets the roles of a staff member while there are fewer than two active administrators.'],
    options: {
      email: { value: 'ada@example.com', isRequired: true },
      roles: { value: 'finance,operations', isRequired: true },
      reason: { value: '"..."', isRequired: true },
    },
    async run(context, given, print) {
      const [email, roles] = [given.text('email'), given.text('roles')]
      const reason = given.text('reason')
      await setRoles(context, { email, roles: roles.split(',').map((role) => role.trim()), reason })
      print(`${email} now has these roles: ${roles}.`)
      return true
    },
  },
  'set-setting': {
    does: ['Saves a setting while there are fewer than two active administrators.'],
    options: {
      section: { value: 'thresholds', isRequired: true },
      file: { value: 'value.json', isRequired: true },
      reason: { value: '"..."', isRequired: true },
    },
    async run(context, given, print) {
      const section = given.text('section')
      const json = await textOf(given.text('file'))
      const version = await setSetting(context, { section, json, reason: given.text('reason') })
      print(`${section}: version ${version} saved.`)
      return true
    },
  },
  'import-clients': {
    does: [
      'Checks the file. With --apply, imports all clients or none.',
      `Columns: ${importColumns.join(', ')} (* optional).`,
    ],
    words: ['clients.csv'],
    options: { apply: {} },
    async run(context, given, print) {
      const apply = given.has('apply')
      const report = await importClients(context, await textOf(given.word(0)), apply)
      for (const { line, why } of report.wrong) print(`Line ${line}: ${why}.`)
      print(`${report.ready} new, ${report.known} existing, ${report.wrong.length} invalid.`)
      if (apply)
        print(report.wrong.length > 0 ? 'Nothing was imported.' : `${report.written} imported and invited by email.`)
      else print('Dry run: nothing was imported. Add --apply to import.')
      return report.wrong.length === 0
    },
  },
  verify: {
    does: ['Verifies the audit log, the ledger and all other invariants.'],
    run: (context, _given, print) => verifyIntegrity(context, print),
  },
  retry: {
    does: ['Retries stalled emails, all stalled operations and failed jobs, or one of them.'],
    words: ['mails | all | id of an operation or job'],
    async run(context, given, print) {
      // Runbooks may still use the former word.
      const which = given.word(0) === 'letters' ? 'mails' : given.word(0)
      if (which === '') throw new CommandError('Enter mails, all, or an ID from operator doctor.')
      return retryStalled(context, which, print)
    },
  },
  keys: {
    does: [
      'status: lists the keys and the records that use them.',
      `rotate <${rotatedPurposes.join('|')}>: creates a new key beside the current one.`,
      'retire <key ID>: removes a replaced key.',
      'wrap <new master key file>: re-encrypts all keys under a new master key.',
    ],
    words: ['status | rotate | retire | wrap', 'which'],
    isForGood: (given) => ['rotate', 'retire', 'wrap'].includes(given.word(0)),
    run: (context, given, print) => keysCommand(context, [given.word(0) || 'status', given.word(1)], print),
  },
  retention: {
    does: ['Deletes expired data now, as the daily job does. With --dry-run, only counts it.'],
    options: { 'dry-run': {} },
    isForGood: (given) => !given.has('dry-run'),
    run: (context, given, print) => purge(context, given.has('dry-run'), print),
  },
  restored: {
    does: [
      'Opens recovery after a restore, before any server starts. No money moves until platforms, provider and bank',
      'have been reconciled. Ends all sessions, voids unused links and skips 100,000 client numbers.',
    ],
    isForGood: () => true,
    async run(context, _given, print) {
      const since = await markRestored(context)
      print(`Recovery is open. Platforms, provider and bank may have newer data since ${since.toISOString()}.`)
      print(`Start the servers now, then: npm run operator -- recover --since ${since.toISOString()}`)
      return true
    },
  },
  recover: {
    does: ['Run this beside the servers while recovery is open. Reads and adopts data from platforms and provider.'],
    options: {
      since: { value: '2026-11-21T18:30:00Z', meaning: 'time of the backup or earlier' },
      'mt4-logins': { value: 'logins.txt', meaning: 'MT4 accounts opened since, one login per line' },
    },
    run: (context, given, print) =>
      recoverCommand(context, { since: given.text('since'), mt4Logins: given.text('mt4-logins') }, print),
  },
  moving: {
    does: [
      'Run this before a planned dump, copy or upgrade, with all servers stopped. It marks the last commit.',
      'The first server on the new database then treats the move as a failover, not as data loss.',
    ],
    isForGood: () => true,
    async run(context, _given, print) {
      await markPlannedMove(context)
      print('Recorded. Copy the database now. Do not start a server on this database again.')
      return true
    },
  },
  doctor: {
    does: ['Lists stalled operations with cause, effect and action.'],
    run: (context, _given, print) => doctor(context, print),
  },
}

/** Commands that need no database. */
const contextFree: Readonly<Record<string, BareCommand>> = {
  backup: {
    does: [
      'Copies the database with its log by pg_basebackup, under DATABASE_OWNER_URL, then the files of DATA_DIR, into an',
      'empty folder. Servers continue.',
    ],
    words: ['empty folder'],
    bare: (config, print, given) => backUp(config, given.word(0), print),
  },
  restore: {
    does: [
      'Copies a backup into an empty folder for PostgreSQL and into DATA_DIR/files, which must be empty, and checks every',
      'file. No server starts on that database until operator restored has run.',
    ],
    words: ['folder of the backup', 'empty folder for the database'],
    bare: (config, print, given) => restore(config, given.word(0), given.word(1), print),
  },
  migrate: {
    does: ['Migrates the database to this version with DATABASE_OWNER_URL. Servers can then start without it.'],
    bare: migrateDatabase,
  },
  variables: {
    does: ['Prints the environment variables as a table.'],
    bare: (_config, print) => printVariables(print),
  },
}

/** All commands, in the order of the help. */
export const allCommands: Readonly<Record<string, Command | BareCommand>> = { ...commands, ...contextFree }

function usage(): string {
  const rows = Object.entries(allCommands).map(([name, command]) => helpOf(name, command))
  return ['Usage: npm run operator -- <command>. Add --help for help with a command.', '', ...rows].join('\n')
}

async function purge(context: OperatorContext, dry: boolean, print: Print): Promise<boolean> {
  if (!dry && (await recoveryOf(context.jobs)))
    throw new CommandError('Recovery is open. No data is deleted until recovery is complete.')
  const auditContext = { identity: { kind: 'clock' }, now: context.now(), reference: operatorReference } as const
  const times = await context.settings.get('retention')
  for (const [name, period] of Object.entries(times)) print(`${name}: ${period}`)
  const { counts, failed } = await purgeExpired(
    { jobs: context.jobs, files: filesOf(context), log: console },
    times,
    auditContext,
    dry,
  )
  const lines = Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
  print(`${dry ? 'Would be deleted' : 'Deleted'}: ${lines.length > 0 ? lines.join(', ') : 'nothing'}.`)
  if (failed.length > 0) print(`Failed: ${failed.join(', ')}. Correct the errors above, then repeat the command.`)
  return failed.length === 0
}

/** Runs a command. Returns whether it succeeded; prints a sentence for a rejection. */
export async function operate(
  config: Config,
  argv: readonly string[],
  print: Print,
  now?: () => Date,
  ask: ConfirmPrompt | null = null,
): Promise<boolean> {
  const [name = '', ...args] = argv
  const command = Object.hasOwn(allCommands, name) ? allCommands[name] : undefined
  if (!command) {
    const isHelp = ['', 'help', '--help', '-h'].includes(name)
    if (!isHelp) print(`"${name}" is not a command.\n`)
    print(usage())
    return isHelp
  }
  let context: OperatorContext | null = null
  try {
    const given = await readArguments(name, command, args, ask)
    if (given === 'help') {
      print(helpOf(name, command))
      return true
    }
    if ('bare' in command) return await command.bare(config, print, given)
    context = await openContext(config, now)
    return await command.run(context, given, print)
  } catch (error) {
    if (error instanceof Problem) print(problemText(error.code, 'en', error.facts.values))
    else if (error instanceof CommandError || error instanceof TypeError) print(error.message)
    else throw error
    return false
  } finally {
    await context?.close()
  }
}

/** Runs the migrations before the servers of a new version, which then need only their own role. */
async function migrateDatabase(config: Config, print: Print): Promise<boolean> {
  const ownerUrl = config.database?.ownerUrl ?? null
  if (ownerUrl === null) {
    print('Set DATABASE_OWNER_URL. Migrations run under the role that owns the tables.')
    return false
  }
  await assertDatabaseReachable(ownerUrl, 'DATABASE_OWNER_URL')
  const applied = await migrate(ownerUrl)
  for (const name of applied) print(`${name}: applied.`)
  print(
    applied.length === 0 ? 'No migrations to apply. The database is up to date.' : 'The database is now up to date.',
  )
  return true
}

async function printVariables(print: Print): Promise<boolean> {
  print('| Variable | Meaning | Allowed | Default |')
  print('|---|---|---|---|')
  for (const [name, variable] of Object.entries(variables)) {
    const { meaning, allowed, fallback }: Variable = variable
    print(`| \`${name}\` | ${meaning} | ${allowed} | ${fallback ?? 'none'} |`)
  }
  return true
}
