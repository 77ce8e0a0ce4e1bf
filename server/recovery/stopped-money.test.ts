/** What stops while recovery is open, and what continues: over HTTP, every decision about money and every request. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { requestCreditCardPayment, requestWirePayment } from '#contract/deposits.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { requestCorrection } from '#contract/office/accounting.ts'
import { createPayoutBatch } from '#contract/office/payout-batches.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { settings } from '#contract/settings.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { login } from '#contract/users-session.ts'
import { cancelWithdrawal, requestWithdrawal } from '#contract/withdrawals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { money } from '#rules/money.ts'
import { channelsOf } from '#rules/recovery.ts'
import type { AccountId } from '#rules/ids.ts'
import { recordEvent } from '#server/db/events.ts'
import { raw, row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { deleteStrayFiles } from '#server/features/files/jobs.ts'
import { retentionTasks } from '#server/features/retention/jobs.ts'
import { enqueueBalance } from '#server/jobs/balance.ts'
import { sendMail } from '#server/mail/send-mail.ts'
import { platformForFile } from '#tests/for-file.ts'
import { settleOperations, transferBody, wireBody } from '#tests/funded-account.ts'
import { call, goodPassword, makeStaff, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { insertBankLine, makeContext, recordMakers, type TestContext } from '#tests/records.ts'
import { openRecovery } from './open-recovery.ts'
import { withdrawalBody } from '../../tests/funded-account.ts'

const { server } = platformForFile()
let ground: TestContext
let client: MadeClient
let account: { id: AccountId; login: string }
let everybody: MadeStaff

beforeAll(async () => {
  ground = await makeContext(server)
  client = ground.client
  account = ground.account
  everybody = await makeStaff(server, ['operations', 'finance', 'compliance'])
})

const openRecoveryNow = () => {
  const now = server.clock.now()
  return transaction(server.dependencies.pool, (tx) =>
    openRecovery(tx, { sign: 'lost-event', since: new Date(now.getTime() - 600_000), now }),
  )
}
const openChannel = (channel: 'accounts' | 'payouts') =>
  run(
    server.dependencies.pool,
    sql`update recovery set ${raw(channel)}_open_at = ${server.clock.now()} where closed_at is null`,
  )
const endRecovery = async () => {
  const now = server.clock.now()
  await run(
    server.dependencies.pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}
        where closed_at is null`,
  )
}

/** Every decision of staff that a channel stops, by its state machine. */
const decisions = stateMachines.flatMap((machine) =>
  Object.keys(machine.transitions).flatMap((verb) => {
    const endpoint = officeEndpoints.find(
      ({ summary, name, problems }) =>
        summary !== '' && problems.includes('money-stopped-office') && nameOf(machine.name, verb).includes(name),
    )
    return channelsOf(machine.name, verb).length > 0 && endpoint ? [[machine.name, verb, endpoint] as const] : []
  }),
)

/** Returns the names under which a decision may be declared. */
function nameOf(life: string, verb: string): string[] {
  const words = life.split('_').map((word) => word[0]?.toUpperCase() + word.slice(1))
  const short: Readonly<Record<string, string>> = { BankLine: 'Line', LeverageRequest: 'Leverage' }
  const noun = words.join('')
  return [`${verb}${noun}`, `${verb}${short[noun] ?? noun}`]
}

describe('a decision about money', () => {
  beforeEach(openRecoveryNow)
  afterEach(endRecovery)

  test('is covered by the tests below', () => {
    expect(decisions.map(([life, verb]) => `${life}.${verb}`)).toEqual(
      expect.arrayContaining([
        'withdrawal.approve',
        'payout_batch.confirm',
        'payout_batch.release',
        'transfer.reject',
        'bank_line.sendBack',
        'deposit.match',
        'correction.approve',
        'firm_money.confirm',
        'difference.explain',
        'account.approve',
        'erasure.approve',
      ]),
    )
  })

  test.each(decisions)('%s.%s is rejected with 503 and changes nothing', async (life, verb, endpoint) => {
    const step = stateMachines.find(({ name }) => name === life)?.transitions[verb]
    const id = (await recordMakers[life]?.(ground, step?.from[0] ?? '', everybody, verb)) ?? ''
    const table = raw(stateMachines.find(({ name }) => name === life)?.table ?? '')
    const state = async () =>
      life === 'erasure' ? null : row(server.dependencies.pool, sql`select state from ${table} where id = ${id}`)
    const before = await state()
    const body: Record<string, unknown> = { version: 1 }
    const takes = Object.keys((endpoint.body as { shape?: object }).shape ?? {})
    if (takes.includes('reason')) body['reason'] = 'every decision is tried'
    if (takes.includes('sha256')) Object.assign(body, { count: 1, total: '1.00', sha256: '0'.repeat(64) })
    if (takes.includes('proposal')) body['proposal'] = 'explain'
    if (takes.includes('lineId'))
      Object.assign(body, { lineId: await insertBankLine(ground, 'unmatched'), lineVersion: 1 })
    const { status, json } = await call(server, endpoint, { as: everybody, params: { id }, body })
    expect([status, (json as { code?: string }).code]).toEqual([503, 'money-stopped-office'])
    expect(await state()).toEqual(before)
  })

  test('is shown as stopped on the page of its record', async () => {
    const id = (await recordMakers['withdrawal']?.(ground, 'pending', everybody, 'approve')) ?? ''
    const { answer } = await call(server, getOfficeWithdrawal, { as: everybody, params: { id } })
    const verbs = new Map(answer.withdrawal.verbs.map(({ verb, refusal }) => [verb, refusal?.code]))
    expect(['approve', 'reject'].map((verb) => verbs.get(verb))).toEqual([
      'money-stopped-office',
      'money-stopped-office',
    ])
  })

  test('is stopped only by its own channel', async () => {
    const pending = (await recordMakers['correction']?.(ground, 'pending', everybody, 'reject')) ?? ''
    const reject = officeEndpoints.find(({ name }) => name === 'rejectCorrection') as Endpoint
    const file = () => call(server, createPayoutBatch, { as: everybody, body: { currency: 'EUR' } })
    expect((await file()).failure.code).toBe('money-stopped-office')
    await openChannel('payouts')
    expect((await file()).status).not.toBe(503)
    const body = { version: 1, reason: 'x' }
    expect((await call(server, reject, { as: everybody, params: { id: pending }, body })).status).toBe(503)
    await openChannel('accounts')
    expect((await call(server, reject, { as: everybody, params: { id: pending }, body })).status).toBe(200)
  })

  test('that cancels a request is possible once recovery has cleared the request', async () => {
    const { id: recovery } = await openRecoveryNow()
    const id = (await recordMakers['withdrawal']?.(ground, 'pending', everybody, 'cancel')) ?? ''
    const cancel = () => call(server, cancelWithdrawal, { as: client, body: { id } })
    const params = { list: 'withdrawals', id } as const
    const { clock, dependencies } = server
    const requested = { kind: 'withdrawal', action: 'request', record: id, clientId: client.id }
    await transaction(dependencies.pool, (tx) =>
      recordEvent(tx, { identity: { kind: 'client', id: client.id }, now: clock.now(), reference: 'test' }, requested),
    )
    const isStopped = async () => (await call(server, getTransferTimeline, { as: client, params })).answer.cancelStopped
    // The client sees it before any action.
    expect(await isStopped()).toBe(true)
    expect((await cancel()).failure.code).toBe('money-stopped')
    await run(
      server.dependencies.pool,
      sql`insert into recovery_cleared (recovery, kind, record, cleared_at)
          values (${recovery}, 'withdrawal', ${id}, ${server.clock.now()})`,
    )
    expect(await isStopped()).toBe(false)
    expect((await cancel()).status).toBe(200)
  })
})

describe('a request for money', () => {
  const deposit = () => ({
    accountPlatform: 'MT5',
    accountNumber: account.login,
    depositCurrency: 'EUR',
    depositAmountSent: '250',
    paymentGatewayService: 'bank',
  })
  test.each([
    ['a withdrawal', requestWithdrawal, 'withdrawals', () => withdrawalBody(account, ground.bankId, '250')],
    ['a transfer', requestTransfer, 'transfers', () => transferBody(account, ground.other, '250')],
    ['a bank transfer', requestWirePayment, 'deposits', () => wireBody(account, '250')],
    [
      'a card payment',
      requestCreditCardPayment,
      'deposits',
      () => ({ ...deposit(), depositType: 'cc_gcen', method: 'cc_gcen', ccType: 1 }),
    ],
  ] as const)(
    '%s gets 503 with Retry-After in the reader’s language and writes nothing',
    async (_, endpoint, table, body) => {
      const count = () => row<{ n: bigint }>(server.dependencies.pool, sql`select count(*) as n from ${raw(table)}`)
      await openRecoveryNow()
      const before = await count()
      const reply = await call(server, endpoint as Endpoint, {
        as: client,
        body: body(),
        headers: { 'accept-language': 'de' },
      })
      await endRecovery()
      expect([reply.status, reply.failure.code]).toEqual([503, 'money-stopped'])
      expect(reply.failure.error).toContain('gleichen unsere Daten')
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(60)
      expect(await count()).toEqual(before)
    },
  )

  test('by staff is stopped as well', async () => {
    await openRecoveryNow()
    const body = { accountId: account.id, amount: '1.00', currency: 'EUR', reason: 'x' }
    const { failure } = await call(server, requestCorrection, { as: everybody, body })
    await endRecovery()
    expect(failure.code).toBe('money-stopped-office')
  })
})

test('login and reads continue to work, and readiness reports the state', async () => {
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return [answer.status, ((await answer.json()) as { state: string }).state]
  }
  expect(await ready()).toEqual([200, 'serving'])
  await openRecoveryNow()
  expect(await ready()).toEqual([200, 'recovery'])
  expect((await call(server, profile, { as: client })).status).toBe(200)
  expect(
    (
      await call(server, login, {
        body: { email: client.email, password: await encryptedPassword(server, goodPassword) },
      })
    ).status,
  ).toBe(200)
  await endRecovery()
})

test('both apps receive the stopped channels, and a visitor does not', async () => {
  const stopped = async () => [
    (await call(server, settings, { as: client })).answer.moneyStopped,
    (await call(server, officeCurrent, { as: everybody })).answer.moneyStopped,
    (await call(server, settings)).answer.moneyStopped,
  ]
  expect(await stopped()).toEqual([null, null, null])
  await openRecoveryNow()
  const all = { accounts: true, payouts: true }
  expect(await stopped()).toEqual([all, all, null])
  await openChannel('accounts')
  const bank = { accounts: false, payouts: true }
  expect(await stopped()).toEqual([bank, bank, null])
  await endRecovery()
  expect(await stopped()).toEqual([null, null, null])
})

test('nothing is sent to a platform, only emails created since then are sent, and everything resumes afterwards', async () => {
  const { pool } = server.dependencies
  const mail = (to: string) =>
    transaction(pool, (tx) =>
      sendMail(tx, server.clock.now(), { kind: 'password-changed', to, language: 'en', facts: { name: 'Hannah' } }),
    )
  const triedOf = async (to: string) =>
    (
      await row<{ tries: number }>(
        pool,
        sql`select tries from operations where kind = 'mail' and payload ->> 'to' = ${to}`,
      )
    )?.tries
  const record = randomUUID()
  await transaction(pool, (tx) =>
    enqueueBalance(tx, server.dependencies.keys, server.clock.now(), {
      request: {
        id: record,
        clientId: client.id,
        reference: 'CR-0000000Z',
        platform: 'MT5',
        login: account.login,
        accountId: account.id,
      },
      subject: 'correction',
      leg: 'correction',
      amount: money(100n, 'EUR'),
    }),
  )
  const [old, fresh] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
  await mail(old)
  await openRecoveryNow()
  server.clock.turn(1)
  await mail(fresh)
  await settleOperations(server)
  const storedState = () => row(pool, sql`select state, tries, ask_first from operations where record = ${record}`)
  expect(await storedState()).toEqual({ state: 'waiting', tries: 0, ask_first: true })
  expect([await triedOf(old), (await triedOf(fresh)) ?? 0]).toEqual([0, 1])
  await endRecovery()
  await settleOperations(server)
  expect(await storedState()).toMatchObject({ state: 'unknown', tries: 0 })
  expect(await triedOf(old)).toBe(1)
  await run(pool, sql`delete from operations where record = ${record}`)
})

test('files without a record are kept, and no data is deleted', async () => {
  await server.dependencies.files.put('stray-in-recovery', Buffer.from('x'))
  const later = new Date(Math.max(Date.now(), server.clock.now().getTime()) + 31 * 86_400_000)
  const has = async () => (await server.dependencies.files.list()).some(({ name }) => name === 'stray-in-recovery')
  const forgot = () => rows(server.dependencies.pool, sql`select 1 from retention_runs`)
  await openRecoveryNow()
  await deleteStrayFiles(server.dependencies, later)
  await retentionTasks(server.dependencies)[0]?.run(later)
  expect([await has(), (await forgot()).length]).toEqual([true, 0])
  await endRecovery()
  await deleteStrayFiles(server.dependencies, later)
  expect(await has()).toBe(false)
})

test('a read-only database is reported by calls and by the readiness probe', async () => {
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  const name = (await owner.query<{ name: string }>('select current_database() as name')).rows[0]?.name
  await owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const connection = await server.dependencies.pool.connect()
  await connection.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and usename = current_user',
  )
  connection.release(true)
  try {
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
    const answer = await fetch(`${server.url}/readyz`)
    expect(((await answer.json()) as { code: string }).code).toBe('database-read-only')
    const { status, failure } = await call(server, login, {
      body: { email: client.email, password: await encryptedPassword(server, goodPassword) },
    })
    expect([status, failure.code]).toEqual([503, 'database-read-only'])
  } finally {
    await owner.query(`alter database ${name} reset default_transaction_read_only`)
    await owner.end()
  }
})
