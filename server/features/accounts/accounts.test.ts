import type { AccountId } from '#rules/ids.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/accounts.ts'
import * as office from '#contract/office/account-requests.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { retryJob } from '#contract/office/records.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { cancelWithdrawal, requestWithdrawal } from '#contract/withdrawals.ts'
import { money } from '#rules/money.ts'
import { checkTradingPassword } from '#rules/passwords.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { verifiedReference } from '#server/ledger/references.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  settleOperations,
  transferBody,
  withdrawalBody,
} from '../../../tests/funded-account.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  type ClientTraits,
  type MadeClient,
  type MadeStaff,
} from '../../../tests/factories.ts'
import { versionOf } from '../../../tests/version-of.ts'

const place = platformForFile()
const { server } = place
let operations: MadeStaff
let auditor: MadeStaff

// Signed in again, because a test may advance the clock.
beforeEach(async () => {
  operations = await makeStaff(server, ['operations'], { name: 'Tom Reyes' })
  auditor = await makeStaff(server, ['auditor'])
})

const live = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }
const demo = { ...live, requestType: 'demo', balance: 5000 }

function requestAccount(client: MadeClient, body: object = live, headers: Record<string, string> = {}) {
  return call(server, contract.requestAnAccount, { as: client, body, headers })
}

async function requestAccountId(client: MadeClient, body: object = live): Promise<string> {
  return (await requestAccount(client, body)).answer.id
}

async function listAccounts(client: MadeClient, kind: 'live' | 'demo' = 'live') {
  const reply =
    kind === 'live'
      ? await call(server, contract.getLiveAccounts, { as: client, params: { a: 'all', b: 'all' } })
      : await call(server, contract.getDemoAccounts, { as: client })
  return reply.answer.accounts
}

type Decision = typeof office.approveAccount | typeof office.rejectAccount
const decide = async (endpoint: Decision, id: string, as: MadeStaff, body: object = {}) => {
  const version = await versionOf(server, 'trading_accounts', id)
  return call(server, endpoint, { as, params: { id }, body: { version, ...body } })
}

async function openAccountFor(client: MadeClient): Promise<string> {
  const id = await requestAccountId(client)
  expect((await decide(office.approveAccount, id, operations)).answer.state).toBe('processing')
  await settleOperations(server)
  return id
}

describe('an account request', () => {
  test('for a live account is pending in the client’s list and opens a work item for staff', async () => {
    const client = await makeClient(server)
    const reply = await requestAccount(client)
    expect(reply.status).toBe(201)
    expect(reply.answer.status).toBe('pending')
    expect(await listAccounts(client)).toMatchObject([
      { status: 'pending', number: null, balance: null, password: null, passwordToShow: false },
    ])
    const item = await row(
      server.dependencies.pool,
      sql`select kind, state from work_items where record = ${reply.answer.id} and closed_at is null`,
    )
    expect(item).toEqual({ kind: 'account', state: 'pending' })
  })

  test.each<[string, object, ClientTraits, number, string]>([
    ['of a retail client with a leverage above 30', { ...live, leverage: 500 }, {}, 400, 'leverage-not-allowed'],
    ['with the leverage as a string', { ...live, leverage: '30' }, {}, 400, 'unknown-value'],
    ['for a live account with a balance', { ...live, balance: 500 }, {}, 400, 'balance-for-demo-only'],
    ['for a demo account without a balance', { ...demo, balance: null }, {}, 400, 'demo-balance-required'],
    ['for a demo account with a balance that is not offered', { ...demo, balance: 123 }, {}, 400, 'unknown-value'],
    ['before the client has accepted the declaration', live, { declaration: false }, 403, 'declaration-first'],
    ['before the client is approved', live, { state: 'pending' }, 403, 'approval-first'],
    ['in an unsupported currency', { ...live, baseCurrency: 'JPY' }, {}, 400, 'unknown-value'],
    ['for another user', { ...live, userId: 'someone' }, {}, 403, 'not-yours'],
    ['with a status field', { ...live, status: 'approved' }, {}, 400, 'unknown-field'],
  ])('%s is rejected and writes nothing', async (_case, body, traits, status, code) => {
    const client = await makeClient(server, traits)
    const reply = await requestAccount(client, body)
    expect([reply.status, reply.failure.code]).toEqual([status, code])
    expect(
      await rows(server.dependencies.pool, sql`select id from trading_accounts where client_id = ${client.id}`),
    ).toEqual([])
  })

  test('is rejected for a platform closed to new accounts, and accepted for the other platform', async () => {
    const { pool, settings } = server.dependencies
    const before = await settings.get('platforms')
    const set = async (value: typeof before, version: number) => {
      const change = { value, version, by: null, reason: '', now: server.clock.now() }
      await transaction(pool, (tx) => writeSetting(tx, 'platforms', change))
      settings.forget('platforms')
    }
    await set({ ...before, MT4: { ...before.MT4, open: false } }, 1)
    const client = await makeClient(server)
    const refused = await requestAccount(client, { ...live, platform: 'MT4' })
    expect([refused.status, Object.keys(refused.failure.errors)]).toEqual([409, ['platform']])
    expect((await requestAccount(client, { ...live, platform: 'MT5' })).status).toBe(201)
    await set(before, 2)
  })

  test('is rate limited to 30 an hour, even when the attempts are minutes apart', async () => {
    const client = await makeClient(server)
    const statuses = []
    for (let turn = 0; turn < 31; turn += 1) {
      if (turn % 15 === 0) server.clock.turn(61)
      statuses.push((await requestAccount(client, { ...live, leverage: 500 })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429])
  })

  test('is rate limited to the number an hour in the firm’s settings', async () => {
    const { pool, settings } = server.dependencies
    const before = await settings.get('rateLimits')
    const set = async (accountRequestsPerHour: number, version: number) => {
      const value = { ...before, accountRequestsPerHour }
      await transaction(pool, (tx) =>
        writeSetting(tx, 'rateLimits', { value, version, by: null, reason: 'test', now: server.clock.now() }),
      )
      settings.forget('rateLimits')
    }
    const { version } = await settings.withVersion('rateLimits')
    await set(2, version + 1)
    const client = await makeClient(server)
    const statuses = []
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await requestAccount(client, { ...live, leverage: 500 })).status)
    expect(statuses).toEqual([400, 400, 429])
    await set(before.accountRequestsPerHour, version + 2)
  })

  test('sent twice concurrently with one idempotency key creates one account and returns the same response', async () => {
    const client = await makeClient(server)
    const [one, other] = await Promise.all([
      requestAccount(client, live, { 'idempotency-key': 'k1' }),
      requestAccount(client, live, { 'idempotency-key': 'k1' }),
    ])
    expect(one.answer.id).toBe(other.answer.id)
    expect(await listAccounts(client)).toHaveLength(1)
  })
})

describe('an account approval', () => {
  test('opens the account in the platform group of its type, emails the client and reveals the first password once', async () => {
    const client = await makeClient(server)
    const id = await openAccountFor(client)
    const [account] = await listAccounts(client)
    expect(account).toMatchObject({
      _id: id,
      status: 'approved',
      balance: 0n,
      password: null,
      passwordToShow: true,
      server: 'CalderRow5-Live',
    })
    const atPlatform = await place.platform.read<{ group: string; leverage: number }[]>(
      `accounts?login=${account?.number}`,
    )
    expect(JSON.stringify(atPlatform)).toContain('standard-EUR')
    const mails = await rows<{ payload: { kind: string } }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'mail' and record = ${id}`,
    )
    expect(mails.map(({ payload }) => payload.kind)).toEqual(['account-opened'])
    const first = await call(server, contract.revealPassword, { as: client, body: { accountId: id as AccountId } })
    expect(checkTradingPassword(first.answer.password)).toBeNull()
    const again = await call(server, contract.revealPassword, { as: client, body: { accountId: id as AccountId } })
    expect([again.status, again.failure.code]).toEqual([409, 'password-shown'])
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(false)
  })

  test('keeps the first password available for 7 days', async () => {
    const client = await makeClient(server)
    const id = await openAccountFor(client)
    const dayEarlier = (days: number) =>
      run(
        server.dependencies.pool,
        sql`update trading_accounts set first_password_until = first_password_until - make_interval(days => ${days}) where id = ${id}`,
      )
    await dayEarlier(6)
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(true)
    await dayEarlier(1)
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(false)
    const late = await call(server, contract.revealPassword, { as: client, body: { accountId: id as AccountId } })
    expect(late.failure.code).toBe('password-shown')
  })

  test('grants no first password, new password or other leverage while the platform has the account disabled', async () => {
    const client = await makeClient(server, { clientStatus: 'professional' })
    const id = (await openAccountFor(client)) as AccountId
    const setEnabled = (enabled: boolean) =>
      run(
        server.dependencies.pool,
        sql`insert into platform_figures (account_id, balance_minor, credit_minor, open_positions, leverage, enabled, read_at)
            values (${id}, 0, 0, 0, 30, ${enabled}, ${server.clock.now()})
          on conflict (account_id) do update set enabled = excluded.enabled`,
      )
    const statuses = async () => {
      const body = { accountId: id }
      const replies = [
        await call(server, contract.revealPassword, { as: client, body }),
        await call(server, contract.changeTradingPassword, { as: client, body: { ...body, password: 'Str0ng#Pass' } }),
        await call(server, contract.updateAccount, { as: client, body: { ...body, leverage: 100 } }),
      ]
      return replies.map((reply) => [reply.status, reply.status === 200 ? null : reply.failure.code])
    }
    await setEnabled(false)
    expect((await listAccounts(client))[0]).toMatchObject({ closed: true, passwordToShow: false })
    expect(await statuses()).toEqual(Array.from({ length: 3 }, () => [409, 'account-closed']))
    await setEnabled(true)
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(true)
    expect(await statuses()).toEqual(Array.from({ length: 3 }, () => [200, null]))
  })

  test('whose platform response is lost is recovered by its reference: one account, with its password available', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client)
    await place.platform.turn('drop-after', { path: '/api/user/add' })
    await decide(office.approveAccount, id, operations)
    await settleOperations(server)
    server.clock.turn(60)
    await settleOperations(server)
    expect((await listAccounts(client))[0]?.status).toBe('approved')
    expect(
      (await call(server, contract.revealPassword, { as: client, body: { accountId: id as AccountId } })).status,
    ).toBe(200)
  })

  test('rejected by the platform returns to the inbox of operations and can be approved again', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client)
    await place.platform.turn('refuse', { retcode: 3002, path: '/api/user/add' })
    await decide(office.approveAccount, id, operations)
    await settleOperations(server)
    const item = await row(
      server.dependencies.pool,
      sql`select state from work_items where record = ${id} and closed_at is null`,
    )
    expect(item).toEqual({ state: 'refused' })
    const inbox = await call(server, listInbox, { as: operations, query: { mine: 'true', kind: 'account' } })
    expect(inbox.answer.items.map((one) => one.record)).toContain(id)
    expect((await decide(office.approveAccount, id, operations)).status).toBe(200)
    await settleOperations(server)
    expect((await listAccounts(client))[0]?.status).toBe('approved')
  })

  test('executed after the client has become retail again opens a retail account with a leverage of 30', async () => {
    const client = await makeClient(server, { clientStatus: 'professional' })
    const id = await requestAccountId(client, { ...live, leverage: 500 })
    expect((await decide(office.approveAccount, id, operations)).answer.state).toBe('processing')
    await run(server.dependencies.pool, sql`update clients set client_status = 'retail' where id = ${client.id}`)
    await settleOperations(server)
    expect(
      await row(
        server.dependencies.pool,
        sql`select state, client_status, group_name, leverage from trading_accounts where id = ${id}`,
      ),
    ).toEqual({ state: 'approved', client_status: 'retail', group_name: 'real\\standard-EUR', leverage: 30 })
  })

  test('executed after the client has become professional opens a professional account', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client)
    await decide(office.approveAccount, id, operations)
    await run(server.dependencies.pool, sql`update clients set client_status = 'professional' where id = ${client.id}`)
    await settleOperations(server)
    expect(
      await row(
        server.dependencies.pool,
        sql`select state, client_status, group_name, leverage from trading_accounts where id = ${id}`,
      ),
    ).toEqual({ state: 'approved', client_status: 'professional', group_name: 'real\\pro-standard-EUR', leverage: 30 })
  })

  test('succeeds for one of 20 concurrent clerks; the others see who decided', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client)
    const replies = await Promise.all(Array.from({ length: 20 }, () => decide(office.approveAccount, id, operations)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(replies.some((reply) => reply.status === 409 && reply.failure.error.includes('Tom Reyes'))).toBe(true)
    await settleOperations(server)
    const operationsOf = await rows(
      server.dependencies.pool,
      sql`select id from operations where kind = 'open-account' and record = ${id}`,
    )
    expect(operationsOf).toHaveLength(1)
  })

  test('is forbidden for an auditor, a client and a clerk with the client’s email address', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client)
    expect((await decide(office.approveAccount, id, auditor)).status).toBe(403)
    expect(
      (await call(server, office.approveAccount, { as: client, params: { id }, body: { version: 1 } })).status,
    ).toBe(401)
    const self = await makeStaff(server, ['operations'], { email: client.email })
    expect((await decide(office.approveAccount, id, self)).failure.code).toBe('own-request')
    expect((await listAccounts(client))[0]?.status).toBe('pending')
  })

  test('of an MT4 account is unavailable, with the reason shown, while MT4 is not connected', async () => {
    const client = await makeClient(server)
    const id = await requestAccountId(client, { ...live, platform: 'MT4' })
    expect((await decide(office.approveAccount, id, operations)).failure.code).toBe('mt4-not-connected')
    const page = await call(server, office.getAccountRequest, { as: operations, params: { id } })
    expect(page.answer.request).toMatchObject({ state: 'pending', group: 'real-std-EUR' })
    expect(page.answer.request.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('mt4-not-connected')
  })

  test('is refused when leverage, wind-down or client status have changed since the request, and the page shows why', async () => {
    const { pool, settings } = server.dependencies
    const client = await makeClient(server, { clientStatus: 'professional' })
    const id = await requestAccountId(client, { ...live, leverage: 500 })
    const expectRefused = async (code: string) => {
      const page = await call(server, office.getAccountRequest, { as: operations, params: { id } })
      expect(page.answer.request.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe(code)
      expect((await decide(office.approveAccount, id, operations)).failure.code).toBe(code)
    }
    await run(pool, sql`update trading_accounts set client_status = 'retail' where id = ${id}`)
    await expectRefused('leverage-over-right')
    const windDown = await settings.get('windDown')
    const close = async (newAccounts: boolean, version: number) => {
      const change = { value: { ...windDown, newAccounts }, version, by: null, reason: '', now: server.clock.now() }
      await transaction(pool, (tx) => writeSetting(tx, 'windDown', change))
      settings.forget('windDown')
    }
    await close(true, 1)
    await expectRefused('new-accounts-closed')
    expect((await requestAccount(client)).failure.code).toBe('new-accounts-closed')
    await close(false, 2)
    await run(pool, sql`update trading_accounts set client_status = 'professional' where id = ${id}`)
    await run(pool, sql`update clients set state = 'pending' where id = ${client.id}`)
    await expectRefused('client-not-approved')
    await run(pool, sql`update clients set state = 'suspended' where id = ${client.id}`)
    await expectRefused('checks-block')
    // Today's check results do not apply to a request that has already been decided.
    const shown = async () => {
      const page = await call(server, office.getAccountRequest, { as: operations, params: { id } })
      const { checks, group } = page.answer.request
      return { checks: checks.map(({ code, verdict }) => [code, verdict]), group }
    }
    expect(await shown()).toMatchObject({
      checks: [
        ['client-approved', 'differs'],
        ['leverage-allowed', 'ok'],
        ['platform-connected', 'ok'],
      ],
      group: expect.any(String) as unknown,
    })
    await decide(office.rejectAccount, id, operations, { reason: 'Not now.' })
    expect(await shown()).toEqual({ checks: [], group: null })
  })
})

test('a rejection shows its reason to the client and removes the request from the back-office list', async () => {
  const client = await makeClient(server)
  const id = await requestAccountId(client)
  expect((await decide(office.rejectAccount, id, operations)).failure.code).toBe('reason-required')
  expect(
    (await decide(office.rejectAccount, id, operations, { reason: 'Twice.', clientReason: 'One account is enough.' }))
      .answer.state,
  ).toBe('rejected')
  expect(await listAccounts(client)).toMatchObject([{ status: 'rejected', reason: 'One account is enough.' }])
  const waiting = await call(server, office.listAccountRequests, { as: operations, query: { size: '100' } })
  expect(waiting.answer.rows.map((one) => one.id)).not.toContain(id)
})

test('a demo account is opened immediately with its balance, before the client accepts a declaration', async () => {
  const client = await makeClient(server, { declaration: false })
  const id = await requestAccountId(client, demo)
  await settleOperations(server)
  expect(await listAccounts(client, 'demo')).toMatchObject([
    { status: 'approved', balance: 500_000n, server: 'CalderRow5-Demo' },
  ])
  expect(await accountLiability(server.dependencies.pool, { accountId: id as AccountId })).toBe(500_000n)
  expect(await listAccounts(client)).toEqual([])
})

test('a demo account shows no balance until its demo balance has been credited', async () => {
  const client = await makeClient(server, { declaration: false })
  await requestAccountId(client, demo)
  await place.platform.turn('drop-after', { path: '/api/trade/balance' })
  await settleOperations(server)
  expect(await listAccounts(client, 'demo')).toMatchObject([{ status: 'approved', balance: null, available: null }])
  server.clock.turn(30)
  await settleOperations(server)
  expect(await listAccounts(client, 'demo')).toMatchObject([{ status: 'approved', balance: 500_000n }])
})

test('a demo balance that the platform rejected is resent by staff as the next generation of its leg', async () => {
  const client = await makeClient(server, { declaration: false })
  const id = await requestAccountId(client, demo)
  await place.platform.turn('refuse', { retcode: 8, path: '/api/trade/balance' })
  await settleOperations(server)
  const sent = () =>
    rows<{ id: string; ref: string; shown: string; state: string }>(
      server.dependencies.pool,
      sql`select id, ref, shown, state from operations where kind = 'balance' and record = ${id} order by generation`,
    )
  const [refused] = await sent()
  expect(refused?.state).toBe('refused')
  const job = { source: 'operation', id: refused?.id ?? '' }
  expect((await call(server, retryJob, { as: operations, params: job, body: { reason: 'Right given' } })).status).toBe(
    200,
  )
  await settleOperations(server)
  const key = server.dependencies.keys.reference.bytes
  expect((await sent()).map(({ ref, state }) => [verifiedReference(key, ref), state])).toEqual([
    [{ shown: refused?.shown, leg: 'demo-balance', generation: 0 }, 'refused'],
    [{ shown: refused?.shown, leg: 'demo-balance', generation: 1 }, 'done'],
  ])
  expect(await accountLiability(server.dependencies.pool, { accountId: id as AccountId })).toBe(500_000n)
})

test('a resend queries earlier generations first and is not sent if one of them was executed after all', async () => {
  const client = await makeClient(server, { declaration: false })
  const id = await requestAccountId(client, demo)
  await place.platform.turn('refuse', { retcode: 8, path: '/api/trade/balance' })
  await settleOperations(server)
  const [refused] = await rows<{ id: string; ref: string; login: string }>(
    server.dependencies.pool,
    sql`select id, ref, payload ->> 'login' as login from operations where kind = 'balance' and record = ${id}`,
  )
  const { ref = '', login = '' } = refused ?? {}
  const amount = money(500_000n, 'EUR')
  await server.dependencies.platforms.MT5.applyBalance({ ref, login, amount, checkMargin: false })
  const job = { source: 'operation', id: refused?.id ?? '' }
  await call(server, retryJob, { as: operations, params: job, body: { reason: 'Right given' } })
  await settleOperations(server)
  const [again] = await rows<{ state: string; error: string }>(
    server.dependencies.pool,
    sql`select state, last_error as error from operations where kind = 'balance' and record = ${id} and generation = 1`,
  )
  expect(again).toEqual({
    state: 'waiting',
    error: `The platform executed another attempt: ${ref}. Two people in finance must decide on it in Reconciliation or Recovery.`,
  })
  expect(await place.platform.read(`deals?login=${login}`)).toHaveLength(1)
})

test('a resend is deferred while a deal has an unreadable reference, because it may be an earlier generation', async () => {
  const client = await makeClient(server, { declaration: false })
  const id = await requestAccountId(client, demo)
  await place.platform.turn('refuse', { retcode: 8, path: '/api/trade/balance' })
  await settleOperations(server)
  const [refused] = await rows<{ id: string; login: string }>(
    server.dependencies.pool,
    sql`select id, payload ->> 'login' as login from operations where kind = 'balance' and record = ${id}`,
  )
  const { login = '' } = refused ?? {}
  const by = { login, action: 2, amount: '1.00', comment: 'by hand' }
  const { ticket } = (await place.platform.turn('deals/write', by)) as { ticket: string }
  await place.platform.turn('deals/garble', { ticket, fields: { Comment: null } })
  const job = { source: 'operation', id: refused?.id ?? '' }
  await call(server, retryJob, { as: operations, params: job, body: { reason: 'Right given' } })
  const state = async () => {
    server.clock.turn(60)
    await settleOperations(server)
    return row<{ state: string }>(
      server.dependencies.pool,
      sql`select state from operations where kind = 'balance' and record = ${id} and generation = 1`,
    )
  }
  expect(await state()).toEqual({ state: 'waiting' })
  expect(await place.platform.read(`deals?login=${login}`)).toHaveLength(1)
  await place.platform.turn('deals/garble', { ticket, fields: {} })
  expect(await state()).toEqual({ state: 'done' })
})

describe('a trading account of a client', () => {
  test('accepts a nickname of letters, digits, spaces and hyphens from its owner', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const name = (nickname: string, as = client) =>
      call(server, contract.setNickname, { as, body: { accountId: account.id, nickname } })
    expect((await name('Gold – 1')).failure.code).toBe('nickname-invalid')
    expect((await name('Zürich 1-a')).status).toBe(200)
    expect((await name('Theirs', await makeClient(server))).status).toBe(404)
    expect((await listAccounts(client))[0]?.nickname).toBe('Zürich 1-a')
  })

  test('accepts a new trading password from its owner; a weak password is rejected with a field error', async () => {
    const client = await makeClient(server)
    const id = await openAccountFor(client)
    const change = (password: string, as = client) =>
      call(server, contract.changeTradingPassword, { as, body: { accountId: id, password } })
    expect((await change('weakling')).failure.errors['password']).toContain('8 to 15')
    for (const password of ['Str0ng=Pass', 'Str0ng|Pass', 'Str0ng\\Pass'])
      expect((await change(password)).failure.errors['password']).toBe(
        'A trading password cannot contain =, | or a backslash.',
      )
    expect((await change('Str0ng#Pass', await makeClient(server))).status).toBe(404)
    expect((await change('Str0ng#Pass')).status).toBe(200)
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(false)
  })

  test('no longer shows its first password after a change that the platform did not confirm', async () => {
    const client = await makeClient(server)
    const id = (await openAccountFor(client)) as AccountId
    const body = { accountId: id, password: 'Str0ng#Pass' }
    const change = async () => (await call(server, contract.changeTradingPassword, { as: client, body })).failure
    await place.platform.turn('refuse', { retcode: 3006, path: '/api/user/change_password' })
    expect((await change()).code).toBe('trading-password-weak')
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(true)
    await place.platform.turn('drop-after', { path: '/api/user/change_password' })
    expect(await change()).toMatchObject({ code: 'trading-password-unconfirmed' })
    expect((await listAccounts(client))[0]?.passwordToShow).toBe(false)
    const shown = await call(server, contract.revealPassword, { as: client, body: { accountId: id } })
    expect(shown.failure.code).toBe('password-shown')
  })

  test('that belongs to another client returns the same 404 as an unknown account', async () => {
    const owner = await makeClient(server)
    const id = await openAccountFor(owner)
    const stranger = await makeClient(server)
    const foreign = await call(server, contract.revealPassword, { as: stranger, body: { accountId: id as AccountId } })
    const none = await call(server, contract.revealPassword, { as: stranger, body: { accountId: 'nothing' } })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.failure, reference: '' }).toEqual({ ...none.failure, reference: '' })
    expect(await listAccounts(stranger)).toEqual([])
  })

  test('has nothing available, and not a negative amount, when reservations exceed its balance', async () => {
    const client = await makeClient(server)
    const { id } = await makeAccount(server, client, { balanceMinor: 5_000n })
    const { pool } = server.dependencies
    await run(
      pool,
      sql`insert into reservations (account_id, subject, record, amount_minor, created_at)
          values (${id}, 'withdrawal', ${id}, 8000, ${server.clock.now()})`,
    )
    expect((await listAccounts(client))[0]).toMatchObject({ balance: 5_000n, reserved: 8_000n, available: 0n })
    // The platform has no such balance and no request owns the reservation: both would break an invariant.
    await run(pool, sql`delete from reservations where account_id = ${id}`)
    await run(pool, sql`delete from platform_figures where account_id = ${id}`)
  })

  test('lists the requests that reserve its funds, newest first, until they end', async () => {
    const client = await makeClient(server)
    const source = await makeFundedAccount(server, client, 50_000n)
    const destination = await makeFundedAccount(server, client, 0n)
    const bankId = await makeApprovedBank(server, client)
    const withdrawal = await call(server, requestWithdrawal, {
      as: client,
      body: withdrawalBody(source, bankId, '30.00'),
    })
    server.clock.turn(1)
    const transfer = await call(server, requestTransfer, {
      as: client,
      body: transferBody(source, destination, '20.00'),
    })
    const [forWithdrawal, forTransfer] = [
      { list: 'withdrawals', id: withdrawal.answer.id, reference: withdrawal.answer.reference, amount: 3_000n },
      { list: 'transfers', id: transfer.answer.id, reference: transfer.answer.reference, amount: 2_000n },
    ]
    const setAside = async () => {
      const accounts = await listAccounts(client)
      return [source, destination].map(({ id }) => accounts.find(({ _id }) => _id === id)?.setAside)
    }
    expect(await setAside()).toEqual([[forTransfer, forWithdrawal], []])
    await call(server, cancelWithdrawal, { as: client, body: { id: withdrawal.answer.id } })
    expect(await setAside()).toEqual([[forTransfer], []])
  })

  test('refreshes balances older than 5 minutes before it is shown', async () => {
    const client = await makeClient(server)
    await openAccountFor(client)
    const [account] = await listAccounts(client)
    await place.platform.turn('market/open', { login: account?.number, profit: '12.50', notional: '0' })
    server.clock.turn(600)
    expect((await listAccounts(client))[0]).toMatchObject({ equity: 1_250n, figuresOld: false })
  })

  test('shows the last balances with their time, marked as old, while the platform does not respond', async () => {
    const client = await makeClient(server)
    await openAccountFor(client)
    const [before] = await listAccounts(client)
    await place.platform.turn('drop-before', { path: '/api/', login: before?.number, count: 0 })
    server.clock.turn(600)
    expect((await listAccounts(client))[0]).toMatchObject({
      balance: before?.balance,
      figuresAt: before?.figuresAt,
      figuresOld: true,
    })
  })

  test('is shown as closed when the platform has disabled it', async () => {
    const client = await makeClient(server)
    await openAccountFor(client)
    const [before] = await listAccounts(client)
    expect(before).toMatchObject({ closed: false })
    await server.dependencies.platforms.MT5.setEnabled(before?.number ?? '', false)
    server.clock.turn(600)
    expect((await listAccounts(client))[0]).toMatchObject({ closed: true })
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  // Retries operations left pending by a test that advanced the clock, as workers do.
  await settleOperations(server)
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
