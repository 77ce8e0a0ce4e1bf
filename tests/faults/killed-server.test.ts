/**
 * K1, K13: the server is killed at random moments while clients deposit and withdraw and staff decide. What was
 * acknowledged is there afterwards, nothing is applied twice, ledger and platform are equal to the cent.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestWirePayment } from '#contract/deposits.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getBankLine, importStatement, matchLine } from '#contract/office/deposits.ts'
import { retryJob } from '#contract/office/records.ts'
import { approveWithdrawal, confirmWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { minorOf } from '#rules/money.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { transaction } from '#server/db/transaction.ts'
import { brokenInvariants } from '#server/invariants.ts'
import { readFigures } from '#server/ledger/figures.ts'
import { owedTo } from '#server/ledger/post.ts'
import { readSetting, writeSetting } from '#server/settings.ts'
import { startSimulator, type RunningSimulator } from '#server/outside/start-simulator.ts'
import {
  call,
  makeClient,
  makeStaff,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../make.ts'
import { approvedBank, fundedAccount, mt5Environment } from '../funded-account.ts'
import { startKillableServer, type KillableServer } from './killable-server.ts'

const kills = Number(process.env['KILLS'] ?? 20)
const clientCount = 5

let platform: RunningSimulator
let mailbox: RunningSimulator
/** Looks at the database and makes people; the calls of the test go to the server that is killed. */
let observer: TestServer
let server: KillableServer

interface Actor {
  readonly client: MadeClient
  readonly account: { id: string; login: string }
  readonly bankId: string
}
let actors: Actor[]
let operations: MadeStaff
let finance: MadeStaff

beforeAll(async () => {
  platform = await startSimulator('mt5')
  mailbox = await startSimulator('mailbox')
  const env = { ...mt5Environment(platform), SMTP_URL: `smtp://127.0.0.1:${mailbox.port}` }
  observer = await startTestServer({ env, now: new Date() })
  await allowMoreRequests()
  actors = []
  for (let n = 0; n < clientCount; n += 1) {
    const client = await makeClient(observer)
    const account = await fundedAccount(observer, client, 500_000n)
    actors.push({ client, account, bankId: await approvedBank(observer, client) })
  }
  operations = await makeStaff(observer, ['operations'])
  finance = await makeStaff(observer, ['finance'])
  server = await startKillableServer({ ...observer.env, NODE_ENV: 'test' })
})

afterAll(async () => {
  await server.stop()
  await observer.stop()
  await mailbox.stop()
  await platform.stop()
})

/** The limit on a client's money requests is not what is looked at here. */
async function allowMoreRequests(): Promise<void> {
  const { value, version } = await readSetting(observer.parts.pool, 'rateLimits', new Date())
  const more = { ...value, moneyRequestsPerMinute: 10_000 }
  await transaction(observer.parts.pool, (tx) =>
    writeSetting(tx, 'rateLimits', { value: more, version: version + 1, by: null, reason: 'load', now: new Date() }),
  )
}

interface Acknowledged {
  readonly table: 'deposits' | 'withdrawals'
  readonly id: string
  readonly minor: bigint
}

/** Calls until an answer comes: a client who lost the connection asks again under the same key. */
async function insist<E extends Endpoint>(
  endpoint: E,
  options: Parameters<typeof call<E>>[2],
  accept: (status: number) => boolean,
) {
  let last = ''
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const reply = await call(server, endpoint, options).catch(() => null)
    if (reply && accept(reply.status)) return reply
    last = reply ? `${reply.status} ${reply.bytes.toString().slice(0, 200)}` : 'no connection'
    await wait(50)
  }
  throw new Error(`${endpoint.name} got no answer: ${last}`)
}

const answered = (status: number) => status < 500 && status !== 429

async function deposit(actor: Actor, noted: Acknowledged[]): Promise<void> {
  const amount = `${randomInt(10, 200)}.${String(randomInt(0, 100)).padStart(2, '0')}`
  const body = {
    accountPlatform: 'MT5',
    accountNumber: actor.account.login,
    depositCurrency: 'EUR',
    depositAmountSent: amount,
    paymentGatewayService: 'bank',
    depositType: 'wire',
  } as const
  const key = { 'idempotency-key': randomUUID() }
  const asked = await insist(requestWirePayment, { as: actor.client, body, headers: key }, answered)
  const { id, bankDetails } = asked.answer
  noted.push({ table: 'deposits', id, minor: minorOf(amount) ?? 0n })
  const again = await insist(requestWirePayment, { as: actor.client, body, headers: key }, answered)
  expect(again.json, 'same key, same answer (I14)').toEqual(asked.json)
  const day = new Date().toISOString().slice(0, 10)
  const csv = `id,date,amount,currency,payer,remittance\n${randomUUID()},${day},${amount},EUR,Hannah Brandt,${bankDetails.BankReference}\n`
  await insist(
    importStatement,
    { as: operations, body: { bankAccount: bankDetails.IBAN, filename: 'statement.csv', csv } },
    answered,
  )
  const line = await row<{ id: string }>(
    observer.parts.pool,
    sql`select id from bank_lines where remittance = ${bankDetails.BankReference}`,
  )
  if (!line) throw new Error('an acknowledged line is lost')
  const shown = await insist(getBankLine, { as: operations, params: { id: line.id } }, answered)
  if (shown.answer.line.state !== 'unmatched') return
  await insist(
    matchLine,
    { as: operations, params: { id: line.id }, body: { version: shown.answer.line.version, depositId: id } },
    answered,
  )
}

async function withdraw(actor: Actor, noted: Acknowledged[]): Promise<void> {
  const amount = `${randomInt(5, 90)}.${String(randomInt(0, 100)).padStart(2, '0')}`
  const body = {
    accountPlatform: 'MT5',
    accountNumber: actor.account.login,
    paymentGatewayService: 'bank',
    withdrawalType: 'wire',
    withdrawalPaymentName: 'Bank Transfer',
    withdrawalCurrency: 'EUR',
    withdrawalAmount: amount,
    bankId: actor.bankId,
  } as const
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await insist(requestWithdrawal, { as: actor.client, body, headers }, answered)
  if (asked.status !== 201) return
  noted.push({ table: 'withdrawals', id: asked.answer.id, minor: minorOf(amount) ?? 0n })
  const approved = await decide(approveWithdrawal, asked.answer.id, operations)
  if (approved === 'second_approval') await decide(confirmWithdrawal, asked.answer.id, finance)
}

/** Approves with the version of now; figures in the middle of a movement are tried again, as a clerk would. */
async function decide(
  endpoint: typeof approveWithdrawal | typeof confirmWithdrawal,
  id: string,
  staff: MadeStaff,
): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const now = await row<{ state: string; version: number }>(
      observer.parts.pool,
      sql`select state, version from withdrawals where id = ${id}`,
    )
    if (!now) throw new Error('an acknowledged withdrawal is lost')
    if (now.state !== (endpoint === approveWithdrawal ? 'pending' : 'second_approval')) return now.state
    const reply = await call(server, endpoint, { as: staff, params: { id }, body: { version: now.version } }).catch(
      () => null,
    )
    if (reply?.status === 200) return reply.answer.state
    await wait(50)
  }
  throw new Error(`${endpoint.name} was never accepted`)
}

/**
 * Until nothing is under way any more; a backlog that does not empty in two minutes is the failure. What was cut off
 * before it was sent is absent at the platform and waits for a person, who sends it again (mechanics section 2).
 */
async function backlogEmpties(): Promise<void> {
  let open: unknown[] = []
  for (let round = 0; round < 600; round += 1) {
    open = await rows(
      observer.parts.pool,
      sql`select kind, state, last_error, parked_at is not null as parked from operations where state in ('waiting', 'sending', 'unknown')
          union all select e.kind, e.verb, 'not sealed', false from events e
            where not exists (select from event_seals s where s.event_id = e.id)`,
    )
    if (open.length === 0) return
    await resendWhatIsAbsent()
    await wait(200)
  }
  throw new Error(`the backlog did not empty within two minutes: ${JSON.stringify(open.slice(0, 10))}`)
}

async function resendWhatIsAbsent(): Promise<void> {
  const parked = await rows<{ id: string }>(
    observer.parts.pool,
    sql`select id from operations where state = 'unknown' and parked_at is not null`,
  )
  for (const { id } of parked) {
    const reply = await call(server, retryJob, {
      as: operations,
      params: { source: 'operation', id },
      body: { reason: 'It never arrived.' },
    })
    expect(reply.status).toBe(200)
  }
}

test(`killed ${kills} times under load, it loses nothing and does nothing twice`, async () => {
  const noted: Acknowledged[] = []
  const ending = new AbortController()
  const drivers = actors.map(async (actor) => {
    while (!ending.signal.aborted) {
      await deposit(actor, noted)
      await withdraw(actor, noted)
    }
  })
  const driven = Promise.all(drivers)
  // A driver that fails early is told of below, not as an unhandled rejection.
  driven.catch(() => ending.abort())
  for (let kill = 0; kill < kills && !ending.signal.aborted; kill += 1) {
    await wait(randomInt(60, 900))
    await server.kill()
    await server.start()
  }
  ending.abort()
  await driven
  await backlogEmpties()

  expect(noted.length, 'the load did something').toBeGreaterThan(kills)
  for (const { table, id, minor } of noted) {
    const kept = await row<{ state: string; amount_minor: bigint }>(
      observer.parts.pool,
      table === 'deposits'
        ? sql`select state, amount_minor from deposits where id = ${id}`
        : sql`select state, amount_minor from withdrawals where id = ${id}`,
    )
    expect(kept, `${table} ${id} was acknowledged (I5)`).toEqual({ state: 'approved', amount_minor: minor })
  }
  for (const { account, client } of actors) {
    const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
    const owed = await owedTo(observer.parts.pool, account.id)
    const figures = await readFigures(observer.parts.pool, observer.parts.platforms.MT5, login, new Date())
    expect(owed, `ledger and platform of ${client.email} agree before the trading result is booked (I4)`).toBe(
      figures.balance.minor,
    )
    await everyDealIsOurs(account.login)
  }
  expect(await brokenInvariants(observer.parts.pool, new Date())).toEqual([])
})

/** I3: no reference twice at the platform, and each belongs to one operation of ours. */
async function everyDealIsOurs(login: string): Promise<void> {
  const deals = await platform.read<{ comment: string; amount: string }[]>(`deals?login=${login}&action=2`)
  const refs = deals.slice(1).map((deal) => deal.comment)
  expect(new Set(refs).size).toBe(refs.length)
  const ours = await rows<{ ref: string }>(
    observer.parts.pool,
    sql`select ref from operations where ref = any (${refs}::text[]) and state = 'done'`,
  )
  expect(ours).toHaveLength(refs.length)
}
