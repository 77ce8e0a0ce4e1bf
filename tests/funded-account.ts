/** A funded account on the simulated platform, reconciled with the ledger. */
import { randomUUID } from 'node:crypto'
import type { AccountId } from '#rules/ids.ts'
import { startSimulator, type RunningSimulator } from './start-simulator.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { post } from '#server/ledger/post.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { money, type Currency, type Money } from '#rules/money.ts'
import { madeBank } from './bank-details.ts'
import {
  makeAccount,
  startTestServer,
  type FactoryTarget,
  type TestServer,
  type TestServerOptions,
} from './factories.ts'
import { platformAccount } from './platform-account.ts'

export interface ServerWithPlatform {
  readonly server: TestServer
  readonly platform: RunningSimulator
  stop(): Promise<void>
}

export type Platform = 'MT4' | 'MT5'

/** Starts a server with its own simulator, whose switches the demo's page has if there is a demo. */
export async function startServerWithPlatform(
  options: TestServerOptions = {},
  kind: Platform = 'MT5',
  demo = false,
): Promise<ServerWithPlatform> {
  const platform = await startSimulator(kind === 'MT5' ? 'mt5' : 'mt4-gateway')
  const switches = demo && { DEMO: 'on', [`DEMO_${kind}_SWITCHES_URL`]: `http://127.0.0.1:${platform.switchPort}` }
  const env = { ...(kind === 'MT5' ? mt5Environment(platform) : mt4Environment(platform)), ...switches, ...options.env }
  const server = await startTestServer({ ...options, env }).catch(async (error: unknown) => {
    await platform.stop()
    throw error
  })
  return { server, platform, stop: () => server.stop().finally(() => platform.stop()) }
}

/** Returns the environment of a simulator. */
export function mt5Environment(platform: Pick<RunningSimulator, 'port'>): Record<string, string> {
  return { MT5_URL: `http://127.0.0.1:${platform.port}`, MT5_LOGIN: '1000', MT5_PASSWORD: 'Simulator-1' }
}

function mt4Environment({ port }: Pick<RunningSimulator, 'port'>): Record<string, string> {
  return { MT4_URL: `http://127.0.0.1:${port}`, MT4_KEY: 'portal', MT4_SECRET: 'simulator-gateway-secret' }
}

/** Opens an approved live account with `minor` on it, credited by an operation of ours. */
export async function makeFundedAccount(
  server: TestServer,
  client: { id: string; email: string },
  minor: bigint,
  currency: Currency = 'EUR',
  platform: Platform = 'MT5',
): Promise<{ id: AccountId; login: string }> {
  const ref = randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()
  const group = platform === 'MT5' ? `real\\standard-${currency}` : `real-std-${currency}`
  const { login } = await server.dependencies.platforms[platform].createAccount(
    platformAccount(ref, group, { email: client.email, country: 'DE' }),
  )
  const account = await makeAccount(server, client, { login, currency, platform })
  await run(server.dependencies.pool, sql`update trading_accounts set group_name = ${group} where id = ${account.id}`)
  if (minor > 0n)
    await creditAccount(server, { id: account.id, login, ref: `F${ref.slice(1)}`, platform }, money(minor, currency))
  await fetchSnapshot(
    server.dependencies.pool,
    server.dependencies,
    { accountId: account.id, platform, login, currency },
    server.clock.now(),
  )
  return account
}

/** Disables an account on MetaTrader 5, and reads that it is. */
export async function disableAtPlatform(
  { dependencies, clock }: TestServer,
  { id, login, currency = 'EUR' }: { id: AccountId; login: string; currency?: Currency },
): Promise<void> {
  await dependencies.platforms.MT5.setEnabled(login, false)
  const account = { accountId: id, platform: 'MT5', login, currency } as const
  await fetchSnapshot(dependencies.pool, dependencies, account, clock.now())
}

/** Credits an account, as an operation that is done and posted. */
export async function creditAccount(
  server: TestServer,
  { id, login, ref, platform = 'MT5' }: { id: string; login: string; ref: string; platform?: Platform },
  amount: Money,
): Promise<void> {
  const at = server.clock.now()
  const { ticket } = await server.dependencies.platforms[platform].applyBalance({
    ref,
    login,
    amount,
    checkMargin: false,
  })
  const payload = { platform, login, accountId: id, minor: String(amount.minor), currency: amount.currency }
  const own = { currency: amount.currency, tradingAccount: id }
  await transaction(server.dependencies.pool, async (tx) => {
    await run(
      tx,
      sql`insert into operations (kind, ref, target, payload, state, result, created_at, sent_at, settled_at)
          values ('balance', ${ref}, ${`${platform}:${login}`}, ${JSON.stringify(payload)}::text::jsonb, 'done',
            ${JSON.stringify({ done: { ticket } })}::text::jsonb, ${at}, ${at}, ${at})`,
    )
    await post(tx, at, { ref, kind: 'trading-result', subject: 'trading-account', record: id }, [
      { account: { kind: 'trading_result', ...own }, minor: amount.minor },
      { account: { kind: 'client', ...own }, minor: -amount.minor },
    ])
  })
}

/** Makes approved bank details of a client, in a currency. */
export async function makeApprovedBank(
  server: FactoryTarget,
  client: { id: string },
  currency: Currency = 'EUR',
  iban = madeBank.bankIBAN,
): Promise<string> {
  const id = randomUUID()
  await run(
    server.dependencies.pool,
    sql`insert into bank_details (id, client_id, bank_name, bank_address, bank_country, currency, iban, swift, state,
          added_at, decided_at)
        values (${id}, ${client.id}, ${madeBank.bankName}, ${madeBank.bankAddress}, ${madeBank.bankCountry}, ${currency},
          ${iban}, ${madeBank.bankSwift}, 'approved', ${server.clock.now()}, ${server.clock.now()})`,
  )
  return id
}

/**
 * Returns a client's body for a withdrawal from an account to bank details; tests of rejections send amounts other than
 * texts.
 */
export function withdrawalBody<Amount>(account: { login: string }, bankId: string, withdrawalAmount: Amount) {
  return {
    accountPlatform: 'MT5',
    accountNumber: account.login,
    paymentGatewayService: 'bank',
    withdrawalType: 'wire',
    withdrawalPaymentName: 'Bank Transfer',
    withdrawalCurrency: 'EUR',
    withdrawalAmount,
    bankId,
  } as const
}

/** Returns a client's body for a bank transfer to an account. */
export function wireBody<Amount>(
  account: { login: string },
  depositAmountSent: Amount,
  depositCurrency: Currency = 'EUR',
) {
  return {
    accountPlatform: 'MT5',
    accountNumber: account.login,
    depositCurrency,
    depositAmountSent,
    paymentGatewayService: 'bank',
    depositType: 'wire',
  } as const
}

/** Returns a client's body for a card payment to an account. */
export function cardBody<Amount>(
  account: { login: string },
  depositAmountSent: Amount,
  depositCurrency: Currency = 'EUR',
) {
  return {
    accountPlatform: 'MT5',
    accountNumber: account.login,
    depositCurrency,
    depositAmountSent,
    paymentGatewayService: 'gcen',
    depositType: 'cc_gcen',
    method: 'cc_gcen',
    ccType: 114,
  } as const
}

/** Returns a client's body for a transfer between two accounts. */
export function transferBody<Amount>(
  source: { login: string },
  destination: { login: string },
  transferAmount: Amount,
  transferCurrency: Currency = 'EUR',
) {
  return {
    sourceAccountPlatform: 'MT5',
    sourceAccount: source.login,
    destinationAccountPlatform: 'MT5',
    destinationAccount: destination.login,
    transferCurrency,
    transferAmount,
  } as const
}

/**
 * Makes the stored balances of an account differ from the ledger, while an operation that is pending for a person makes
 * new readings invalid. Returns a function that ends this.
 */
export async function makeBalancesDisagree(server: TestServer, account: { id: string; login: string }, minor: number) {
  const { pool } = server.dependencies
  const [id, now] = [randomUUID(), server.clock.now()]
  const move = (by: number) =>
    run(pool, sql`update platform_figures set balance_minor = balance_minor + ${by} where account_id = ${account.id}`)
  await run(
    pool,
    sql`insert into operations (id, kind, ref, target, payload, state, parked_at, next_try_at, created_at)
        values (${id}, 'balance', ${id}, ${`MT5:${account.login}`}, '{}', 'unknown', ${now}, ${now}, ${now})`,
  )
  await move(minor)
  return async () => {
    await move(-minor)
    await run(pool, sql`delete from operations where id = ${id}`)
  }
}

/** Processes every operation until none is due, like workers in production. */
export async function settleOperations(server: TestServer): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    if ((await server.driver.sweep()) === 0) return
  }
}
