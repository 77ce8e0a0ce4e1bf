/**
 * Clients who deposit, withdraw and open accounts, and staff who decide, all on a server that may be unavailable or
 * without its integrations: each retries until there is a response, and records what was acknowledged.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { requestAnAccount } from '#contract/accounts.ts'
import { checkCreditCardPayment, requestCreditCardPayment, requestWirePayment } from '#contract/deposits.ts'
import { approveAccount, getAccountRequest } from '#contract/office/account-requests.ts'
import { getBankLine, importStatement, matchLine } from '#contract/office/bank-lines.ts'
import { approveWithdrawal, confirmWithdrawal, getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { retryJob } from '#contract/office/records.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { minorOf } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { allAcknowledged } from '../acknowledged.ts'
import { makeApprovedBank, cardBody, makeFundedAccount, wireBody, withdrawalBody } from '../funded-account.ts'
import { makeClient, makeStaff, applySetting, type MadeClient, type MadeStaff, type TestServer } from '../factories.ts'
import { pauseBriefly } from '../until.ts'
import { callUntilAnswered, retryUntilSuccess, type RetryingCaller, type FailedResponse } from './retried-calls.ts'

export interface Actor {
  readonly client: MadeClient
  readonly account: { id: AccountId; login: string }
  readonly bankId: string
}

/** The promise of a 2xx: the record must be in this or a later state (requirements 34.5). */
export interface Acknowledged {
  readonly table: 'deposits' | 'withdrawals' | 'trading_accounts'
  readonly id: string
  /** Null for records without an amount. */
  readonly minor: bigint | null
}

export interface MoneyLoad {
  readonly actors: readonly Actor[]
  readonly operations: MadeStaff
  readonly noted: Acknowledged[]
  readonly refusals: FailedResponse[]
  /** Returns how many changes were accepted so far. */
  accepted(): number
  depositByWire(actor: Actor): Promise<void>
  withdraw(actor: Actor): Promise<void>
  openAccount(actor: Actor): Promise<void>
  /** `pay` is the client's action on the provider's page. */
  depositByCard(actor: Actor, pay: (providerId: string) => Promise<unknown>): Promise<void>
}

interface LoadContext extends Pick<RetryingCaller, 'server' | 'patienceMs'> {
  /** Reads the database and makes people; the calls of the load go to `server`. */
  readonly observer: TestServer
  readonly clients: number
}

const balanceMinor = 500_000n
/** The interval of the return page; faster queries are rejected. */
const returnPagePollMs = 1_500

/** Makes the people, each client with money on an account. */
export async function startMoneyLoad(context: LoadContext): Promise<MoneyLoad> {
  const { observer } = context
  // The limit on a client's money requests is not tested here.
  const limits = await observer.dependencies.settings.get('rateLimits')
  await applySetting(observer, 'rateLimits', { ...limits, moneyRequestsPerMinute: 10_000 })
  const actors: Actor[] = []
  for (let n = 0; n < context.clients; n += 1) {
    const client = await makeClient(observer)
    const account = await makeFundedAccount(observer, client, balanceMinor)
    actors.push({ client, account, bankId: await makeApprovedBank(observer, client) })
  }
  const operations = await makeStaff(observer, ['operations'])
  const finance = await makeStaff(observer, ['finance'])
  const load: LoadState = { ...context, operations, finance, noted: [], refusals: [], accepted: 0 }
  return {
    actors,
    operations,
    noted: load.noted,
    refusals: load.refusals,
    accepted: () => load.accepted,
    depositByWire: (actor) => depositByWire(load, actor),
    withdraw: (actor) => withdraw(load, actor),
    openAccount: (actor) => openAccount(load, actor),
    depositByCard: (actor, pay) => depositByCard(load, actor, pay),
  }
}

interface LoadState extends LoadContext, RetryingCaller {
  readonly operations: MadeStaff
  readonly finance: MadeStaff
  readonly noted: Acknowledged[]
}

const randomAmount = (least: number, most: number) =>
  `${randomInt(least, most)}.${String(randomInt(0, 100)).padStart(2, '0')}`

async function depositByWire(load: LoadState, { client, account }: Actor): Promise<void> {
  const { observer, operations } = load
  const amount = randomAmount(10, 200)
  const body = wireBody(account, amount)
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await callUntilAnswered(load, requestWirePayment, { as: client, body, headers })
  const { id, bankDetails } = asked.answer
  load.noted.push({ table: 'deposits', id, minor: minorOf(amount) })
  const again = await callUntilAnswered(load, requestWirePayment, { as: client, body, headers })
  expect(again.json, 'the same key returns the same response (requirements 34.14)').toEqual(asked.json)
  const day = new Date().toISOString().slice(0, 10)
  const csv = `id,date,amount,currency,payer,remittance\n${randomUUID()},${day},${amount},EUR,Hannah Brandt,${bankDetails.BankReference}\n`
  const statement = { bankAccount: bankDetails.IBAN, filename: 'statement.csv', csv }
  await callUntilAnswered(load, importStatement, { as: operations, body: statement })
  const line = await retryUntilSuccess(load, () =>
    row<{ id: string }>(
      observer.dependencies.pool,
      sql`select id from bank_lines where remittance = ${bankDetails.BankReference}`,
    ),
  )
  if (!line) throw new Error('an acknowledged line is lost')
  const shown = await callUntilAnswered(load, getBankLine, { as: operations, params: { id: line.id } })
  if (shown.answer.line.state !== 'unmatched') return
  await callUntilAnswered(load, matchLine, {
    as: operations,
    params: { id: line.id },
    body: { version: shown.answer.line.version, depositId: id },
  })
}

async function withdraw(load: LoadState, { client, account, bankId }: Actor): Promise<void> {
  const amount = randomAmount(5, 90)
  const body = withdrawalBody(account, bankId, amount)
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await callUntilAnswered(load, requestWithdrawal, { as: client, body, headers })
  if (asked.status !== 201) return
  const { id } = asked.answer
  load.noted.push({ table: 'withdrawals', id, minor: minorOf(amount) })
  await decideWithRetries(load, id, 'pending', approveWithdrawal, load.operations)
  await decideWithRetries(load, id, 'second_approval', confirmWithdrawal, load.finance)
}

/**
 * Decides with the current version while the state is `from`; a rejected decision is read and tried again, as a clerk
 * would.
 */
async function decideWithRetries(
  load: LoadState,
  id: string,
  from: 'pending' | 'second_approval',
  endpoint: typeof approveWithdrawal | typeof confirmWithdrawal,
  as: MadeStaff,
): Promise<void> {
  const until = Date.now() + load.patienceMs
  let last = ''
  while (Date.now() < until) {
    const shown = await callUntilAnswered(load, getOfficeWithdrawal, { as: load.operations, params: { id } })
    const { state, version } = shown.answer.withdrawal
    if (state !== from) return
    // During a movement, balances answer 503 or 409; the next read shows the result.
    const body = { version, ...allAcknowledged }
    const reply = await callUntilAnswered(load, endpoint, { as, params: { id }, body }, () => true)
    last = `${reply.status} ${reply.bytes.toString()}`
    if (reply.status !== 200) await retryParkedOperations(load)
    await pauseBriefly(50)
  }
  throw new Error(`${endpoint.name} was never accepted: ${last}`)
}

/**
 * A kill between lease and send leaves an operation with an unknown outcome; until a person sends it again no balance
 * of its account is valid, and no further request on it is approved.
 */
async function retryParkedOperations(load: LoadState): Promise<void> {
  const parked = await retryUntilSuccess(load, () =>
    rows<{ id: string }>(
      load.observer.dependencies.pool,
      sql`select id from operations where state = 'unknown' and parked_at is not null`,
    ),
  )
  for (const { id } of parked) {
    const params = { source: 'operation', id } as const
    await callUntilAnswered(
      load,
      retryJob,
      { as: load.operations, params, body: { reason: 'It never arrived.' } },
      () => true,
    )
  }
}

async function openAccount(load: LoadState, { client }: Actor): Promise<void> {
  const body = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 } as const
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await callUntilAnswered(load, requestAnAccount, { as: client, body, headers })
  const { id } = asked.answer
  load.noted.push({ table: 'trading_accounts', id, minor: null })
  const shown = await callUntilAnswered(load, getAccountRequest, { as: load.operations, params: { id } })
  const { version } = shown.answer.request
  await callUntilAnswered(load, approveAccount, { as: load.operations, params: { id }, body: { version } })
}

async function depositByCard(
  load: LoadState,
  { client, account }: Actor,
  pay: (providerId: string) => Promise<unknown>,
): Promise<void> {
  const amount = randomAmount(10, 100)
  const body = cardBody(account, amount)
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await callUntilAnswered(load, requestCreditCardPayment, { as: client, body, headers })
  const { id, REF } = asked.answer
  load.noted.push({ table: 'deposits', id, minor: minorOf(amount) })
  const kept = await retryUntilSuccess(load, () =>
    row<{ provider_id: string }>(
      load.observer.dependencies.pool,
      sql`select provider_id from deposits where id = ${id}`,
    ),
  )
  await retryUntilSuccess(load, () => pay(kept?.provider_id ?? ''))
  await callUntilAnswered(
    load,
    checkCreditCardPayment,
    { as: client, body: { REF } },
    (reply) => reply.status === 200 && reply.answer.status === 'paid',
    returnPagePollMs,
  )
}
