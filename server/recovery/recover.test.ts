/**
 * What `recover` adopts after a loss, what it leaves to two people, and how recovery ends (requirements 20.13 to
 * 20.18).
 */
import { afterAll, beforeAll, expect } from 'vitest'
import {
  approveCorrection,
  confirmDifference,
  proposeDifference,
  requestCorrection,
} from '#contract/office/accounting.ts'
import { confirmRequest, getRequestsToConfirm } from '#contract/confirmations.ts'
import { listNotifications } from '#contract/notifications.ts'
import * as recoveryCalls from '#contract/office/recovery.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import { approveWithdrawal, getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { row, rows, sql, transaction } from '#server/db/sql.ts'
import { queryProvider } from '#server/features/deposits/settle-checkout.ts'
import { adoptionsOfFeatures } from '#server/features.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { settingDefault } from '#server/settings/defaults.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { copyDatabase } from '../../tests/database.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  type ServerWithPlatform,
  settleOperations,
  startServerWithPlatform,
  transferBody,
  withdrawalBody,
} from '../../tests/funded-account.ts'
import { platformAccount } from '../../tests/platform-account.ts'
import {
  call,
  makeClient,
  makeStaff,
  applySetting,
  staffTokenFor,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../../tests/factories.ts'
import { deleteDatabaseIdentity } from '../../tests/recovered.ts'
import { story } from '../../tests/story.ts'
import { dealSearch } from './deal-search.ts'
import { openRecovery } from './open-recovery.ts'
import { recoveryOf } from './stopped-money.ts'
import { recover } from './recover.ts'

let place: ServerWithPlatform
let before: TestServer
let restored: TestServer
let operations: MadeStaff
let finance: MadeStaff
let second: MadeStaff
let compliance: MadeStaff
let administrator: MadeStaff
let client: MadeClient
let source: { id: string; login: string }
let destination: { id: string; login: string }
let bankId: string
/** Records of the time that the copy does not know, by name. */
const lost: Record<string, string> = {}

async function withdraw(server: TestServer, amount: string): Promise<string> {
  const asked = await call(server, requestWithdrawal, {
    as: client,
    body: withdrawalBody(source, bankId, amount),
  })
  expect(asked.status, asked.bytes.toString()).toBe(201)
  return asked.answer.id
}

async function approve(server: TestServer, id: string): Promise<void> {
  const shown = await call(server, getOfficeWithdrawal, { as: operations, params: { id } })
  const { version } = shown.answer.withdrawal
  const done = await call(server, approveWithdrawal, {
    as: operations,
    params: { id },
    body: { version, ...allAcknowledged },
  })
  expect(done.status, done.bytes.toString()).toBe(200)
}

async function transfer(server: TestServer, amount: string): Promise<string> {
  const asked = await call(server, requestTransfer, {
    as: client,
    body: transferBody(source, destination, amount),
  })
  expect(asked.status, asked.bytes.toString()).toBe(201)
  return asked.answer.id
}

async function approveOf(server: TestServer, id: string): Promise<void> {
  const done = await call(server, approveTransfer, {
    as: operations,
    params: { id },
    body: { version: 1, ...allAcknowledged },
  })
  expect(done.status, done.bytes.toString()).toBe(200)
}

async function stateOf(server: TestServer, table: string, id: string): Promise<string | undefined> {
  const { rows: found } = await server.dependencies.pool.query<{ state: string }>(
    `select state from ${table} where id = $1`,
    [id],
  )
  return found[0]?.state
}

async function referenceOf(server: TestServer, table: string, id: string): Promise<string> {
  const { rows: found } = await server.dependencies.pool.query<{ reference: string }>(
    `select reference from ${table} where id = $1`,
    [id],
  )
  return found[0]?.reference ?? ''
}

beforeAll(async () => {
  place = await startServerWithPlatform()
  before = place.server
  operations = await makeStaff(before, ['operations'])
  finance = await makeStaff(before, ['finance'])
  second = await makeStaff(before, ['finance'])
  compliance = await makeStaff(before, ['compliance'])
  administrator = await makeStaff(before, ['administrator'])
  client = await makeClient(before)
  source = await makeFundedAccount(before, client, 500_000n)
  destination = await makeFundedAccount(before, client, 10_000n)
  bankId = await makeApprovedBank(before, client)
  lost['pending'] = await withdraw(before, '50')
  lost['approved'] = await withdraw(before, '60')
  lost['untouched'] = await withdraw(before, '65')
  lost['transfer'] = await transfer(before, '70')
  await approve(before, lost['approved'])
  await approveOf(before, lost['transfer'])
  const asked = await call(before, requestCorrection, {
    as: finance,
    body: { accountId: source.id, amount: '-5', currency: 'EUR', reason: 'Charged twice' },
  })
  lost['correction'] = asked.answer.id

  const copy = await copyDatabase(before.database)
  await deleteDatabaseIdentity(copy)
  before.clock.turn(30)
  await settleOperations(before)
  await approve(before, lost['pending'])
  lost['withdrawal'] = await withdraw(before, '80')
  await settleOperations(before)
  await approve(before, lost['withdrawal'])
  await settleOperations(before)
  lost['lostTransfer'] = await transfer(before, '90')
  await approveOf(before, lost['lostTransfer'])
  await settleOperations(before)
  await settleOperations(before)
  const correction = { as: second, params: { id: lost['correction'] }, body: { version: 1 } }
  const booked = await call(before, approveCorrection, correction)
  expect(booked.status, booked.bytes.toString()).toBe(200)
  await settleOperations(before)

  const env = { ...before.env, DATABASE_URL: copy.url, DATABASE_OWNER_URL: copy.ownerUrl }
  restored = await startTestServer({ beside: { ...before, database: copy, env } })
  restored.clock.turn(30)
})
afterAll(async () => {
  await restored.stop()
  await place.stop()
})

const run = ({ dependencies, clock }: TestServer = restored) =>
  recover(
    {
      dependencies,
      ...adoptionsOfFeatures(dependencies),
      askCheckout: (id, auditContext) => queryProvider(dependencies, id, auditContext),
    },
    new Date(clock.now().getTime() - 3_600_000),
  )

story('a restored copy detects its loss, adopts what the integrations show, and completes recovery', (step) => {
  step('without an open recovery, recover is rejected and adopts nothing', async () => {
    await expect(run(before)).rejects.toThrow('No recovery is open')
    expect(await stateOf(restored, 'withdrawals', lost['approved'] ?? '')).toBe('processing')
  })

  step('the copy detects that it has less than the platform before it sends anything', async () => {
    const found = await dealSearch(restored.dependencies, 'MT5').look(null)
    expect(found?.sign).toMatch(/^(unknown|waiting)-reference$/)
    const deals = await place.platform.read<unknown[]>(`deals?login=${source.login}&action=2`)
    await settleOperations(restored)
    expect(await place.platform.read<unknown[]>(`deals?login=${source.login}&action=2`)).toHaveLength(deals.length)
    expect(await recoveryOf(restored.dependencies.pool)).not.toBeNull()
  })

  step('recovery is open', async () => {
    const now = restored.clock.now()
    await transaction(restored.dependencies.jobs, (tx) =>
      openRecovery(tx, { sign: 'unknown-reference', since: new Date(now.getTime() - 1_200_000), now }),
    )
  })

  step('decided requests are adopted immediately, and nothing is sent', async () => {
    const deals = await place.platform.read<unknown[]>(`deals?login=${source.login}&action=2`)
    const report = await run()
    expect(await stateOf(restored, 'withdrawals', lost['approved'] ?? '')).toBe('approved')
    expect(await stateOf(restored, 'transfers', lost['transfer'] ?? '')).toBe('approved')
    // The debit of 60, and both legs of the transfer of 70.
    expect(report.adopted).toBe(3)
    expect(await place.platform.read<unknown[]>(`deals?login=${source.login}&action=2`)).toHaveLength(deals.length)
  })

  step('requests lost with or without their decision become items for two people', async () => {
    const items = await rows<{ kind: string; leg: string; reference: string }>(
      restored.dependencies.pool,
      sql`select kind, leg, reference from recovery_items where state = 'open' order by deal_at, id`,
    )
    expect(items.map(({ kind, leg }) => `${kind} ${leg}`).toSorted()).toEqual([
      'decision-lost correction',
      'decision-lost withdrawal-debit',
      'request-lost transfer-deposit',
      'request-lost transfer-withdraw',
      'request-lost withdrawal-debit',
    ])
    const pending = await referenceOf(before, 'withdrawals', lost['pending'] ?? '')
    expect(items.find(({ kind, leg }) => kind === 'decision-lost' && leg === 'withdrawal-debit')?.reference).toBe(
      pending,
    )
  })

  step('a second run changes nothing', async () => {
    const report = await run()
    expect(report.adopted).toBe(0)
    expect(report.items).toBe(5)
    expect(report.accountsOpened).toBe(false)
  })

  step('staff sign in again, because recovery has ended all sessions', async () => {
    await restored.dependencies.pool.query('update sessions set ended_at = null')
  })

  async function settle(kind: string, leg: string, named: object = {}): Promise<void> {
    const item = await row<{ id: string; version: number }>(
      restored.dependencies.pool,
      sql`select id, version from recovery_items where kind = ${kind} and leg = ${leg} and state = 'open'`,
    )
    const { id = '', version = 0 } = item ?? {}
    const proposed = await call(restored, recoveryCalls.proposeRecoveryItem, {
      as: finance,
      params: { id },
      body: { version, action: 'adopt', reason: 'Found at the platform', ...named },
    })
    expect(proposed.status, proposed.bytes.toString()).toBe(200)
    const own = await call(restored, recoveryCalls.confirmRecoveryItem, {
      as: finance,
      params: { id },
      body: { version: version + 1 },
    })
    expect(own.status, 'the person who proposed cannot confirm').toBe(403)
    const confirmed = await call(restored, recoveryCalls.confirmRecoveryItem, {
      as: second,
      params: { id },
      body: { version: version + 1 },
    })
    expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
  }

  step('two people in finance adopt each item, and operations and compliance cannot', async () => {
    const item = await row<{ id: string }>(
      restored.dependencies.pool,
      sql`select id from recovery_items where kind = 'decision-lost' and leg = 'withdrawal-debit'`,
    )
    for (const as of [operations, compliance])
      expect(
        (
          await call(restored, recoveryCalls.proposeRecoveryItem, {
            as,
            params: { id: item?.id ?? '' },
            body: { version: 1, action: 'adopt', reason: 'x' },
          })
        ).status,
      ).toBe(403)
    await settle('decision-lost', 'withdrawal-debit')
    expect(await stateOf(restored, 'withdrawals', lost['pending'] ?? '')).toBe('approved')
    await settle('decision-lost', 'correction')
    expect(await stateOf(restored, 'corrections', lost['correction'] ?? '')).toBe('approved')
    await settle('request-lost', 'withdrawal-debit', { bankId })
    await settle('request-lost', 'transfer-withdraw')
    const left = await rows(restored.dependencies.pool, sql`select id from recovery_items where state <> 'settled'`)
    expect(left, 'the credit of the transfer was adopted with its debit').toEqual([])
  })

  step('afterwards the ledger agrees with the platform, account by account', async () => {
    for (const account of [source, destination]) {
      const { balance } = await restored.dependencies.platforms.MT5.getAccount(account.login)
      const owed = await row<{ owed: bigint }>(
        restored.dependencies.pool,
        sql`select -sum(balance_minor)::bigint as owed from ledger_accounts where kind = 'client' and trading_account = ${account.id}`,
      )
      expect(owed?.owed).toBe(balance.minor)
    }
    for (const kind of ['payout_in_transit', 'transfer_in_transit', 'fees', 'corrections']) {
      const sums = await Promise.all(
        [before, restored].map((server) =>
          row<{ sum: bigint }>(
            server.dependencies.pool,
            sql`select coalesce(sum(balance_minor), 0)::bigint as sum from ledger_accounts where kind = ${kind}`,
          ),
        ),
      )
      expect(sums[1]?.sum, kind).toBe(sums[0]?.sum)
    }
    expect(await brokenInvariants(restored.dependencies.pool, restored.clock.now())).toEqual([])
    const [rewritten] = await rows<{ state: string; amount_minor: bigint }>(
      restored.dependencies.pool,
      sql`select state, amount_minor from withdrawals where reference = ${await referenceOf(before, 'withdrawals', lost['withdrawal'] ?? '')}`,
    )
    expect(rewritten).toEqual({ state: 'approved', amount_minor: 8_000n })
  })

  /** Writes a deal whose comment cannot be read. */
  async function byHand(login: string): Promise<{ ticket: string }> {
    const deal = await place.platform.turn('deals/write', { login, action: 2, amount: '7.00', comment: 'Rebate' })
    await place.platform.turn('deals/garble', { ticket: deal.ticket, fields: { Comment: null } })
    return { ticket: String(deal.ticket) }
  }

  step(
    'a deal with an unreadable reference keeps accounts stopped and clears nothing, because it may be ours',
    async () => {
      const { ticket } = await byHand(source.login)
      expect(await run()).toMatchObject({
        unread: ['MT5'],
        cleared: 0,
        accountsOpened: false,
        holds: [
          `Account MT5 ${source.login}, deal ${ticket}: the comment cannot be read. Correct it on the platform, or let two people in finance confirm in the back office, under Reconciliation, that the deal is not one of our operations. Then run recover again.`,
        ],
      })
      const found = await row<{ id: string }>(restored.dependencies.pool)`
      select id from differences where kind = 'unclear-deal' and facts ->> 'ticket' = ${ticket}`
      const of = { params: { id: found?.id ?? '' } }
      const proposal = { version: 1, proposal: 'explain', reason: 'The dealer booked it.' } as const
      const proposed = await call(restored, proposeDifference, { as: finance, ...of, body: proposal })
      expect(proposed.status, proposed.bytes.toString()).toBe(200)
      expect((await run()).unread).toEqual(['MT5'])
      const confirmed = await call(restored, confirmDifference, { as: second, ...of, body: { version: 2, note: '' } })
      expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
    },
  )

  step('such a deal does not keep accounts stopped if a record has it or if its account is not ours', async () => {
    const deals = await place.platform.read<{ ticket: string }[]>(`deals?login=${source.login}&action=2`)
    await place.platform.turn('deals/garble', { ticket: deals.at(-1)?.ticket, fields: { Comment: null } })
    const { login } = await restored.dependencies.platforms.MT5.createAccount(
      platformAccount('SOMEBODY-ELSE', 'real\\ecn-EUR'),
    )
    await byHand(login)
  })

  step('then accounts open, and a deal that is not ours changes nothing', async () => {
    const report = await run()
    expect(report.holds).toEqual([])
    expect(report.accountsOpened).toBe(true)
    const shown = await call(restored, recoveryCalls.getRecovery, { as: administrator })
    expect(shown.answer.recovery?.accountsOpenAt).not.toBeNull()
    expect(shown.answer.recovery?.payoutsOpenAt).toBeNull()
  })

  step('a request that was pending requires the client’s confirmation, unless staff reject it', async () => {
    const id = lost['untouched'] ?? ''
    const shown = await call(restored, getOfficeWithdrawal, { as: operations, params: { id } })
    const refusals = Object.fromEntries(shown.answer.withdrawal.verbs.map(({ verb, refusal }) => [verb, refusal?.code]))
    expect(refusals['approve']).toBe('awaits-client')
    expect(refusals['reject']).toBeUndefined()
    const waiting = await call(restored, getRequestsToConfirm, { as: client })
    expect(waiting.answer.requests.map((one) => one.id)).toContain(id)
    const other = await makeClient(restored)
    const foreign = await call(restored, confirmRequest, { as: other, body: { kind: 'withdrawal', id } })
    expect(foreign.status).toBe(404)
    const confirmed = await call(restored, confirmRequest, { as: client, body: { kind: 'withdrawal', id } })
    expect(confirmed.status).toBe(200)
    const again = await call(restored, getOfficeWithdrawal, { as: operations, params: { id } })
    expect(again.answer.withdrawal.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).not.toBe(
      'awaits-client',
    )
  })

  step('the client is notified once by email and in the portal, however often recover runs', async () => {
    await run()
    const { rows: mails } = await restored.dependencies.pool.query<{ facts: { count: number } }>(
      `select payload -> 'facts' as facts from operations where kind = 'mail' and subject = 'client' and record = $1
         and payload ->> 'kind' = 'requests-to-confirm'`,
      [client.id],
    )
    expect(mails).toHaveLength(1)
    const { answer } = await call(restored, listNotifications, { as: client })
    const notices = answer.notices.filter(({ text }) => text === 'Please confirm your open requests')
    expect(notices).toMatchObject([{ link: '/trading-accounts' }])
    expect(mails[0]?.facts.count).toBeGreaterThan(0)
  })

  step('the firm’s settings decide how many banking days the statements must extend past the loss', async () => {
    const neededTo = async () => {
      const { answer } = await call(restored, recoveryCalls.getRecovery, { as: finance })
      return answer.recovery?.bankAccounts[0]?.neededTo ?? ''
    }
    const standard = settingDefault('payouts', restored.clock.now())
    expect(standard.recoveryBankingDays).toBe(2)
    const byDefault = await neededTo()
    await applySetting(restored, 'payouts', { ...standard, recoveryBankingDays: 3 })
    expect((await neededTo()) > byDefault).toBe(true)
    await applySetting(restored, 'payouts', standard)
    expect(await neededTo()).toBe(byDefault)
    const times = settingDefault('sla', restored.clock.now())
    await applySetting(restored, 'sla', { ...times, holidays: [byDefault] })
    expect((await neededTo()) > byDefault, 'a holiday is not a banking day').toBe(true)
    await applySetting(restored, 'sla', times)
    expect(await neededTo()).toBe(byDefault)
  })

  step(
    'payouts open once statements cover the gap and two people in finance confirm, and the confirmation of access closes recovery',
    async () => {
      const early = await call(restored, recoveryCalls.confirmBank, { as: finance, body: {} })
      expect(early.json).toMatchObject({ code: 'recovery-statements' })
      const shown = await call(restored, recoveryCalls.getRecovery, { as: finance })
      const [first] = shown.answer.recovery?.bankAccounts ?? []
      const notOver = { account: first?.account, closing: '0', currency: first?.currency, on: first?.neededTo }
      const tooEarly = await call(restored, recoveryCalls.typeBankBalance, { as: finance, body: notOver as never })
      expect(tooEarly.failure.code, 'a day that has not ended has no closing balance').toBe('date-invalid')
      restored.clock.set(new Date(`${first?.neededTo}T24:00:00Z`))
      for (const one of [finance, second, compliance, administrator])
        Object.assign(one, await staffTokenFor(restored, one))
      for (const { account, currency, neededTo } of shown.answer.recovery?.bankAccounts ?? []) {
        const body = { account, closing: currency === 'GBP' ? '0' : '100', currency, on: neededTo }
        expect((await call(restored, recoveryCalls.typeBankBalance, { as: finance, body })).status).toBe(200)
        const own = await call(restored, recoveryCalls.confirmBankBalance, {
          as: finance,
          body: { account, closing: body.closing, on: neededTo },
        })
        expect(own.status).toBe(403)
        expect(
          (
            await call(restored, recoveryCalls.confirmBankBalance, {
              as: second,
              body: { account, closing: body.closing, on: neededTo },
            })
          ).status,
        ).toBe(200)
      }
      expect((await call(restored, recoveryCalls.confirmBank, { as: finance, body: {} })).status).toBe(200)
      expect((await call(restored, recoveryCalls.confirmBank, { as: finance, body: {} })).status).toBe(403)
      expect((await call(restored, recoveryCalls.confirmBank, { as: second, body: {} })).status).toBe(200)
      expect((await call(restored, recoveryCalls.confirmAccess, { as: compliance, body: {} })).status).toBe(200)
      const open = await call(restored, recoveryCalls.getRecovery, { as: finance })
      expect(open.answer.recovery?.payoutsOpenAt).not.toBeNull()
      expect((await call(restored, recoveryCalls.confirmAccess, { as: administrator, body: {} })).status).toBe(200)
      expect((await call(restored, recoveryCalls.getRecovery, { as: finance })).answer.recovery).toBeNull()
    },
  )
})
