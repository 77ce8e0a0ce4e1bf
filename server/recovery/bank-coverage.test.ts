/** Of which accounts recovery requires statements before payouts open (requirements 20.18). */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { importStatement, sendBackLine } from '#contract/office/bank-lines.ts'
import { confirmBank, confirmBankBalance, getRecovery, typeBankBalance } from '#contract/office/recovery.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { applySetting, call, makeStaff } from '../../tests/factories.ts'
import { serverForFile } from '../../tests/for-file.ts'
import { openRecovery } from './open-recovery.ts'

const server = serverForFile()
const [unused, returned, received, replaced, present] = [
  'DE89370400440532013000',
  'DE75512108001245126199',
  'FR7630006000011234567890189',
  'NL91ABNA0417164300',
  'AT611904300234573201',
] as const

async function receive(bankAccount: string, bookedOn: string) {
  const csv = `Date;Amount;Payer;IBAN;Reference;Id\n${bookedOn};8.00;A;;x;${randomUUID()}`
  const body = { bankAccount, filename: 'receipt.csv', csv }
  const as = await makeStaff(server, ['operations'])
  const { id = '' } = (await call(server, importStatement, { as, body })).answer.lines[0] ?? {}
  return id
}

test('payouts do not open without the statements of a replaced account that was in use shortly before the loss', async () => {
  const accounts = await server.dependencies.settings.get('wireAccounts')
  const name = (IBAN: string) =>
    applySetting(server, 'wireAccounts', { ...accounts, EUR: { ...accounts.EUR, IBAN, BankAccountNumber: '' } })
  await name(unused)
  await receive(unused, '2026-06-19')
  await name(returned)
  const line = await receive(returned, '2026-06-19')
  await name(received)
  await name(replaced)

  server.clock.set(new Date('2026-07-06T09:00:00Z'))
  await name(present)
  await receive(received, '2026-07-02')
  const sent = { params: { id: line }, body: { version: 1, reason: 'The payer is not a client.' } }
  expect((await call(server, sendBackLine, { as: await makeStaff(server, ['finance']), ...sent })).status).toBe(200)
  const now = server.clock.now()
  await transaction(server.dependencies.jobs, (tx) => openRecovery(tx, { sign: 'unknown-reference', since: now, now }))

  const shown = await call(server, getRecovery, { as: await makeStaff(server, ['finance']) })
  const banks = shown.answer.recovery?.bankAccounts ?? []
  const inEuro = banks.filter(({ currency }) => currency === 'EUR').map(({ account }) => account)
  expect(inEuro).toEqual([present, replaced, received, returned])

  server.clock.set(new Date(`${banks[0]?.neededTo}T24:00:00Z`))
  const [first, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  for (const { account, currency, neededTo: on } of banks) {
    const early = await call(server, confirmBank, { as: first, body: {} })
    expect(early.failure.code, account).toBe('recovery-statements')
    const body = { account, currency, closing: '0', on }
    expect((await call(server, typeBankBalance, { as: first, body })).status).toBe(200)
    expect((await call(server, confirmBankBalance, { as: other, body: { account, closing: '0', on } })).status).toBe(
      200,
    )
  }
  expect((await call(server, confirmBank, { as: first, body: {} })).status).toBe(200)
})

test('statements with balances that the importer entered cover an account only if two people give its closing balance', async () => {
  const [first, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const { GBP, USD } = await server.dependencies.settings.get('wireAccounts')
  const found = async (currency: string) => {
    const { recovery } = (await call(server, getRecovery, { as: first })).answer
    const bank = recovery?.bankAccounts.find((one) => one.currency === currency)
    if (!bank) throw new Error(`no account in ${currency}`)
    return bank
  }
  const { account, neededTo: on } = await found('GBP')
  const as = await makeStaff(server, ['operations'])
  const bring = (bankAccount: string, day: string, balances: { opening: string; closing: string }, inFile: boolean) => {
    const stated = inFile ? `${balances.opening};${balances.closing}` : ';'
    const csv = `Date;Amount;Payer;Reference;Id;Opening balance;Closing balance\n${day};8.00;A;x;${randomUUID()};${stated}`
    const body = { bankAccount, filename: 'balances.csv', csv, ...(inFile ? {} : balances) }
    return call(server, importStatement, { as, body })
  }
  for (const [{ IBAN, BankAccountNumber }, inFile] of [
    [GBP, false],
    [USD, true],
  ] as const)
    for (const [day, balances] of [
      ['2026-07-03', { opening: '0.00', closing: '8.00' }],
      [on, { opening: '8.00', closing: '16.00' }],
    ] as const)
      expect((await bring(IBAN || BankAccountNumber, day, balances, inFile)).status).toBe(201)

  expect(await found('USD')).toMatchObject({ coveredTo: on, complete: true })
  const { pool } = server.dependencies
  const imported = sql`bank_account = ${USD.IBAN || USD.BankAccountNumber}`
  // A server of an earlier version writes the default.
  await run(pool, sql`update statement_imports set balances_entered = default where ${imported}`)
  expect(await found('USD')).toMatchObject({ coveredTo: on, complete: false })
  expect(await found('GBP')).toMatchObject({ coveredTo: on, complete: false })
  const body = { account, currency: 'GBP', closing: '16.00', on }
  expect((await call(server, typeBankBalance, { as: first, body })).status).toBe(200)
  expect(await found('GBP')).toMatchObject({ complete: false })
  expect((await call(server, confirmBankBalance, { as: other, body: { account, closing: '16.00', on } })).status).toBe(
    200,
  )
  expect(await found('GBP')).toMatchObject({ complete: true })
})
