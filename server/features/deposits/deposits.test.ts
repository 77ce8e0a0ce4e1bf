import { describe, expect, test } from 'vitest'
import * as contract from '#contract/deposits.ts'
import { getTransferHistory, getTransferTimeline } from '#contract/history.ts'
import { searchClients } from '#contract/office/clients.ts'
import * as office from '#contract/office/deposits.ts'
import * as bankLines from '#contract/office/bank-lines.ts'
import { getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { settingDefault } from '#server/settings/defaults.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import {
  makeApprovedBank,
  disableAtPlatform,
  makeFundedAccount,
  settleOperations,
  wireBody,
  withdrawalBody,
} from '../../../tests/funded-account.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  applySetting,
  type ClientTraits,
  type MadeClient,
  type MadeStaff,
} from '../../../tests/factories.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { makePaidWithdrawal } from '../../../tests/paid-withdrawal.ts'
import { expireDeposits } from './jobs.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const finance = staffForFile(server, ['finance'], { name: 'Johanna Meier' })
const auditor = staffForFile(server, ['auditor'])
const firmIban = 'DE91100000000123456789'

interface ReadyClient {
  client: MadeClient
  account: { id: AccountId; login: string }
}

async function readyClient(traits: ClientTraits = {}): Promise<ReadyClient> {
  const client = await makeClient(server, traits)
  return { client, account: await makeFundedAccount(server, client, 0n) }
}

function body({ account }: ReadyClient, amount: unknown, changes: object = {}) {
  return { ...wireBody(account, amount), ...changes }
}

function announceDeposit(
  ready: ReadyClient,
  amount: unknown,
  changes: object = {},
  headers: Record<string, string> = {},
) {
  return call(server, contract.requestWirePayment, { as: ready.client, body: body(ready, amount, changes), headers })
}

let lineNumber = 0
function transactionBody(changes: object = {}) {
  lineNumber += 1
  return {
    bankAccount: firmIban,
    bankId: `LINE-${lineNumber}`,
    amount: '250.00',
    currency: 'EUR',
    payer: 'Hannah Brandt',
    payerAccount: 'DE02 1203 0000 0000 2020 51',
    remittance: '',
    bookedOn: '2026-06-19',
    ...changes,
  }
}

function enterTransaction(changes: object = {}, as = operations) {
  return call(server, bankLines.enterBankTransaction, { as, body: transactionBody(changes) })
}

async function versionOf(table: 'deposits' | 'bank_lines', id: string) {
  const found = await row<{ version: number; state: string }>(
    server.dependencies.pool,
    table === 'deposits'
      ? sql`select version, state from deposits where id = ${id}`
      : sql`select version, state from bank_lines where id = ${id}`,
  )
  if (!found) throw new Error('no such row')
  return found
}

async function match(depositId: string, lineId: string, as = operations) {
  const deposit = await versionOf('deposits', depositId)
  const { version: lineVersion } = await versionOf('bank_lines', lineId)
  return call(server, bankLines.matchDeposit, {
    as,
    params: { id: depositId },
    body: { version: deposit.version, lineId, lineVersion },
  })
}

async function deals(login: string): Promise<{ amount: string }[]> {
  return place.platform.read(`deals?login=${login}&action=2`)
}

async function ledgerSums() {
  return rows<{ currency: string; sum: bigint }>(
    server.dependencies.pool,
    sql`select currency, sum(balance_minor)::bigint as sum from ledger_accounts group by currency`,
  )
}

describe('a bank transfer request', () => {
  test('returns the firm’s bank details with a payment reference that is unique to it', async () => {
    const ready = await readyClient()
    const one = await announceDeposit(ready, '250.00')
    const other = await announceDeposit(ready, 250)
    expect(one.status).toBe(201)
    expect(one.answer.bankDetails).toMatchObject({
      IBAN: firmIban,
      BankReference: expect.stringMatching(/^CR-[0-9A-Z]{8}$/),
    })
    expect(other.answer.bankDetails.BankReference).not.toBe(one.answer.bankDetails.BankReference)
  })

  test.each([
    -1,
    0,
    '',
    ' 10',
    1e-9,
    '1e2',
    '0x10',
    '10,00',
    '１０',
    '∞',
    null,
    true,
    [10],
    {},
    '10.001',
    '9'.repeat(400),
  ])('of %j is rejected with an error on the amount', async (amount) => {
    const ready = await readyClient()
    const reply = await announceDeposit(ready, amount)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.failure.errors)).toEqual(['depositAmountSent'])
  })

  test.each([
    ['below the minimum', '9.99', {}, 'depositAmountSent', 'Amount too low'],
    [
      'in a currency other than the account’s',
      '50',
      { depositCurrency: 'GBP' },
      'depositCurrency',
      'Choose the currency of the account.',
    ],
    [
      'to an unknown account',
      '50',
      { accountNumber: '99' },
      'accountNumber',
      'This trading account does not exist. Choose one from the list.',
    ],
  ])('%s is rejected with an error on its field', async (_case, amount, changes, field, sentence) => {
    const reply = await announceDeposit(await readyClient(), amount, changes)
    expect(reply.failure.errors).toEqual({ [field]: sentence })
  })

  test('is rejected for a demo account, for another client’s account and before the client accepts the declaration', async () => {
    const ready = await readyClient()
    const demo = await makeAccount(server, ready.client, { requestType: 'demo' })
    expect((await announceDeposit(ready, 50, { accountNumber: demo.login })).failure.code).toBe('demo-account')
    const stranger = await readyClient()
    expect((await announceDeposit({ ...ready, client: stranger.client }, 50)).status).toBe(404)
    const undeclared = await readyClient({ declaration: false })
    expect((await announceDeposit(undeclared, 50)).failure.code).toBe('declaration-first')
  })

  test('is rejected for an account that its platform has disabled', async () => {
    const ready = await readyClient()
    await disableAtPlatform(server, ready.account)
    expect((await announceDeposit(ready, 50)).failure).toMatchObject({
      code: 'account-not-approved',
      errors: { accountNumber: expect.any(String) as unknown },
    })
  })

  test('is rejected for an account whose platform is not connected', async () => {
    const ready = await readyClient()
    const elsewhere = await makeAccount(server, ready.client, { platform: 'MT4' })
    const changes = { accountPlatform: 'MT4', accountNumber: elsewhere.login }
    expect((await announceDeposit(ready, 50, changes)).failure).toMatchObject({
      code: 'platform-not-connected',
      errors: { accountNumber: expect.any(String) as unknown },
    })
  })

  test('can be read again, emailed and downloaded as a PDF by its owner only', async () => {
    const ready = await readyClient({ language: 'de' })
    const { id, bankDetails } = (await announceDeposit(ready, '250.00')).answer
    const again = await call(server, contract.getWireDetails, { as: ready.client, params: { id } })
    expect(again.answer.bankDetails).toEqual(bankDetails)
    const pdf = await call(server, contract.wireDetailsPdf, { as: ready.client, params: { id } })
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await call(server, contract.mailWireDetails, { as: ready.client, body: { id } })).status).toBe(200)
    const mail = await row<{ payload: { kind: string } }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'mail' and record = ${id}`,
    )
    expect(mail?.payload).toMatchObject({
      kind: 'wire-details',
      language: 'de',
      facts: { BankReference: bankDetails.BankReference, record: id },
    })
    const stranger = await makeClient(server)
    expect((await call(server, contract.getWireDetails, { as: stranger, params: { id } })).status).toBe(404)
    expect((await call(server, contract.wireDetailsPdf, { as: stranger, params: { id } })).status).toBe(404)
    expect((await call(server, contract.mailWireDetails, { as: stranger, body: { id } })).status).toBe(404)
    expect((await call(server, contract.cancelDeposit, { as: stranger, body: { id } })).status).toBe(404)
  })

  test('is rejected while deposits are closed and where the firm has no bank account in the currency', async () => {
    const ready = await readyClient()
    const { settings } = server.dependencies
    const [windDown, wireAccounts] = [await settings.get('windDown'), await settings.get('wireAccounts')]
    await applySetting(server, 'windDown', { ...windDown, deposits: true })
    expect((await announceDeposit(ready, 50)).failure.code).toBe('deposits-closed')
    await applySetting(server, 'windDown', windDown)
    const none = { ...wireAccounts.EUR, IBAN: '', BankAccountNumber: '' }
    await applySetting(server, 'wireAccounts', { ...wireAccounts, EUR: none })
    expect((await announceDeposit(ready, 50)).failure.code).toBe('wire-account-missing')
    await applySetting(server, 'wireAccounts', wireAccounts)
    expect((await announceDeposit(ready, 50)).status).toBe(201)
  })

  test('can be cancelled once while it is pending, after which its bank details are not available', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, 50)).answer
    expect((await call(server, contract.cancelDeposit, { as: ready.client, body: { id } })).status).toBe(200)
    expect((await call(server, contract.cancelDeposit, { as: ready.client, body: { id } })).status).toBe(409)
    // A client who cancelled must not be shown where to send the money.
    expect((await call(server, contract.getWireDetails, { as: ready.client, params: { id } })).status).toBe(409)
    expect((await call(server, contract.wireDetailsPdf, { as: ready.client, params: { id } })).status).toBe(409)
    expect((await call(server, contract.mailWireDetails, { as: ready.client, body: { id } })).status).toBe(409)
  })

  test('whose payment has arrived is neither cancelled nor ended, and the client sees when it arrived', async () => {
    const ready = await readyClient()
    const { id, bankDetails } = (await announceDeposit(ready, 50)).answer
    const shown = async () => {
      const params = { list: 'deposits', id } as const
      const { deposit, arrivedAt } = (await call(server, getTransferTimeline, { as: ready.client, params })).answer
      const [listed] = (await call(server, getTransferHistory, { as: ready.client })).answer.deposits ?? []
      expect(listed, 'the list shows the same').toEqual(deposit)
      return { cancellable: deposit?.cancellable, arrivedAt }
    }
    expect(await shown()).toEqual({ cancellable: true, arrivedAt: null })
    const other = { currency: 'GBP', bankAccount: 'GB29NWBK60161331926819' }
    await enterTransaction({ ...other, remittance: bankDetails.BankReference })
    expect(await shown(), 'another currency cannot pay it').toEqual({ cancellable: true, arrivedAt: null })
    const reference = bankDetails.BankReference.toLowerCase().replace('-', ' ')
    const line = (await enterTransaction({ amount: '49.00', remittance: `Thanks ${reference}` })).answer
    expect(await shown()).toEqual({ cancellable: false, arrivedAt: expect.any(Date) as Date })
    const refused = await call(server, contract.cancelDeposit, { as: ready.client, body: { id } })
    expect([refused.status, refused.failure.code]).toEqual([409, 'transfer-arrived'])
    await expireDeposits(server.dependencies, new Date(server.clock.now().getTime() + 31 * 86_400_000))
    expect((await versionOf('deposits', id)).state).toBe('pending')
    expect((await match(id, line.id)).status).toBe(200)
    expect(await shown(), 'the match is a step of its own').toEqual({ cancellable: false, arrivedAt: null })
  })

  test('whose payment arrives while it is being ended does not end', async () => {
    const ready = await readyClient()
    const { id, bankDetails } = (await announceDeposit(ready, 50)).answer
    const { jobs } = server.dependencies
    const after = new Date(server.clock.now().getTime() + 31 * 86_400_000)
    const ended = await transaction(jobs, async (tx) => {
      await row(tx, sql`select id from deposits where id = ${id} for update`)
      const ending = expireDeposits(server.dependencies, after)
      await waitForBlockedConnections(jobs)
      await enterTransaction({ amount: '50.00', remittance: bankDetails.BankReference })
      return { ending }
    })
    await ended.ending
    expect((await versionOf('deposits', id)).state).toBe('pending')
  })

  test('whose payment has not arrived is cancelled after 30 days, and the client is notified', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, 50)).answer
    const late = new Date(server.clock.now().getTime() + 31 * 86_400_000)
    await expireDeposits(server.dependencies, new Date(late.getTime() - 2 * 86_400_000))
    expect((await versionOf('deposits', id)).state).toBe('pending')
    await expireDeposits(server.dependencies, late)
    expect((await versionOf('deposits', id)).state).toBe('cancelled')
    const notified = await row(
      server.dependencies.pool,
      sql`select kind, facts ->> 'platform' as platform from notices where client_id = ${ready.client.id}`,
    )
    expect(notified).toEqual({ kind: 'deposit-cancelled', platform: 'MT5' })
  })
})

describe('a matched bank transfer', () => {
  test('is credited once on the platform and in the ledger, and the client is notified', async () => {
    const ready = await readyClient()
    const { id, bankDetails } = (await announceDeposit(ready, '250.00')).answer
    const { id: lineId, state } = (await enterTransaction({ remittance: `Thanks ${bankDetails.BankReference}` })).answer
    expect(state).toBe('unmatched')
    const page = await call(server, office.getOfficeDeposit, { as: operations, params: { id } })
    expect(page.answer.deposit.suggestions[0]).toMatchObject({
      line: { id: lineId },
      reasons: ['reference', 'amount', 'name'],
      difference: 0n,
    })
    expect((await match(id, lineId)).answer.state).toBe('processing')
    await settleOperations(server)
    expect((await versionOf('deposits', id)).state).toBe('approved')
    expect((await deals(ready.account.login)).map(({ amount }) => Number(amount))).toEqual([250])
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(25_000n)
    expect((await ledgerSums()).every(({ sum }) => sum === 0n)).toBe(true)
    const notified = await rows(
      server.dependencies.pool,
      sql`select kind from notices where client_id = ${ready.client.id}`,
    )
    expect(notified).toEqual([{ kind: 'deposit-credited' }])
    expect((await match(id, lineId)).status).toBe(409)
    await settleOperations(server)
    expect(await deals(ready.account.login)).toHaveLength(1)
  })

  test('is suggested even among hundreds of newer bank transactions and deposit requests', async () => {
    const ready = await readyClient()
    const { id, bankDetails } = (await announceDeposit(ready, '263.00')).answer
    const { id: lineId } = (
      await enterTransaction({ amount: '264.00', remittance: `Thanks ${bankDetails.BankReference}` })
    ).answer
    const later = new Date(server.clock.now().getTime() + 60_000)
    await run(
      server.dependencies.pool,
      sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, created_at)
        select ${firmIban}, 'CROWD-' || n, 1, 'EUR', 'A Stranger', '', '2026-06-19', 'unmatched', ${later} from generate_series(1, 301) n`,
    )
    await run(
      server.dependencies.pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state, requested_at, expires_at)
        select ${ready.client.id}, ${ready.account.id}, 'wire', 'Bank Transfer', 'bank', 999, 'EUR', 'CROWD-' || n, 'pending', ${later}, ${later}
          from generate_series(1, 501) n`,
    )
    const { deposit } = (await call(server, office.getOfficeDeposit, { as: operations, params: { id } })).answer
    const { suggestions } = (await call(server, bankLines.getBankLine, { as: operations, params: { id: lineId } }))
      .answer
    await run(server.dependencies.pool, sql`delete from bank_lines where bank_id like 'CROWD-%'`)
    await run(server.dependencies.pool, sql`delete from deposits where reference like 'CROWD-%'`)
    expect(deposit.suggestions[0]).toMatchObject({ line: { id: lineId }, reasons: ['reference', 'name'] })
    expect(suggestions[0]).toMatchObject({ depositId: id, reasons: ['reference', 'name'] })
  })

  test('is shown on a withdrawal to the bank account that it came from', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, '250.00')).answer
    await match(id, (await enterTransaction()).answer.id)
    await settleOperations(server)
    const asked = await call(server, requestWithdrawal, {
      as: ready.client,
      body: withdrawalBody(ready.account, await makeApprovedBank(server, ready.client), '20'),
    })
    const params = { id: asked.answer.id }
    const { withdrawal } = (await call(server, getOfficeWithdrawal, { as: operations, params })).answer
    expect(withdrawal.bank.depositedFrom).toBe(25_000n)
  })

  test('credits the amount received and keeps the amount requested', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, '250.00')).answer
    const { id: lineId } = (await enterTransaction({ amount: '245.50' })).answer
    expect((await match(id, lineId)).status).toBe(200)
    await settleOperations(server)
    const kept = await row(
      server.dependencies.pool,
      sql`select amount_minor, received_minor from deposits where id = ${id}`,
    )
    expect(kept).toEqual({ amount_minor: 25_000n, received_minor: 24_550n })
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(24_550n)
  })

  test('whose platform response is lost is queried and credited once', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, '250.00')).answer
    const { id: lineId } = (await enterTransaction()).answer
    await place.platform.turn('drop-after', { login: ready.account.login })
    await match(id, lineId)
    await settleOperations(server)
    server.clock.turn(30)
    await settleOperations(server)
    expect((await versionOf('deposits', id)).state).toBe('approved')
    expect(await deals(ready.account.login)).toHaveLength(1)
  })

  test('whose credit the platform rejects is rejected, and its bank transaction is unmatched again', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, '250.00')).answer
    const { id: lineId } = (await enterTransaction()).answer
    await place.platform.turn('refuse', { retcode: 13, login: ready.account.login })
    await match(id, lineId)
    await settleOperations(server)
    expect((await versionOf('deposits', id)).state).toBe('rejected')
    expect((await versionOf('bank_lines', lineId)).state).toBe('unmatched')
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(0n)
    const { id: second } = (await announceDeposit(ready, '250.00')).answer
    expect((await match(second, lineId)).status).toBe(200)
    await settleOperations(server)
    expect((await versionOf('deposits', second)).state).toBe('approved')
  })

  test('must exceed its fee, and the fee stays with the firm', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, 250)).answer
    await run(
      server.dependencies.pool,
      sql`update deposits set method = 'Wire of before', fee_minor = 500 where id = ${id}`,
    )
    const { id: lineId } = (await enterTransaction({ amount: '5.00' })).answer
    expect((await match(id, lineId)).failure.code).toBe('fee-over-amount')
    expect((await versionOf('bank_lines', lineId)).state).toBe('unmatched')
    expect((await match(id, (await enterTransaction({ amount: '50.00' })).answer.id)).status).toBe(200)
    await settleOperations(server)
    expect((await deals(ready.account.login)).map(({ amount }) => Number(amount))).toEqual([45])
    const booked = await rows(
      server.dependencies.pool,
      sql`select l.kind, p.minor from postings p join entries e on e.id = p.entry_id
          join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} order by l.kind`,
    )
    expect(booked).toEqual([
      { kind: 'arrived_unmatched', minor: 5_000n },
      { kind: 'client', minor: -4_500n },
      { kind: 'fees', minor: -500n },
    ])
  })

  test('has the fee shown at its request, or without one that of its booking day, whatever applies at the match', async () => {
    const { settings } = server.dependencies
    const methods = await settings.get('methods')
    const applyFee = async (percent: string) => {
      const deposit = methods.deposit.map((one) =>
        one.type === 'wire' ? { ...one, fee: { percent, flat: '0' } } : one,
      )
      server.clock.turn(1)
      await applySetting(server, 'methods', { ...methods, deposit })
    }
    const feeOf = async (id: string) =>
      (
        await row<{ fee: bigint }>(
          server.dependencies.pool,
          sql`select fee_minor as fee from deposits where id = ${id}`,
        )
      )?.fee
    const ready = await readyClient()
    await applyFee('1')
    const [exact, other] = [
      (await announceDeposit(ready, '250.00')).answer.id,
      (await announceDeposit(ready, '250.00')).answer.id,
    ]
    await applyFee('3')
    expect((await match(exact, (await enterTransaction()).answer.id)).status).toBe(200)
    expect((await match(other, (await enterTransaction({ amount: '100.00' })).answer.id)).status).toBe(200)
    expect([await feeOf(exact), await feeOf(other)]).toEqual([250n, 100n])
    const { id } = (await enterTransaction({ bookedOn: '2026-06-18' })).answer
    const body = { version: 1, accountId: ready.account.id }
    expect((await call(server, bankLines.matchLine, { as: operations, params: { id }, body })).status).toBe(200)
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(59_650n)
    await applySetting(server, 'methods', methods)
  })

  test('is not created from a stale page of the deposit or of the bank transaction', async () => {
    const { id } = (await announceDeposit(await readyClient(), 250)).answer
    const { id: lineId } = (await enterTransaction()).answer
    for (const versions of [
      { version: 99, lineVersion: 1 },
      { version: 1, lineVersion: 99 },
    ]) {
      const body = { lineId, ...versions }
      const stale = await call(server, bankLines.matchDeposit, { as: operations, params: { id }, body })
      expect(stale.failure.code).toBe('stale-page')
    }
    expect((await versionOf('deposits', id)).state).toBe('pending')
    expect((await versionOf('bank_lines', lineId)).state).toBe('unmatched')
  })

  test('cannot be a deposit through the payment provider', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, 250)).answer
    const become = (type: string) =>
      run(server.dependencies.pool, sql`update deposits set type = ${type} where id = ${id}`)
    await become('ideal')
    const { id: lineId } = (await enterTransaction()).answer
    expect((await match(id, lineId)).failure.code).toBe('wrong-state')
    expect((await versionOf('bank_lines', lineId)).state).toBe('unmatched')
    await become('wire')
  })

  test('pays one deposit when one bank transaction is matched to two deposits concurrently', async () => {
    const ready = await readyClient()
    const ids = [(await announceDeposit(ready, 250)).answer.id, (await announceDeposit(ready, 250)).answer.id]
    const { id: lineId } = (await enterTransaction()).answer
    const replies = await Promise.all(ids.map((id) => match(id, lineId)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(25_000n)
  })

  test('is not created in another currency, by an auditor or by a clerk with the client’s email address', async () => {
    const ready = await readyClient()
    const { id } = (await announceDeposit(ready, 250)).answer
    const pounds = await enterTransaction({ currency: 'GBP', bankAccount: 'GB29NWBK60161331926819' })
    expect((await match(id, pounds.answer.id)).failure.code).toBe('other-currency')
    const euros = await enterTransaction()
    expect((await match(id, euros.answer.id, auditor)).status).toBe(403)
    const self = await makeStaff(server, ['operations'], { email: ready.client.email })
    expect((await match(id, euros.answer.id, self)).failure.code).toBe('own-request')
  })

  test('without a request is credited to the account that staff choose, if that account can receive deposits', async () => {
    const ready = await readyClient()
    const { id: lineId } = (await enterTransaction()).answer
    const give = (accountId: string) =>
      call(server, bankLines.matchLine, { as: operations, params: { id: lineId }, body: { version: 1, accountId } })
    const demo = await makeAccount(server, ready.client, { requestType: 'demo' })
    const refused = await makeAccount(server, ready.client, { state: 'rejected' })
    const pounds = await makeAccount(server, ready.client, { currency: 'GBP' })
    const closed = await makeAccount(server, await makeClient(server, { state: 'closed' }))
    const disabled = await readyClient()
    await disableAtPlatform(server, disabled.account)
    const codes = []
    for (const { id } of [demo, refused, pounds, closed, disabled.account]) codes.push((await give(id)).failure.code)
    expect(codes).toEqual([
      'demo-account',
      'account-not-approved',
      'other-currency',
      'owner-closed',
      'account-not-approved',
    ])
    const matched = await give(ready.account.id)
    expect(matched.answer.state).toBe('matched')
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: ready.account.id })).toBe(25_000n)
  })
})

test('deposit minimum and second-approval threshold are those of the currency of the payment', async () => {
  const { settings } = server.dependencies
  const [limits, thresholds] = [await settings.get('limits'), await settings.get('thresholds')]
  await applySetting(server, 'limits', { ...limits, depositMin: { ...limits.depositMin, GBP: 5_000n } })
  await applySetting(server, 'thresholds', { ...thresholds, GBP: 10_000n })
  const client = await makeClient(server)
  const ready = { client, account: await makeFundedAccount(server, client, 0n, 'GBP') }
  const small = await announceDeposit(ready, '49.99', { depositCurrency: 'GBP' })
  expect(small.failure).toMatchObject({ code: 'deposit-too-low', values: { minimum: '50.00\u00a0GBP' } })
  const pounds = { currency: 'GBP', bankAccount: 'GB29NWBK60161331926819' }
  expect((await enterTransaction({ ...pounds, amount: '100.00' })).answer.state).toBe('second_approval')
  expect((await enterTransaction({ ...pounds, bankAccount: firmIban })).failure.code).toBe('other-currency')
  await applySetting(server, 'limits', limits)
  await applySetting(server, 'thresholds', thresholds)
})

test('the bank transfer requests of a client that have not arrived are capped in total in each currency', async () => {
  const ready = await readyClient()
  const { settings } = server.dependencies
  const limits = await settings.get('limits')
  expect(limits.announcedMax).toEqual({ EUR: 100_000_000n, GBP: 100_000_000n, USD: 100_000_000n })
  await applySetting(server, 'limits', { ...limits, announcedMax: { ...limits.announcedMax, EUR: 50_000n } })
  const alone = (await announceDeposit(ready, '500.01')).failure
  expect([alone.code, alone.errors['depositAmountSent']]).toEqual([
    'announced-over-maximum',
    'The maximum for bank transfers is 500.00\u00a0EUR. Enter a smaller amount.',
  ])
  const first = (await announceDeposit(ready, '300.00')).answer
  const over = await announceDeposit(ready, '200.01')
  expect(over.status).toBe(409)
  expect(over.failure).toMatchObject({
    code: 'announced-too-much',
    values: { sum: '300.00\u00a0EUR', most: '500.00\u00a0EUR' },
  })
  expect(over.failure.errors['depositAmountSent']).toContain('300.00')
  const atOnce = await Promise.all([announceDeposit(ready, '150.00'), announceDeposit(ready, '150.00')])
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const params = { as: ready.client, body: { id: first.id } }
  expect((await call(server, contract.cancelDeposit, params)).status).toBe(200)
  expect((await announceDeposit(ready, '350.00')).status).toBe(201)
  expect(
    (await announceDeposit(await readyClient(), '500.00')).status,
    'the limit applies to each client separately',
  ).toBe(201)
  await applySetting(server, 'limits', limits)
})

describe('a bank transaction', () => {
  test('entered manually at the threshold needs second approval by finance, not by the person who entered it', async () => {
    const both = await makeStaff(server, ['operations', 'finance'])
    const { id, state } = (await enterTransaction({ amount: '10000.00' }, both)).answer
    expect(state).toBe('second_approval')
    const confirm = (as: MadeStaff) => call(server, bankLines.confirmLine, { as, params: { id }, body: { version: 1 } })
    expect((await confirm(both)).failure.code).toBe('own-act')
    expect((await confirm(operations)).failure.code).toBe('wrong-role')
    expect((await confirm(finance)).answer.state).toBe('unmatched')
    expect((await confirm(finance)).status).toBe(409)
  })

  test('entered manually needs second approval once the amounts of one person within 24 hours reach the threshold', async () => {
    const clerk = await makeStaff(server, ['operations'])
    const enter = async (amount: string, as = clerk) => (await enterTransaction({ amount }, as)).answer
    expect((await enter('9999.98')).state).toBe('unmatched')
    expect((await enter('0.01')).state).toBe('unmatched')
    const { id, state } = await enter('0.01')
    expect(state).toBe('second_approval')
    expect((await enter('9999.98', await makeStaff(server, ['operations']))).state).toBe('unmatched')
    const confirmed = await call(server, bankLines.confirmLine, { as: finance, params: { id }, body: { version: 1 } })
    expect(confirmed.answer.state).toBe('unmatched')
    expect((await enter('0.01')).state, 'the next one too: the first two were confirmed by no one').toBe(
      'second_approval',
    )
    await run(
      server.dependencies.pool,
      sql`update bank_lines set created_at = created_at - interval '24 hours' where typed_by = ${clerk.id}`,
    )
    expect((await enter('9999.99')).state).toBe('unmatched')
  })

  test('entered manually by one person five times at once leaves four for second approval', async () => {
    const clerk = await makeStaff(server, ['operations'])
    const entered = await Promise.all(Array.from({ length: 5 }, () => enterTransaction({ amount: '9999.99' }, clerk)))
    const states = entered.map(({ answer }) => answer.state).toSorted()
    expect(states).toEqual([...Array(4).fill('second_approval'), 'unmatched'])
  })

  test('can be entered once by operations, for a bank account of the firm and with a date not in the future', async () => {
    const first = transactionBody()
    expect((await call(server, bankLines.enterBankTransaction, { as: operations, body: first })).status).toBe(201)
    expect((await call(server, bankLines.enterBankTransaction, { as: operations, body: first })).failure.code).toBe(
      'line-known',
    )
    expect((await enterTransaction({ bankAccount: 'DE02120300000000202051' })).failure.code).toBe(
      'account-unknown-bank',
    )
    expect((await enterTransaction({ bookedOn: '2026-06-20' })).failure.errors['bookedOn']).toBeDefined()
    expect((await enterTransaction({}, finance)).failure.code).toBe('wrong-role')
  })

  test('that finance rejected as never received can be entered again with its id and needs second approval again', async () => {
    const again = transactionBody({ amount: '10000.00' })
    const type = async () =>
      (await call(server, bankLines.enterBankTransaction, { as: operations, body: again })).answer
    const { id } = await type()
    const refused = { as: finance, params: { id }, body: { version: 1, reason: 'It is not in the bank.' } }
    expect((await call(server, bankLines.rejectLine, refused)).status).toBe(200)
    const second = await type()
    expect([second.state, second.id === id]).toEqual(['second_approval', false])
    expect((await call(server, bankLines.enterBankTransaction, { as: operations, body: again })).failure.code).toBe(
      'line-known',
    )
  })

  test('is due within the SLA that the firm has set for bank transactions', async () => {
    const now = server.clock.now()
    const sla = settingDefault('sla', now)
    await applySetting(server, 'sla', { ...sla, times: { ...sla.times, bank_line: { number: 6, unit: 'hours' } } })
    const { id } = (await enterTransaction()).answer
    const statement = {
      bankAccount: firmIban,
      filename: 'due.csv',
      csv: 'Date;Amount;Payer;IBAN;Reference;Id\n2026-06-19;10.00;A;;;due-1',
    }
    const [imported] = (await call(server, bankLines.importStatement, { as: operations, body: statement })).answer.lines
    const due = await rows<{ due: Date }>(
      server.dependencies.pool,
      sql`select due_at as due from work_items where kind = 'bank_line' and record = any (${[id, imported?.id]}::uuid[])`,
    )
    expect(due.map((one) => (one.due.getTime() - now.getTime()) / 3_600_000)).toEqual([6, 6])
  })

  test('without a match can be returned to its sender by finance', async () => {
    const { id } = (await enterTransaction()).answer
    const send = (as: MadeStaff, reason = 'Payer unknown') =>
      call(server, bankLines.sendBackLine, { as, params: { id }, body: { version: 1, reason } })
    expect((await send(operations)).failure.code).toBe('wrong-role')
    expect((await send(finance)).answer.state).toBe('sent_back')
    const left = await row(
      server.dependencies.pool,
      sql`select sum(p.minor)::bigint as sum from postings p join entries e on e.id = p.entry_id
          join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} and l.kind = 'arrived_unmatched'`,
    )
    expect(left).toEqual({ sum: 0n })
  })
})

describe('a bank statement', () => {
  const header = 'Date;Amount;Payer;IBAN;Reference;Id'
  const imported = (csv: string, as = operations) =>
    call(server, bankLines.importStatement, { as, body: { bankAccount: firmIban, filename: 'statement.csv', csv } })

  /** Returns the audit events of imports with two transactions. */
  const importsOfTwo = () =>
    rows(
      server.dependencies.pool,
      sql`select 1 from events e join statement_imports s on s.id = e.record where e.verb = 'import' and s.lines = 2`,
    )

  test('is imported completely, with each transaction once even if it appears in several files', async () => {
    const ready = await readyClient()
    const { bankDetails } = (await announceDeposit(ready, '75.25')).answer
    const rowsOf = [
      `2026-06-18;75,25;Hannah Brandt;DE02;${bankDetails.BankReference};S-1`,
      '18.06.2026;-20.00;Payout;;CR;S-2',
    ]
    const before = (await importsOfTwo()).length
    const first = await imported([header, ...rowsOf].join('\n'))
    expect(first.answer).toMatchObject({ imported: 2, known: 0, outgoing: 1, suggested: 1 })
    expect((await imported([header, ...rowsOf].join('\n'))).answer).toMatchObject({ imported: 0, known: 2 })
    expect(await importsOfTwo(), 'importing the same file again adds no import').toHaveLength(before + 1)
    const more = [header, ...rowsOf, '2026-06-18;1.00;New;;;S-3'].join('\n')
    expect((await imported(more)).answer).toMatchObject({ imported: 1, known: 2 })
  })

  test('counts every transaction for which a deposit is suggested', async () => {
    const ready = await readyClient()
    const { bankDetails } = (await announceDeposit(ready, '11.00')).answer
    const lines = Array.from(
      { length: 12 },
      (_, place) => `2026-06-18;1.0${place % 10};A;;${bankDetails.BankReference};M-${place}`,
    )
    expect((await imported([header, ...lines].join('\n'))).answer).toMatchObject({ imported: 12, suggested: 12 })
  })

  test('with an unreadable line is rejected completely, and the error names the line', async () => {
    const reply = await imported([header, '2026-06-18;5.00;A;;;U-1', '2026-06-18;five;B;;;U-2'].join('\n'))
    expect([reply.status, reply.failure.code, reply.failure.values['line']]).toEqual([422, 'statement-invalid', 3])
    expect(await rows(server.dependencies.pool, sql`select id from bank_lines where bank_id = 'U-1'`)).toEqual([])
    expect((await imported('nothing here')).status).toBe(422)
    const long = [header, ...Array.from({ length: 5001 }, (_, place) => `2026-06-18;1.00;A;;;L-${place}`)].join('\n')
    expect((await imported(long)).failure).toMatchObject({ code: 'statement-long', values: { most: 5000 } })
    expect((await imported(header, auditor)).status).toBe(403)
  })

  test.each([
    ['there is no amount column', 'Die Spalte für den Betrag fehlt', 1, 'Date;Payer;Reference\n2026-06-18;A;x'],
    ['there are no transactions below it', 'Darunter stehen keine Umsätze', 1, header],
    ['it has different columns', 'Ihre Spalten weichen', 2, `${header}\n2026-06-18;5.00;A`],
    ['the amount is zero', 'Der Betrag ist null', 2, `${header}\n2026-06-18;0.00;A;;x;F-1`],
    ['the date is not valid', 'Das Datum ist ungültig', 2, `${header}\n2026-06-31;5.00;A;;x;F-1`],
  ])('is rejected with an error in the reader’s language if %s', async (english, german, line, csv) => {
    const body = { bankAccount: firmIban, filename: 'june.csv', csv }
    const errorIn = async (language: string) => {
      const headers = { 'accept-language': language }
      return (await call(server, bankLines.importStatement, { as: operations, body, headers })).failure.errors['csv']
    }
    expect(await errorIn('en')).toMatch(new RegExp(`^Line ${line} .*${english}`))
    expect(await errorIn('de')).toMatch(new RegExp(`^Zeile ${line} .*${german}`))
  })

  test('with one id for two payments, or an id that is too long, is rejected: a payment would be lost (requirements 28.15)', async () => {
    const long = 'L'.repeat(64)
    for (const ids of [
      ['W-1', 'W-1'],
      [`${long}1`, `${long}2`],
    ]) {
      const reply = await imported(
        [header, `2026-06-18;5.00;A;;x;${ids[0]}`, `2026-06-18;6.00;B;;y;${ids[1]}`].join('\n'),
      )
      expect([reply.status, reply.failure.code]).toEqual([422, 'statement-invalid'])
    }
    const kept = await rows(
      server.dependencies.pool,
      sql`select id from bank_lines where bank_id = 'W-1' or bank_id like ${`${long}%`}`,
    )
    expect(kept).toEqual([])
    const twice = '2026-06-18;5.00;A;;x;W-2'
    expect((await imported([header, twice, twice].join('\n'))).answer).toMatchObject({ imported: 1, known: 1 })
  })

  test.each([
    ['with expanding entities', '<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;&b;">]><Document>&d;</Document>'],
    ['with an external file entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Document>&b;</Document>'],
    ['in the camt.053 format of banks', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"></Document>'],
  ])('in XML %s is rejected and not parsed (requirements 30.6)', async (_, xml) => {
    const reply = await imported(`<?xml version="1.0"?>\n${xml}\n`)
    expect([reply.status, reply.failure.code]).toEqual([422, 'statement-invalid'])
    expect(reply.failure.error).not.toContain('root:')
  })

  const differencesOf = (lineId: string) =>
    rows<{ kind: string; ours: bigint; theirs: bigint | null }>(
      server.dependencies.pool,
      sql`select kind, ours_minor as ours, theirs_minor as theirs from differences where record = ${lineId} order by id`,
    )
  const lineOf = async (bankId: string) =>
    (await row<{ id: string }>(server.dependencies.pool, sql`select id from bank_lines where bank_id = ${bankId}`))
      ?.id ?? ''

  test.each([
    ['with another amount', '2026-06-18;500.00;A;;x', 50_000n],
    ['reversed', '2026-06-18;-5.00;A;;x', -500n],
  ])(
    'with a known transaction repeated %s opens one discrepancy and posts nothing (requirements 28.15)',
    async (word, again, theirs) => {
      const id = `AGAIN ${word}`
      await imported([header, `2026-06-18;5.00;A;;x;${id}`].join('\n'))
      const lineId = await lineOf(id)
      const before = await ledgerSums()
      for (const more of ['1', '2']) {
        const reply = await imported([header, `${again};${id}`, `2026-06-18;${more}.00;A;;${word};`].join('\n'))
        expect(reply.answer).toMatchObject({ imported: 1, known: 0, differing: 1 })
      }
      expect(await differencesOf(lineId)).toEqual([{ kind: 'bank-line-differs', ours: 500n, theirs }])
      const entries = await rows(server.dependencies.pool, sql`select id from entries where record = ${lineId}`)
      expect([entries.length, (await ledgerSums()).length]).toEqual([1, before.length])
    },
  )

  test('with a known outgoing payment repeated with a smaller amount opens a discrepancy', async () => {
    await imported([header, '2026-06-18;-9.00;A;;x;OUT-AGAIN'].join('\n'))
    await imported([header, '2026-06-18;-8.00;A;;x;OUT-AGAIN'].join('\n'))
    const lineId = await lineOf('OUT-AGAIN')
    const found = await differencesOf(lineId)
    const named = sql`select distinct facts ->> 'account' as name from differences where record = ${lineId}`
    expect(await rows(server.dependencies.pool, named)).toHaveLength(1)
    expect((await row<{ name: string | null }>(server.dependencies.pool, named))?.name).toBeTruthy()
    expect(found.map(({ kind, ours, theirs }) => [kind, ours, theirs])).toEqual([
      ['bank-outgoing', 0n, -900n],
      ['bank-line-differs', -900n, -800n],
    ])
  })

  test('with an outgoing payment adds a transaction that can be neither matched nor returned', async () => {
    const ready = await readyClient()
    const { id: announced } = (await announceDeposit(ready, 12)).answer
    await imported([header, '2026-06-18;-12.00;A;;x;OUT-1'].join('\n'))
    const params = { id: await lineOf('OUT-1') }
    const tries = [
      await match(announced, params.id),
      await call(server, bankLines.matchLine, {
        as: operations,
        params,
        body: { version: 1, accountId: ready.account.id },
      }),
      await call(server, bankLines.sendBackLine, { as: finance, params, body: { version: 1, reason: 'Not ours' } }),
    ]
    expect(tries.map(({ failure }) => failure.code)).toEqual(['line-outgoing', 'line-outgoing', 'line-outgoing'])
    expect((await versionOf('bank_lines', params.id)).state).toBe('unmatched')
  })

  test('with a payout above the amount sent opens a discrepancy, and with the exact amount does not', async () => {
    const { reference } = await makePaidWithdrawal(server)
    await imported([header, `2026-06-18;-250.00;Payout;;${reference};PAID-1`].join('\n'))
    expect(await differencesOf(await lineOf('PAID-1'))).toEqual([])
    const dear = await makePaidWithdrawal(server)
    await imported([header, `2026-06-18;-255.00;Payout;;${dear.reference};PAID-2`].join('\n'))
    expect(await differencesOf(await lineOf('PAID-2'))).toEqual([
      { kind: 'bank-line-differs', ours: -25_000n, theirs: -25_500n },
    ])
  })

  test('with a payment that finance had rejected as never received imports it once as a new transaction', async () => {
    const { id } = (await enterTransaction({ amount: '10000.00', bankId: 'NEVER' })).answer
    const refused = { as: finance, params: { id }, body: { version: 1, reason: 'It is not in the bank.' } }
    expect((await call(server, bankLines.rejectLine, refused)).status).toBe(200)
    const file = [header, '2026-06-18;10000.00;A;;x;NEVER']
    expect((await imported(file.join('\n'))).answer).toMatchObject({ imported: 1, known: 0, differing: 0 })
    expect((await imported([...file, ''].join('\n'))).answer).toMatchObject({ imported: 0, known: 1, differing: 0 })
    expect(await differencesOf(id)).toEqual([])
    const kept = await rows<{ state: string }>(
      server.dependencies.pool,
      sql`select state from bank_lines where bank_id = 'NEVER' order by id`,
    )
    expect(kept.map(({ state }) => state)).toEqual(['rejected', 'second_approval'])
  })

  test('without ids distinguishes equal lines of one file and recognises them in the next file', async () => {
    const bare = 'date,amount,payer,reference\n2026-06-17,3.00,Twin,x\n2026-06-17,3.00,Twin,x\n'
    expect((await imported(bare)).answer).toMatchObject({ imported: 2 })
    expect((await imported(`${bare}2026-06-17,4.00,Twin,x\n`)).answer).toMatchObject({ imported: 1, known: 2 })
  })
})

test('rejecting a deposit requires a reason, and staff find it in the list by its reference, even as misheard', async () => {
  const ready = await readyClient()
  const { id, bankDetails } = (await announceDeposit(ready, 250)).answer
  const refuse = (as: MadeStaff, reason?: string) =>
    call(server, office.rejectDeposit, { as, params: { id }, body: { version: 1, ...(reason ? { reason } : {}) } })
  expect((await refuse(operations)).failure.code).toBe('reason-required')
  expect((await refuse(auditor, 'No')).status).toBe(403)
  expect((await refuse(operations, 'The payer is somebody else.')).answer.state).toBe('rejected')
  const found = async (q: string) =>
    (await call(server, office.listOfficeDeposits, { as: auditor, query: { q, state: 'all' } })).answer.rows
  expect(await found(bankDetails.BankReference.toLowerCase())).toMatchObject([{ id, state: 'rejected' }])
  await run(server.dependencies.pool, sql`update deposits set reference = 'CR-0011001M' where id = ${id}`)
  expect(await found('cr oollooim'), 'ambiguous characters in the reference still match').toMatchObject([{ id }])
  const clients = await call(server, searchClients, { as: auditor, query: { q: 'CR-OOIIOO1M' } })
  expect(clients.answer.rows.map(({ client }) => client.id)).toEqual([ready.client.id])
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
