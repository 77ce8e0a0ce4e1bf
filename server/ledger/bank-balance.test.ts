/** A statement of a past day is compared with the ledger of that day, whatever was posted since. */
import { expect, test } from 'vitest'
import { confirmDifference, explainDifference, proposeDifference } from '#contract/office/accounting.ts'
import {
  confirmLine,
  confirmSettlement,
  importStatement,
  proposeSettlement,
  sendBackLine,
  takeReturnedPayout,
} from '#contract/office/bank-lines.ts'
import { confirmFirmMoney, proposeFirmMoney } from '#contract/office/firm-money.ts'
import { returnWithdrawal } from '#contract/office/withdrawals.ts'
import { decimalOf, type Currency } from '#rules/money.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { applySetting, call, makeStaff, type MadeStaff } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedWithdrawal } from '#tests/approved-withdrawal.ts'
import { confirmReleasedBatch, createReleasedBatch } from '#tests/payout-batches.ts'
import { makePaidWithdrawal } from '#tests/paid-withdrawal.ts'

const { server } = platformForFile()

/** Creates the firm's account in a currency, whose statements a clerk imports; each test has its own. */
async function createFirmAccount(currency: Currency) {
  const account = (await server.dependencies.settings.get('wireAccounts'))[currency].IBAN
  const bring = async (...lines: string[]) => {
    const as = await makeStaff(server, ['operations'])
    const csv = ['Date;Amount;Payer;Reference;Id;Closing balance', ...lines].join('\n')
    const body = { bankAccount: account, filename: 'statement.csv', csv }
    expect((await call(server, importStatement, { as, body })).status).toBe(201)
  }
  return {
    bring,
    async lineOf(bankId: string) {
      const found = await row<{ id: string }>(
        server.dependencies.pool,
        sql`select id from bank_lines where bank_id = ${bankId}`,
      )
      return found?.id ?? ''
    },
    /** Imports a line and returns the statement's closing balance and the ledger balance stored with it. */
    async closedWith(line: string) {
      await bring(line)
      return row<{ closing: bigint; booked: bigint }>(
        server.dependencies.pool,
        sql`select closing_minor as closing, booked_minor as booked from statement_imports
            where bank_account = ${account} and closing_minor is not null order by id desc limit 1`,
      )
    },
    open: () =>
      rows<{ id: string }>(
        server.dependencies.pool,
        sql`select id from differences where kind = 'bank-balance' and state = 'open' and facts ->> 'account' = ${account}`,
      ),
  }
}

async function bookFirmMoney(amount: string, currency: Currency): Promise<string> {
  const [asks, confirms] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const asked = { as: asks, body: { amount, currency, reason: 'Shortfall of the day' } }
  const { id, reference } = (await call(server, proposeFirmMoney, asked)).answer
  await call(server, confirmFirmMoney, { as: confirms, params: { id }, body: { version: 1 } })
  return reference
}

test('money sent back or withdrawn by the firm since then counts as still in the account on that day', async () => {
  const bank = await createFirmAccount('GBP')
  const brought = await bookFirmMoney('50.00', 'GBP')
  await bank.bring(
    '2026-06-17;100.00;Ada;x;G-1;',
    '2026-06-17;40.00;Somebody;y;G-2;',
    `2026-06-17;50.00;The firm;${brought};G-3;`,
  )
  const body = { version: 1, reason: 'The payer is not our client.' }
  const finance = await makeStaff(server, ['finance'])
  await call(server, sendBackLine, { as: finance, params: { id: await bank.lineOf('G-2') }, body })
  const taken = await bookFirmMoney('-20.00', 'GBP')
  await bank.bring(`2026-06-19;-20.00;The firm;${taken};G-4;`)

  const before = await bank.closedWith('2026-06-17;1.00;Ada;x;G-5;191.00')
  expect(before).toEqual({ closing: 19_100n, booked: 19_100n })
  const after = await bank.closedWith('2026-06-18;-40.00;Somebody;back;G-6;151.00')
  expect(after).toEqual({ closing: 15_100n, booked: 15_100n })
  expect(await bank.open()).toEqual([])
})

test('a payout returned since then counts as paid on that day, in the firm’s time zone', async () => {
  const bank = await createFirmAccount('EUR')
  const payout = await makePaidWithdrawal(server)
  await bank.bring('2026-06-19;1000.00;Ada;x;R-1;', `2026-06-19;-250.00;Ada;${payout.reference};R-2;`)
  // 00:44 in London.
  server.clock.turn(14 * 3600)
  await payout.comeBack()

  const then = await bank.closedWith('2026-06-19;1.00;Ada;x;R-3;751.00')
  expect(then).toEqual({ closing: 75_100n, booked: 75_100n })
  expect(await bank.open()).toEqual([])
})

test('a debit of the card provider that was settled since then counts as still in the account on that day', async () => {
  const bank = await createFirmAccount('USD')
  await bank.bring('2026-06-17;30.00;Ada;x;U-1;', '2026-06-19;-12.00;Card provider;charges;U-2;')
  const [asks, confirms] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const params = { id: await bank.lineOf('U-2') }
  const proposal = { version: 1, fee: '12.00', reason: 'Charges of the month' }
  expect((await call(server, proposeSettlement, { as: asks, params, body: proposal })).status).toBe(200)
  expect((await call(server, confirmSettlement, { as: confirms, params, body: { version: 2 } })).status).toBe(200)

  const then = await bank.closedWith('2026-06-18;1.00;Ada;x;U-3;31.00')
  expect(then).toEqual({ closing: 3_100n, booked: 3_100n })
  expect(await bank.open()).toEqual([])
})

test('a payout and its return stay on the account that paid, if the settings replace it in between', async () => {
  const accounts = await server.dependencies.settings.get('wireAccounts')
  await applySetting(server, 'wireAccounts', accounts)
  const bank = await createFirmAccount('EUR')
  const payout = await makeApprovedWithdrawal(server)
  const batch = await createReleasedBatch(server, [payout.id])
  const EUR = { ...accounts.EUR, IBAN: 'AT611904300234573201' }
  await applySetting(server, 'wireAccounts', { ...accounts, EUR })
  const replacing = await createFirmAccount('EUR')
  await confirmReleasedBatch(server, batch)
  const paid = await bank.closedWith(`2026-06-20;-250.00;Ada;${payout.reference};P-1;751.00`)
  expect(paid).toEqual({ closing: 75_100n, booked: 75_100n })

  const returning = { version: (await payout.now()).version, reason: 'The account is closed.' }
  const as = await makeStaff(server, ['finance'])
  expect((await call(server, returnWithdrawal, { as, params: { id: payout.id }, body: returning })).status).toBe(200)
  const back = await bank.closedWith(`2026-06-20;250.00;Ada;${payout.reference};P-2;1001.00`)
  expect(back).toEqual({ closing: 100_100n, booked: 100_100n })
  const unused = await replacing.closedWith('2026-06-20;1.00;Ada;x;P-3;1.00')
  expect(unused).toEqual({ closing: 100n, booked: 100n })

  // The bank may also return a payment to another account than that which sent it.
  const elsewhere = await makePaidWithdrawal(server)
  await elsewhere.comeBack()
  const waiting = await bank.closedWith(`2026-06-20;250.00;Ada;${elsewhere.reference};P-4;1251.00`)
  expect(waiting, 'posted on this account only once it is confirmed').toEqual({ closing: 125_100n, booked: 125_100n })
  const params = { id: await bank.lineOf('P-4') }
  // Each receipt on a replaced account needs a second person.
  const confirming = { as: await makeStaff(server, ['finance']), params, body: { version: 1 } }
  const { version } = (await call(server, confirmLine, confirming)).answer
  const matched = { version, withdrawalId: elsewhere.id, reason: 'Returned to the former account.' }
  expect((await call(server, takeReturnedPayout, { as, params, body: matched })).status).toBe(200)
  const moved = await bank.closedWith('2026-06-20;1.00;Ada;x;P-5;1252.00')
  expect(moved).toEqual({ closing: 125_200n, booked: 125_200n })
  expect([...(await bank.open()), ...(await replacing.open())]).toEqual([])
  await applySetting(server, 'wireAccounts', accounts)
})

test('a payout from the account that replaced it does not count for a former account', async () => {
  const accounts = await server.dependencies.settings.get('wireAccounts')
  const EUR = { ...accounts.EUR, IBAN: 'DE75512108001245126199' }
  await applySetting(server, 'wireAccounts', { ...accounts, EUR })
  const former = await createFirmAccount('EUR')
  await applySetting(server, 'wireAccounts', accounts)
  await makePaidWithdrawal(server)

  const then = await former.closedWith('2026-06-19;100.00;Ada;x;F-1;100.00')
  expect(then).toEqual({ closing: 10_000n, booked: 10_000n })
  expect(await former.open()).toEqual([])
})

test('a difference is explained by two people, and raised again once the bank has shown another in between', async () => {
  const bank = await createFirmAccount('USD')
  const held = await bank.closedWith('2026-06-19;1.00;Ada;x;E-1;0.00')
  const [first, second] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  let lines = 0
  const shownBy = async (gap: bigint) => {
    server.clock.turn(60)
    const booked = (held?.booked ?? 0n) + 100n * BigInt(++lines)
    return bank.closedWith(`2026-06-19;1.00;Ada;x;E-1-${lines};${decimalOf(booked + gap)}`)
  }
  await shownBy(700n)
  const [{ id } = { id: '' }] = await bank.open()
  const version = 1
  const reason = 'The bank’s charge.'
  const alone = await call(server, explainDifference, { as: first, params: { id }, body: { version, reason } })
  expect(alone.failure.code).toBe('two-people-decide')
  const proposal = { version, reason, proposal: 'explain' }
  expect((await call(server, proposeDifference, { as: first, params: { id }, body: proposal })).status).toBe(200)
  const confirm = (as: MadeStaff) => call(server, confirmDifference, { as, params: { id }, body: { version: 2 } })
  expect((await confirm(first)).failure.code).toBe('own-act')
  expect((await confirm(second)).status).toBe(200)

  await shownBy(700n)
  expect(await bank.open(), 'explained').toEqual([])
  await shownBy(0n)
  expect(await bank.open()).toEqual([])
  await shownBy(700n)
  expect(await bank.open(), 'the same again').toHaveLength(1)
})
