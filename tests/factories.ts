/**
 * Factories of API tests: a server on a separate database, clients and staff in the required state, and calls by
 * endpoint. People are inserted into the tables; the registration's own tests cover how they are created.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSync } from '@node-rs/argon2'
import type { Setting, SettingSection } from '#contract/setting-sections.ts'
import { referenceFrom } from '#rules/references.ts'
import type { ClientState } from '#rules/clients.ts'
import type { ClientStatus, Language } from '#rules/choices.ts'
import { pick, profileFieldNames, type ProfileValues } from '#rules/profile-fields.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { AccountId, ClientId, StaffId } from '#rules/ids.ts'
import { readConfig } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { profileInsert } from '#server/db/profile-columns.ts'
import { requireRow, run, transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken } from '#server/http/tokens.ts'
import { startServer, type RunningServer, type StartOptions } from '#server/main.ts'
import type { Dependencies } from '#server/dependencies.ts'
import { profileOf } from '#server/auth/profile-input.ts'
import { readSetting, writeSetting } from '#server/settings/settings.ts'
import { goodPassword } from './call.ts'
import { makeClock, type Clock } from './clock.ts'
import { testDatabase, type TestDatabase } from './database.ts'

export { call, goodPassword, type Reply } from './call.ts'

export interface TestServer extends RunningServer {
  readonly database: TestDatabase
  readonly clock: Clock
  readonly env: Environment
}

/** Where people and accounts are made: a test's own server, or a running product. */
export interface FactoryTarget {
  readonly dependencies: Pick<Dependencies, 'pool' | 'keys'>
  readonly clock: Pick<Clock, 'now'>
}

export interface TestServerOptions extends Pick<
  StartOptions,
  'answersMsMax' | 'firstRequestMsMax' | 'logTo' | 'pause' | 'workers'
> {
  /** Further environment variables, such as `{ MT5_URL, MT5_LOGIN, MT5_PASSWORD }` of a simulator. */
  readonly env?: Environment
  readonly now?: Date
  /** Makes a second server on the database, keys and clock of a first one. */
  readonly beside?: TestServer
  /** A database other than a new one of the tests' cluster. */
  readonly database?: TestDatabase
}

/** Starts a server for one test file on a separate database. Stop it in afterAll. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.beside?.database ?? options.database ?? (await testDatabase())
  const clock = options.beside?.clock ?? makeClock(options.now ?? new Date('2026-06-19T09:44:00Z'))
  const env = options.beside?.env ?? {
    NODE_ENV: 'test',
    DEMO: 'off',
    DATA_DIR: newDataDir(database),
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    LOG_LEVEL: 'silent',
    PORTAL_URL: 'http://localhost:3000',
    ...options.env,
  }
  const config = { ...readConfig(env), port: 0 }
  const removeData = () => {
    if (!options.beside) rmSync(config.dataDir, { recursive: true, force: true })
  }
  const server = await startServer(config, {
    now: clock.now,
    workers: options.workers ?? false,
    migrate: false,
    ...pick(options, ['answersMsMax', 'firstRequestMsMax', 'logTo', 'pause']),
  }).catch((error: unknown) => {
    removeData()
    throw error
  })
  return {
    ...server,
    database,
    clock,
    env,
    stop: (drainMs) => server.stop(drainMs).finally(removeData),
  }
}

function newDataDir({ masterKeyFile }: TestDatabase): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-data-'))
  if (masterKeyFile !== undefined) copyFileSync(masterKeyFile, join(dataDir, 'master.key'))
  return dataDir
}

/** Puts a section of the firm's settings in force. */
export async function applySetting<S extends SettingSection>(
  server: TestServer,
  section: S,
  value: Setting<S>,
): Promise<void> {
  const { pool, settings } = server.dependencies
  const now = server.clock.now()
  await transaction(pool, async (tx) => {
    const { version } = await readSetting(tx, section, now)
    await writeSetting(tx, section, { value, version: version + 1, by: null, reason: '', now })
  })
  settings.forget(section)
}

/** Gives the transfer rates a time, by default now: without one no transfer between currencies is requested. */
export async function applyRatesAsOf(server: TestServer, at = server.clock.now()): Promise<void> {
  const rates = await server.dependencies.settings.get('rates')
  await applySetting(server, 'rates', { ...rates, asOf: `${at.toISOString().slice(0, 16)}Z` })
}

/** The hash of `goodPassword` at the lowest cost, so that no test waits for one that withstands attacks. */
const goodPasswordHash = hashSync(goodPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** A session as its owner has it after a sign-in. */
interface SignedIn {
  readonly token: string
  readonly sessionId: string
}

export interface MadeClient extends SignedIn {
  readonly id: ClientId
  readonly email: string
}

export interface ClientTraits extends Readonly<Partial<ProfileValues>> {
  /** Default: approved. */
  readonly state?: ClientState
  readonly email?: string
  readonly clientStatus?: ClientStatus
  readonly language?: Language
  /** Default: depends on the state; approved clients have both. */
  readonly identityApproved?: boolean
  readonly addressApproved?: boolean
  /** Whether the Client Assets Declaration was accepted after approval. Default: yes for approved clients. */
  readonly declaration?: boolean
  readonly wantedAccount?: { baseCurrency: string; platform: string; accType: string; leverage: number } | null
}

/** The personal details of a made client, in the form of the profile. */
export const defaultClientDetails = {
  title: 'Mrs.',
  name: 'Hannah',
  surname: 'Brandt',
  birthDay: 12,
  birthMonth: 3,
  birthYear: 1984,
  mobilePhone: '+4930901820',
  addressNo: 'Torstraße 12',
  address: '',
  city: 'Berlin',
  postcode: '10119',
  county: '',
  country: 'DE',
  nationality: 'DE',
}

/** Makes a client with a session, in any state. */
export async function makeClient(server: FactoryTarget, traits: ClientTraits = {}): Promise<MadeClient> {
  const now = server.clock.now()
  const state = traits.state ?? 'approved'
  const past = state === 'approved' || state === 'suspended' || state === 'closed'
  const email = traits.email ?? `client-${randomUUID().slice(0, 8)}@example.com`
  const profile = profileInsert({ ...profileOf(defaultClientDetails), ...pick(traits, profileFieldNames) })
  const made = await requireRow<{ id: ClientId }>(server.dependencies.pool)`
    insert into clients (email, state, client_status, ${profile.columns}, language, password_hash,
        password_changed_at, step, sub_step, registered_at, declaration_version, identity_approved_at,
        address_approved_at, approved_at, wanted_account, created_at)
      values (${email}, ${state}, ${traits.clientStatus ?? 'retail'}, ${profile.values}, ${traits.language ?? 'en'}, ${goodPasswordHash},
        ${now},
        ${state === 'registering' ? 1 : 5}, 3, ${state === 'registering' ? null : now},
        ${(traits.declaration ?? past) ? 1 : null}, ${(traits.identityApproved ?? past) ? now : null},
        ${(traits.addressApproved ?? past) ? now : null}, ${past ? now : null},
        ${traits.wantedAccount ? JSON.stringify(traits.wantedAccount) : null}::text::jsonb, ${now})
      returning id`
  return { id: made.id, email, ...(await clientTokenFor(server, made)) }
}

/** Returns the token of a new session of a client, as after a sign-in. */
export function clientTokenFor(server: FactoryTarget, { id }: { id: ClientId }): Promise<SignedIn> {
  return openTestSession(server, id, { audience: 'portal', clientId: id, idleSeconds: 1800, lifeSeconds: 43_200 })
}

export interface MadeStaff extends SignedIn {
  readonly id: StaffId
  readonly name: string
  readonly email: string
}

/** Makes a signed-in staff member with these roles. */
export async function makeStaff(
  server: FactoryTarget,
  roles: readonly StaffRole[],
  traits: { email?: string; name?: string } = {},
): Promise<MadeStaff> {
  const now = server.clock.now()
  const email = traits.email ?? `${roles[0] ?? 'staff'}-${randomUUID().slice(0, 8)}@example.com`
  const name = traits.name ?? 'Maren Falk'
  const made = await requireRow<{ id: StaffId }>(server.dependencies.pool)`
    insert into staff (email, name, roles, state, password_hash, factor_confirmed_at, created_at)
      values (${email}, ${name}, ${[...roles]}::text[], 'active', ${goodPasswordHash}, ${now}, ${now}) returning id`
  return { id: made.id, name, email, ...(await staffTokenFor(server, made)) }
}

/** Returns the token of a new session of a staff member, as after a sign-in. */
export function staffTokenFor(server: FactoryTarget, { id }: { id: StaffId }): Promise<SignedIn> {
  return openTestSession(server, id, { audience: 'office', staffId: id, idleSeconds: 900, lifeSeconds: 28_800 })
}

type NewSession = Parameters<typeof beginSession>[1]

async function openTestSession(
  { dependencies: { pool, keys }, clock }: FactoryTarget,
  id: ClientId | StaffId,
  whose: Omit<NewSession, 'device' | 'address' | 'proved'>,
): Promise<SignedIn> {
  const now = clock.now()
  const session = { ...whose, device: 'test', address: '127.0.0.1', proved: true }
  const sessionId = await transaction(pool, (tx) => beginSession(tx, session, now))
  return { sessionId, token: await signToken(keys, whose.audience, sessionId, { id }, now) }
}

export interface AccountTraits {
  /** Default: live, approved, MT5, Standard, EUR, 30, with a number. */
  readonly requestType?: 'live' | 'demo'
  readonly state?: 'pending' | 'processing' | 'approved' | 'rejected'
  readonly platform?: 'MT4' | 'MT5'
  readonly currency?: 'EUR' | 'GBP' | 'USD'
  readonly leverage?: number
  readonly login?: string
  readonly clientStatus?: ClientStatus
  /** Minor units: stores platform balances just read with this balance. It posts nothing to the ledger. */
  readonly balanceMinor?: bigint
}

export interface MadeAccount {
  readonly id: AccountId
  readonly login: string
}

/** Returns the reference of a new request. */
export const newReference = () => referenceFrom('CR', randomBytes(5))

/** Each account of a test file has a unique number; the simulated platforms use another range. */
let lastLogin = 7_000_000

/**
 * Inserts a trading account row of a client. An account that exists on a platform is opened through the product's
 * endpoints.
 */
export async function makeAccount(
  server: FactoryTarget,
  client: { id: string },
  traits: AccountTraits = {},
): Promise<MadeAccount> {
  const now = server.clock.now()
  const state = traits.state ?? 'approved'
  const login = traits.login ?? String((lastLogin += 1))
  const made = await requireRow<{ id: AccountId }>(server.dependencies.pool)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, demo_balance_minor,
        reference, client_status, state, login, requested_at, opened_at)
      values (${client.id}, ${traits.requestType ?? 'live'}, ${traits.platform ?? 'MT5'}, 'Standard',
        ${traits.currency ?? 'EUR'}, ${traits.leverage ?? 30}, ${traits.requestType === 'demo' ? 500_000n : null},
        ${traits.requestType === 'demo' ? newReference() : null},
        ${traits.clientStatus ?? 'retail'}, ${state}, ${state === 'approved' ? login : null}, ${now},
        ${state === 'approved' ? now : null}) returning id`
  if (traits.balanceMinor !== undefined) {
    await run(server.dependencies.pool)`
      insert into platform_figures (account_id, balance_minor, credit_minor, equity_minor, margin_minor,
          free_margin_minor, profit_minor, open_positions, leverage, read_at)
        values (${made.id}, ${traits.balanceMinor}, 0, ${traits.balanceMinor}, 0, ${traits.balanceMinor}, 0, 0,
          ${traits.leverage ?? 30}, ${now})`
  }
  return { id: made.id, login }
}
