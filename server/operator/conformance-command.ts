/**
 * `npm run conformance`: compares a real server with our adapter's expectations, as a table without personal data (ADR
 * 206).
 */
import pg from 'pg'
import pino from 'pino'
import type { Platform, Dependencies } from '../dependencies.ts'
import { readConfig, type Config } from '../config/config.ts'
import type { Environment } from '../config/read-variable.ts'
import { connectionTo } from '../db/connection-config.ts'
import { assertDatabaseReachable } from '../db/database.ts'
import type { Connection } from '../db/sql.ts'
import {
  runChecks,
  type ConformanceCheck,
  type ConformanceFinding,
  ConformanceError,
} from '../integrations/conformance.ts'
import { connectIntegrations } from '../integrations/connect.ts'
import { mailConformance } from '../integrations/mail/conformance.ts'
import {
  changingChecks,
  openingChecks,
  settingsGroupsCheck,
  type SettingsGroup,
} from '../integrations/trading-platform/conformance.ts'
import { mt4Conformance } from '../integrations/trading-platform/mt4/conformance.ts'
import { mt5Conformance } from '../integrations/trading-platform/mt5/conformance.ts'
import { knownLoginText, knownLogins } from '../recovery/known-logins.ts'
import { readSetting } from '../settings/settings.ts'
import { helpOf, readArguments, type ParsedArguments, type Print } from './command-line.ts'
import { CommandError } from './context.ts'
import { missingRightsText } from './platform-rights.ts'
import type { PaymentProvider } from '../integrations/card-provider/payment-provider.ts'

const usage = {
  does: [
    'Compares a real server with what our adapter expects. Read-only unless --write or --create is given.',
    'The integration is mt5, mt4, card or mail. Secrets come from the same variables as the server’s.',
  ],
  words: ['integration', 'address'],
  options: {
    write: {
      value: '<login>',
      meaning:
        'also credits and debits 0.01, and changes and restores the leverage; must be a login that we do not have',
    },
    create: {
      value: '<group>',
      meaning: 'also opens an account in the group, makes the same changes on it and disables it',
    },
  },
}

const servers = {
  mt5: { name: 'MetaTrader 5', variable: 'MT5_URL', platform: 'MT5' },
  mt4: { name: 'MetaTrader 4 gateway', variable: 'MT4_URL', platform: 'MT4' },
  card: { name: 'Card provider', variable: 'CARD_URL', platform: null },
  mail: { name: 'Mail server', variable: 'SMTP_URL', platform: null },
} as const
type Kind = keyof typeof servers

interface ConformanceTarget {
  readonly kind: Kind
  readonly address: string
  /** Null for reading only. */
  readonly login: string | null
  readonly group: string | null
}

/** Returns whether there was no difference. Throws a sentence if nothing could be checked. */
export async function conformance(env: Environment, args: readonly string[], print: Print): Promise<boolean> {
  const given = await readArguments('conformance', usage, args, null)
  if (given === 'help') {
    print(helpOf('conformance', usage))
    return true
  }
  const asked = parseTarget(given)
  const config = readConfig({ ...env, [servers[asked.kind].variable]: addressOf(env, asked) })
  const findings = await withDatabase(config, (pool) => runConformance(config, asked, pool))
  printTable(asked, findings, print)
  return findings.every(({ outcome }) => outcome !== 'differed')
}

function parseTarget(given: ParsedArguments): ConformanceTarget {
  const [word, address] = [given.word(0), given.word(1)]
  if (word === 's3') throw new CommandError('The word s3 is reserved: no file store on S3 is supported yet.')
  const kind = (Object.keys(servers) as Kind[]).find((one) => one === word)
  if (kind === undefined)
    throw new CommandError(
      `Choose an integration: ${Object.keys(servers).join(', ')}.\n\n${helpOf('conformance', usage)}`,
    )
  if (address === '')
    throw new CommandError(`Enter the address of the ${servers[kind].name}, as in ${servers[kind].variable}.`)
  const asked = { kind, address, login: given.text('write') || null, group: given.text('create') || null }
  if (servers[kind].platform === null && (given.has('write') || given.has('create')))
    throw new CommandError('--write and --create are for mt5 and mt4. Nothing was done.')
  if (asked.login !== null && !/^[1-9]\d{0,17}$/.test(asked.login))
    throw new CommandError('--write needs a numeric login. Nothing was done.')
  return asked
}

/** Passwords are never part of a command line: those of the mail server are read from SMTP_URL. */
function addressOf(env: Environment, { kind, address }: ConformanceTarget): string {
  if (!URL.canParse(address)) throw new CommandError(`"${address}" is not an address. Example: https://host:port`)
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    throw new CommandError('The address has a user or password. Leave them out: they are read from the environment.')
  const kept = env['SMTP_URL'] ?? ''
  if (kind !== 'mail' || env['SMTP_AUTH'] === 'oauth2' || !URL.canParse(kept)) return address
  const { username, password } = new URL(kept)
  return Object.assign(url, { username, password }).href
}

/** Runs with a database connection, or with null if there is none: then no account is recognised as ours. */
async function withDatabase<Result>(config: Config, work: (pool: pg.Pool | null) => Promise<Result>): Promise<Result> {
  if (config.database === null) return work(null)
  await assertDatabaseReachable(config.database.url, 'DATABASE_URL')
  const pool = new pg.Pool({ ...connectionTo(config.database.url), max: 1, connectionTimeoutMillis: 5_000 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function runConformance(
  config: Config,
  asked: ConformanceTarget,
  connection: Connection | null,
): Promise<ConformanceFinding[]> {
  const integrations = connectIntegrations(config, pino({ level: 'silent' }))
  const { platforms, cards } = integrations.parts
  const { smtpUrl } = config.mail
  try {
    if (asked.kind === 'card' && cards !== null) return await runChecks([cardConformance(cards)])
    if (asked.kind === 'mail' && smtpUrl !== null)
      return await runChecks([mailConformance({ ...config.mail, url: smtpUrl })])
    const { platform } = servers[asked.kind]
    if (platform === null) throw new CommandError(`${servers[asked.kind].variable} is not valid.`)
    await assertNotOurLogin(connection, platform, asked.login)
    return await checkPlatform(config, asked, platforms, platform, connection)
  } finally {
    await integrations.close()
  }
}

/** Throws for an account of ours: its client would see the changes, and finance would have to explain them. */
async function assertNotOurLogin(
  connection: Connection | null,
  platform: Platform,
  login: string | null,
): Promise<void> {
  if (login === null) return
  if (connection === null)
    throw new CommandError(
      'No database was found, so our own logins could not be recognised. Set DATABASE_URL. Nothing was done.',
    )
  const how = await knownLoginText(connection, platform, login)
  if (how !== null)
    throw new CommandError(
      `Our database knows the login ${login}: ${how}. Nothing was done. Choose an account that the product did not open, or use --create <group>.`,
    )
}

async function checkPlatform(
  config: Config,
  { login, group }: ConformanceTarget,
  platforms: Dependencies['platforms'],
  platform: Platform,
  connection: Connection | null,
): Promise<ConformanceFinding[]> {
  const server = platforms[platform]
  const groups = connection && (await groupsOf(connection, platform))
  const known = async (logins: readonly string[]) =>
    connection === null ? new Set<string>() : knownLogins(connection, platform, logins)
  const changes: (readonly ConformanceCheck[])[] = [
    [settingsGroupsCheck(server, groups)],
    ...(login === null ? [] : [changingChecks(server, () => login)]),
  ]
  const rightsText = (missing: Parameters<typeof missingRightsText>[1]) => missingRightsText(platform, missing)
  if (platform === 'MT4' && config.mt4) {
    const { checks, opening, close } = mt4Conformance({ ...config.mt4, rightsText })
    const lists = [checks, ...changes, ...(group === null ? [] : [opening(group)])]
    return runChecks(lists).finally(close)
  }
  if (platform !== 'MT5' || !config.mt5) return []
  const names = (groups ?? []).map((one) => one.group)
  const { checks, ofNewAccount, close } = mt5Conformance({ ...config.mt5, rightsText, groups: names })
  const lists = [...checks, ...changes, ...(group === null ? [] : [openingChecks(server, group, known, ofNewAccount)])]
  return runChecks(lists).finally(close)
}

async function groupsOf(connection: Connection, platform: Platform): Promise<SettingsGroup[]> {
  const { value } = await readSetting(connection, 'platformGroups', new Date())
  return value.rows.filter((row) => row.platform === platform)
}

function printTable(
  { kind, address, login, group }: ConformanceTarget,
  findings: readonly ConformanceFinding[],
  print: Print,
) {
  const does = login === null && group === null ? 'read-only' : 'with changes that are reversed'
  print(`${servers[kind].name} at ${address}, ${does}`)
  print('')
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { name, outcome, detail } of findings)
    print(`${outcome.padEnd(10)}  ${name.padEnd(width)}  ${oneLine(detail)}`.trimEnd())
  const count = (outcome: ConformanceFinding['outcome']) => findings.filter((one) => one.outcome === outcome).length
  print('')
  print(`${count('matched')} matched, ${count('differed')} differed, ${count('not tested')} not tested.`)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 400)
}

const absentId = 'conformance-no-such-id'

function cardConformance(provider: Pick<PaymentProvider, 'getStatus'>): ConformanceCheck[] {
  // Only the provider's own error record, under our signature, means that there is none.
  const absent = async (paymentId: string | null) => {
    const { state } = await provider.getStatus(absentId, paymentId)
    if (state !== 'expired') throw new ConformanceError('a payment that cannot exist has a status')
  }
  return [
    { name: 'signed query for an unknown checkout', gate: 'run', run: () => absent(null) },
    { name: 'signed query for an unknown payment', run: () => absent(absentId) },
  ]
}
