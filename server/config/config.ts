/**
 * The configuration of the deployment: all environment variables in one place, validated at start (requirements 21.4).
 * The firm's own choices are in the settings instead. A bad value is rejected with one sentence that names it.
 */
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { readCertificates, readCa, type CaOption } from './ca-files.ts'
import { readCard, type CardConfig } from './card-provider.ts'
import { logLevels, roles, smtpSignIns, variables, type Variable } from './environment.ts'
import { BadConfig, isSet, requiredValue, optionalValue, type Environment } from './read-variable.ts'
import { wholeNumber, text, onOrOff, address, origin, integrationUrl, hostAndPort, proxies } from './schemas.ts'

/**
 * Longer than the examples in deploy/ take to stop using a server that reports that it is not ready; a test compares
 * them.
 */
const drainSecondsInProduction = 8

export interface Config {
  readonly production: boolean
  readonly demo: boolean
  readonly port: number
  readonly host: string
  /** How long a stopping server continues to respond, in ms. */
  readonly drainMs: number
  /** Null for no metrics. */
  readonly metrics: { readonly port: number; readonly host: string } | null
  readonly portalUrl: string
  readonly officeUrl: string
  /** Fastify's trustProxy: false, a number of hops, or addresses. */
  readonly trustProxy: false | number | string[]
  /** Null for the embedded database, whose addresses `npm start` fills in. */
  readonly database: { readonly url: string; readonly ownerUrl: string | null; readonly connections: number } | null
  /** An absolute path. */
  readonly dataDir: string
  readonly masterKeyFile: string
  /** True if a master key may be created for an empty database. */
  readonly mayMakeMasterKey: boolean
  readonly mail: CaOption & {
    readonly smtpUrl: string | null
    readonly from: string
    /** Null for the sender's address. */
    readonly returnPath: string | null
    /** Null for user and password of `smtpUrl`. */
    readonly oauth: {
      readonly tokenUrl: string
      readonly clientId: string
      readonly clientSecret: string
      readonly scope: string | null
      readonly user: string
    } | null
  }
  readonly mt5: (CaOption & { readonly url: string; readonly login: string; readonly password: string }) | null
  readonly mt4: (CaOption & { readonly url: string; readonly key: string; readonly secret: string }) | null
  readonly card: CardConfig | null
  readonly clamd: { readonly host: string; readonly port: number } | null
  readonly breachedPasswordsFile: string | null
  readonly ipLocationFile: string | null
  readonly logLevel: (typeof logLevels)[number]
  readonly role: (typeof roles)[number]
  /** The number of concurrent jobs. */
  readonly workers: number
  /** The parts of the demo that /demo controls, if they run. */
  readonly demoPieces: {
    readonly mailboxUrl: string | null
    readonly mt5SwitchesUrl: string | null
    readonly mt4SwitchesUrl: string | null
    readonly cardSwitchesUrl: string | null
  }
}

/** Reads and checks the whole environment. Throws BadConfig with one sentence that names the variable. */
export function readConfig(env: Environment): Config {
  const mode = optionalValue(env, 'NODE_ENV', z.enum(['production', 'development', 'test'])) ?? 'development'
  const production = mode === 'production'
  if (production) validateRequired(env)
  const demo = optionalValue(env, 'DEMO', onOrOff) ?? (!production && !isSet(env, 'DATABASE_URL'))
  if (production && demo)
    throw new BadConfig('DEMO is on, but NODE_ENV is production. The demo is not available in production.')
  const port = optionalValue(env, 'PORT', wholeNumber(1, 65_535)) ?? 3000
  const dataDir = resolve(optionalValue(env, 'DATA_DIR', text) ?? './.data')
  const portalUrl = optionalValue(env, 'PORTAL_URL', origin) ?? `http://localhost:${port}`
  const masterKeyFile = optionalValue(env, 'MASTER_KEY_FILE', text)
  const config: Config = {
    production,
    demo,
    port,
    host: optionalValue(env, 'HOST', text) ?? '127.0.0.1',
    drainMs:
      (optionalValue(env, 'DRAIN_SECONDS', wholeNumber(0, 60)) ?? (production ? drainSecondsInProduction : 0)) * 1000,
    metrics: readMetrics(env),
    portalUrl,
    officeUrl: optionalValue(env, 'OFFICE_URL', origin) ?? portalUrl,
    trustProxy: optionalValue(env, 'TRUST_PROXY', proxies) || false,
    database: readDatabase(env),
    dataDir,
    masterKeyFile: resolve(masterKeyFile ?? resolve(dataDir, 'master.key')),
    mayMakeMasterKey: !production && masterKeyFile === null,
    mail: readMail(env),
    mt5: readMt5(env),
    mt4: readMt4(env),
    card: readCard(env),
    clamd: optionalValue(env, 'CLAMD_ADDRESS', hostAndPort),
    breachedPasswordsFile: optionalValue(env, 'BREACHED_PASSWORDS_FILE', text),
    ipLocationFile: optionalValue(env, 'IP_LOCATION_FILE', text),
    logLevel: optionalValue(env, 'LOG_LEVEL', z.enum(logLevels)) ?? 'info',
    role: optionalValue(env, 'ROLE', z.enum(roles)) ?? 'all',
    workers: optionalValue(env, 'WORKERS', wholeNumber(1, 50)) ?? 4,
    demoPieces: {
      mailboxUrl: optionalValue(env, 'DEMO_MAILBOX_URL', integrationUrl),
      mt5SwitchesUrl: optionalValue(env, 'DEMO_MT5_SWITCHES_URL', integrationUrl),
      mt4SwitchesUrl: optionalValue(env, 'DEMO_MT4_SWITCHES_URL', integrationUrl),
      cardSwitchesUrl: optionalValue(env, 'DEMO_CARD_SWITCHES_URL', integrationUrl),
    },
  }
  validateExclusive(config)
  return config
}

function readMetrics(env: Environment): Config['metrics'] {
  const port = optionalValue(env, 'METRICS_PORT', wholeNumber(1, 65_535))
  return port === null ? null : { port, host: optionalValue(env, 'METRICS_HOST', text) ?? '127.0.0.1' }
}

function readDatabase(env: Environment): Config['database'] {
  const url = optionalValue(env, 'DATABASE_URL', address('postgres:', 'postgresql:'))
  const ownerUrl = optionalValue(env, 'DATABASE_OWNER_URL', address('postgres:', 'postgresql:'))
  const connections = optionalValue(env, 'DATABASE_CONNECTIONS', wholeNumber(2, 200)) ?? 16
  if (url === null && ownerUrl !== null)
    throw new BadConfig('DATABASE_OWNER_URL is set without DATABASE_URL. Set DATABASE_URL too.')
  for (const [name, given] of [
    ['DATABASE_URL', url],
    ['DATABASE_OWNER_URL', ownerUrl],
  ] as const) {
    const file = given !== null && new URL(given).searchParams.get('sslrootcert')
    if (file) readCertificates(file, `sslrootcert in ${name}`)
  }
  return url === null ? null : { url, ownerUrl, connections }
}

/** Microsoft 365 lets a mailbox send only under its own address. */
const microsoftHosts = ['smtp.office365.com', 'outlook.office365.com']

function readMail(env: Environment): Config['mail'] {
  const smtpUrl = optionalValue(env, 'SMTP_URL', address('smtp:', 'smtps:'))
  const from = optionalValue(env, 'MAIL_FROM', z.email()) ?? variables.MAIL_FROM.fallback
  const returnPath = optionalValue(env, 'SMTP_RETURN_PATH', z.email())
  const ca = readCa(env, 'SMTP_CA_FILE')
  if (optionalValue(env, 'SMTP_AUTH', z.enum(smtpSignIns)) !== 'oauth2') {
    if (isSet(env, 'SMTP_OAUTH_TOKEN_URL'))
      throw new BadConfig('SMTP_OAUTH_TOKEN_URL is set without SMTP_AUTH=oauth2. Set both, or neither.')
    return { smtpUrl, from, returnPath, oauth: null, ...ca }
  }
  const url = new URL(requiredValue(env, 'SMTP_URL', address('smtp:', 'smtps:'), 'SMTP_AUTH'))
  if (url.username !== '')
    throw new BadConfig('SMTP_URL has a user, and SMTP_AUTH is oauth2. Name the mailbox in SMTP_OAUTH_USER instead.')
  const oauth = {
    tokenUrl: requiredValue(env, 'SMTP_OAUTH_TOKEN_URL', integrationUrl, 'SMTP_AUTH'),
    clientId: requiredValue(env, 'SMTP_OAUTH_CLIENT_ID', text, 'SMTP_AUTH'),
    clientSecret: requiredValue(env, 'SMTP_OAUTH_CLIENT_SECRET', text, 'SMTP_AUTH'),
    scope: optionalValue(env, 'SMTP_OAUTH_SCOPE', text),
    user: optionalValue(env, 'SMTP_OAUTH_USER', z.email()) ?? from,
  }
  const foreign = returnPath !== null && returnPath.toLowerCase() !== oauth.user.toLowerCase()
  if (foreign && microsoftHosts.includes(url.hostname))
    throw new BadConfig(
      `SMTP_RETURN_PATH is ${returnPath}. Microsoft 365 accepts no other address than the mailbox, ${oauth.user}: leave it out.`,
    )
  return { smtpUrl, from, returnPath, oauth, ...ca }
}

function readMt5(env: Environment): Config['mt5'] {
  const url = optionalValue(env, 'MT5_URL', integrationUrl)
  if (url === null) return null
  const login = requiredValue(env, 'MT5_LOGIN', z.string().check(z.regex(/^\d{1,20}$/)), 'MT5_URL')
  return { url, login, password: requiredValue(env, 'MT5_PASSWORD', text, 'MT5_URL'), ...readCa(env, 'MT5_CA_FILE') }
}

function readMt4(env: Environment): Config['mt4'] {
  const url = optionalValue(env, 'MT4_URL', integrationUrl)
  if (url === null) return null
  const key = requiredValue(env, 'MT4_KEY', text, 'MT4_URL')
  return { url, key, secret: requiredValue(env, 'MT4_SECRET', text, 'MT4_URL'), ...readCa(env, 'MT4_CA_FILE') }
}

/** Validates the variables together: production must not use anything meant only for trials. */
function validateExclusive(config: Config): void {
  if (!config.production) return
  const onThisMachine = [
    ['PORTAL_URL', config.portalUrl],
    ['OFFICE_URL', config.officeUrl],
    ['MT5_URL', config.mt5?.url],
    ['MT4_URL', config.mt4?.url],
    ['CARD_URL', config.card?.url],
    ['SMTP_OAUTH_TOKEN_URL', config.mail.oauth?.tokenUrl],
  ] as const
  for (const [name, url] of onThisMachine) {
    if (url !== undefined && new URL(url).protocol !== 'https:')
      throw new BadConfig(`${name} is ${url}. In production it must be an https address.`)
  }
  if (config.portalUrl === config.officeUrl)
    throw new BadConfig('OFFICE_URL is the same as PORTAL_URL. In production the back office needs its own origin.')
  if (config.mt5 === null && config.mt4 === null)
    throw new BadConfig('MT5_URL and MT4_URL are missing. In production at least one platform is required.')
  const piece = Object.values(config.demoPieces).find((url) => url !== null)
  if (piece !== undefined) throw new BadConfig('A DEMO_… variable is set. The demo is not available in production.')
}

function validateRequired(env: Environment): void {
  for (const [name, row] of Object.entries<Variable>(variables)) {
    if (row.production === 'required' && !isSet(env, name))
      throw new BadConfig(`${name} is missing. It is required in production: ${row.allowed}.`)
  }
}
