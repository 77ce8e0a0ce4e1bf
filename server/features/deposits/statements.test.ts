/** Statement files: recognition of columns, account, amounts and dates, and rejection of ambiguous files. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  confirmLine,
  enterBankTransaction,
  getBankLine,
  importStatement,
  matchLine,
} from '#contract/office/bank-lines.ts'
import { previewStatement } from '#contract/office/statements.ts'
import { decimalOf, minorOf as parsed } from '#rules/money.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { applySetting, call, makeAccount, makeClient, makeStaff, type MadeStaff } from '#tests/factories.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile()
const operations = staffForFile(server, ['operations'])
let firmAccounts: { EUR: string; GBP: string }
beforeAll(async () => {
  const { EUR, GBP } = await server.dependencies.settings.get('wireAccounts')
  const plain = (text: string) => text.replace(/\s/g, '')
  firmAccounts = { EUR: plain(EUR.IBAN), GBP: plain(GBP.IBAN || GBP.BankAccountNumber) }
})

const minorOf = (amount: string) => parsed(amount) ?? 0n
const header = 'Date;Amount;Payer;IBAN;Reference;Id'
const file = (...lines: string[]) => lines.join('\n')
const preview = (body: object) => call(server, previewStatement, { as: operations, body })
const enter = (bankAccount: string, bankId: string) =>
  call(server, enterBankTransaction, {
    as: operations,
    body: { bankAccount, bankId, amount: '0.01', currency: 'EUR', payer: 'A', bookedOn: '2026-06-18' },
  })
const importFile = (body: object) =>
  call(server, importStatement, { as: operations, body: { filename: 'statement.csv', ...body } })

async function line(bankId: string) {
  return row<{ amount: bigint; on: string; remittance: string; account: string; payerAccount: string }>(
    server.dependencies.pool,
    sql`select amount_minor as amount, booked_on::text as on, remittance, bank_account as account, payer_account as "payerAccount"
        from bank_lines where bank_id = ${bankId}`,
  )
}

describe('a statement preview', () => {
  test('shows the account, columns and rows and imports nothing', async () => {
    const csv = file(header, '2026-06-18;5.00;Hannah Brandt;DE02;thanks;P-1', '2026-06-18;-6.00;B;;out;P-2')
    const { answer } = await preview({ bankAccount: firmAccounts.EUR, csv })
    expect(answer).toMatchObject({
      account: { name: firmAccounts.EUR, currency: 'EUR' },
      header: header.split(';'),
      columns: { bookedOn: 0, amount: 1, payer: 2, payerAccount: 3, remittance: 4, bankId: 5, currency: null },
      count: 2,
      known: 0,
      problem: null,
    })
    expect(answer.lines[0]).toMatchObject({ bookedOn: '2026-06-18', payer: 'Hannah Brandt' })
    expect(await line('P-1')).toBeNull()
    await importFile({
      bankAccount: firmAccounts.EUR,
      csv: file(header, '2026-06-18;5.00;Hannah Brandt;DE02;thanks;P-1'),
    })
    expect((await preview({ bankAccount: firmAccounts.EUR, csv })).answer).toMatchObject({ count: 2, known: 1 })
  })

  test('names what prevents the import; another choice of columns fixes it for both preview and import', async () => {
    const csv = file('Wann;Wieviel;Wer;Wozu;Id', '2026-06-18;7.00;Hannah Brandt;CR;M-1')
    const first = (await preview({ bankAccount: firmAccounts.EUR, csv })).answer
    expect(first.header).toEqual(['Wann', 'Wieviel', 'Wer', 'Wozu', 'Id'])
    expect(first.problem).toMatch(/^Line 1 .* there is no date column/)
    const columns = { bookedOn: 0, amount: 1, payer: 2, remittance: 3 }
    expect((await preview({ bankAccount: firmAccounts.EUR, csv, columns })).answer).toMatchObject({
      count: 1,
      problem: null,
    })
    expect((await importFile({ bankAccount: firmAccounts.EUR, csv, columns })).answer.imported).toBe(1)
    expect(await line('M-1')).toMatchObject({ amount: 700n, remittance: 'CR' })
    const wrong = await preview({ bankAccount: firmAccounts.EUR, csv, columns: { ...columns, amount: 9 } })
    expect([wrong.status, Object.keys(wrong.failure.errors)]).toEqual([400, ['columns']])
  })
})

describe('the bank account of a statement', () => {
  test('is recognised by its IBAN above the header or in a separate column', async () => {
    const above = file(`Konto: ${firmAccounts.EUR}`, '', header, '2026-06-18;8.00;A;;x;A-1')
    expect((await importFile({ csv: above })).answer.imported).toBe(1)
    expect((await line('A-1'))?.account).toBe(firmAccounts.EUR)
    const columned = file('Date;Amount;Payer;Account;Reference;Id', `2026-06-18;9.00;A;${firmAccounts.EUR};x;A-2`)
    expect((await importFile({ csv: columned })).answer.imported).toBe(1)
    expect(await line('A-2')).toMatchObject({ account: firmAccounts.EUR, payerAccount: '' })
  })

  test('is rejected if it differs from the chosen account or does not belong to the firm', async () => {
    const csv = file(`Konto: ${firmAccounts.EUR}`, header, '2026-06-18;8.00;A;;x;A-3')
    const reply = await importFile({ bankAccount: firmAccounts.GBP, csv })
    expect([reply.status, reply.failure.code]).toEqual([422, 'statement-other-account'])
    expect(reply.failure.errors['csv']).toContain(firmAccounts.EUR)
    const strange = file('IBAN: DE02120300000000202051', header, '2026-06-18;8.00;A;;x;A-3')
    expect((await importFile({ csv: strange })).failure.code).toBe('statement-account-unknown')
    expect((await preview({ bankAccount: firmAccounts.EUR, csv: strange })).failure.code).toBe(
      'statement-other-account',
    )
    expect(await line('A-3')).toBeNull()
  })

  test('may be one that the settings have replaced, in its own currency', async () => {
    const accounts = await server.dependencies.settings.get('wireAccounts')
    const [first, next, last] = ['DE89370400440532013000', 'DE75512108001245126199', 'FR7630006000011234567890189']
    for (const IBAN of [first, next, last])
      await applySetting(server, 'wireAccounts', { ...accounts, EUR: { ...accounts.EUR, IBAN } })
    for (const [place, account] of [first, next, last].entries()) {
      const csv = file(`Konto: ${account}`, header, `2026-06-18;8.0${place};A;;x;F-${place}`)
      expect((await preview({ csv })).answer.account).toEqual({ name: account, currency: 'EUR' })
      expect((await importFile({ csv })).answer.imported).toBe(1)
      expect((await line(`F-${place}`))?.account).toBe(account)
    }
    const chosen = file(header, '2026-06-18;8.09;A;;x;F-9')
    expect((await importFile({ bankAccount: next, csv: chosen })).answer.imported).toBe(1)
    for (const account of ['DE02120300000000202051', firmAccounts.EUR]) {
      const foreign = file(`IBAN: ${account}`, header, '2026-06-18;8.00;A;;x;F-10')
      expect((await importFile({ csv: foreign })).failure.code, account).toBe('statement-account-unknown')
      expect((await enter(account, 'F-11')).failure.code, account).toBe('account-unknown-bank')
    }
    await applySetting(server, 'wireAccounts', accounts)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('that was replaced leaves each receipt to a second person, whatever its amount and the balances', async () => {
    const accounts = await server.dependencies.settings.get('wireAccounts')
    const former = 'NL91ABNA0417164300'
    for (const IBAN of [former, accounts.EUR.IBAN])
      await applySetting(server, 'wireAccounts', { ...accounts, EUR: { ...accounts.EUR, IBAN } })
    const statesOf = async (amounts: readonly string[], balances: object) => {
      const lines = amounts.map((amount, place) => `2026-06-18;${amount};A;;x;E-${amounts.length}-${place}`)
      const { answer } = await importFile({ bankAccount: former, csv: file(header, ...lines), ...balances })
      return answer.lines.map(({ state }) => state).toSorted()
    }
    expect(await statesOf(['8.00'], { opening: '0.00', closing: '8.00' })).toEqual(['second_approval'])
    expect(await statesOf(['8.00', '-3.00'], {})).toEqual(['second_approval', 'unmatched'])
    expect((await enter(former, 'E-1')).answer.state).toBe('second_approval')
    expect((await enter(firmAccounts.EUR, 'E-2')).answer.state).toBe('unmatched')
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('is required if neither the file nor the request names it', async () => {
    const csv = file(header, '2026-06-18;8.00;A;;x;A-4')
    expect((await importFile({ csv })).failure.errors['bankAccount']).toBeDefined()
    expect((await preview({ csv })).answer).toMatchObject({ account: null, count: 0, problem: null })
  })

  test('cannot be preceded by a payment above the header, which would be lost', async () => {
    const csv = file('2026-06-18;8.00;A;;x;A-5', header, '2026-06-18;9.00;A;;x;A-6')
    const reply = await importFile({ bankAccount: firmAccounts.EUR, csv })
    expect([reply.failure.code, reply.failure.values['line']]).toEqual(['statement-invalid', 1])
  })
})

describe('values in a statement', () => {
  const read = async (amounts: readonly string[], days: readonly string[] = []) => {
    const lines = amounts.map((amount, place) => `${days[place] ?? '2026-06-18'};"${amount}";A;;x;`)
    const { answer } = await preview({ bankAccount: firmAccounts.EUR, csv: file(header, ...lines) })
    return answer.problem ?? answer.lines.map((one) => [one.bookedOn, one.amount])
  }

  test.each([
    ['thousands separators before decimals', ['1,234.56', '1.00'], [123_456n, 100n]],
    ['German thousands separators', ['1.234,56', '-12.345.678,90'], [123_456n, -1_234_567_890n]],
    ['spaces and apostrophes', ['1 234,56', "1'234.5"], [123_456n, 123_450n]],
    ['one separator that the other amounts explain', ['1,234', '5.00'], [123_400n, 500n]],
    ['several separators', ['1,234,567'], [123_456_700n]],
  ])('with %s are read', async (_, amounts, minor) => {
    expect(await read(amounts)).toEqual(minor.map((one) => ['2026-06-18', one]))
  })

  test.each([
    ['one ambiguous separator', ['5', '1,234'], /^Line 3 .*can mean thousands or decimals/],
    ['one separator that the other amounts contradict', ['5,00', '1,234'], /^Line 3 .*can mean thousands or decimals/],
    ['separators in the wrong places', ['12,34.56'], /^Line 2 .*not a number/],
    ['the same separator twice and two decimals', ['1.234.56'], /^Line 2 .*not a number/],
  ])('with %s are rejected with their line number', async (_, amounts, sentence) => {
    expect(await read(amounts)).toMatch(sentence)
  })

  test.each([
    ['and full stops', ['18.06.26'], ['2026-06-18']],
    ['and one number that can only be a day', ['05/06/26', '18/06/26'], ['2026-06-05', '2026-06-18']],
    ['and the American order', ['06/05/26', '06/18/26'], ['2026-06-05', '2026-06-18']],
  ])('with two-digit years %s are read', async (_, days, iso) => {
    const found = await read(
      days.map(() => '5.00'),
      days,
    )
    expect(found).toEqual(iso.map((day) => [day, 500n]))
  })

  test('with two-digit years that are ambiguous or in the future are rejected with their line number', async () => {
    expect(await read(['5.00', '5.00'], ['05/06/26', '04/06/26'])).toMatch(/^Line 2 .*two digits/)
    expect(await read(['5.00'], ['18.06.27'])).toMatch(/^Line 2 .*is in the future/)
  })
})

test('the payer’s end-to-end reference is stored together with the text of the transaction', async () => {
  const csv = file(
    'Date;Amount;Payer;Description;End-to-End-Id;Id',
    '2026-06-18;5.00;A;Deposit;CR-7F2K91QX;R-1',
    '2026-06-18;6.00;A;Deposit CR-7F2K91QX;CR-7F2K91QX;R-2',
    '2026-06-18;7.00;A;Deposit;NOTPROVIDED;R-3',
  )
  await importFile({ bankAccount: firmAccounts.EUR, csv })
  const kept = await rows(
    server.dependencies.pool,
    sql`select remittance from bank_lines where bank_id like 'R-%' order by bank_id`,
  )
  expect(kept).toEqual([
    { remittance: 'Deposit CR-7F2K91QX' },
    { remittance: 'Deposit CR-7F2K91QX' },
    { remittance: 'Deposit' },
  ])
})

test('a corrected file under the same name is imported', async () => {
  const bad = file(header, '2026-06-18;five;A;;x;C-1')
  expect((await importFile({ bankAccount: firmAccounts.EUR, csv: bad })).status).toBe(422)
  const good = file(header, '2026-06-18;5.00;A;;x;C-1')
  expect((await importFile({ bankAccount: firmAccounts.EUR, csv: good })).answer.imported).toBe(1)
})

describe('an imported transaction at or above the threshold', () => {
  const closing = '10049.99'
  const large = (id: string) =>
    file(
      'Date;Amount;Payer;Reference;Id',
      `2026-06-18;10000.00;Hannah Brandt;x;${id}-1`,
      `2026-06-18;49.99;B;x;${id}-2`,
    )
  const lineOf = (bankId: string) =>
    row<{ id: string; state: string }>(
      server.dependencies.pool,
      sql`select id, state from bank_lines where bank_id = ${bankId}`,
    )
  const openBalance = () =>
    rows(server.dependencies.pool, sql`select id from differences where kind = 'bank-balance' and state = 'open'`)

  test('needs second approval by finance, not by the importer, and is neither matched nor posted before that', async () => {
    const both = await makeStaff(server, ['operations', 'finance'], { name: 'Ida Olsen' })
    const other = await makeStaff(server, ['finance'])
    const csv = large('L')
    const body = { filename: 'large.csv', bankAccount: firmAccounts.EUR, csv }
    expect((await call(server, importStatement, { as: both, body })).answer).toMatchObject({ imported: 2 })
    expect((await lineOf('L-2'))?.state).toBe('unmatched')
    const { id = '', state } = (await lineOf('L-1')) ?? {}
    expect(state).toBe('second_approval')
    const shown = (await call(server, getBankLine, { as: other, params: { id } })).answer.line
    expect(shown).toMatchObject({ state: 'second_approval', importedBy: { name: 'Ida Olsen' }, confirmedBy: null })

    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const match = () =>
      call(server, matchLine, { as: operations, params: { id }, body: { version: 1, accountId: account.id } })
    expect((await match()).status).toBe(409)
    expect(await rows(server.dependencies.pool, sql`select id from entries where ref = ${`bank-line:${id}`}`)).toEqual(
      [],
    )
    const confirm = (as: MadeStaff) => call(server, confirmLine, { as, params: { id }, body: { version: 1 } })
    expect((await confirm(both)).failure.code).toBe('own-act')
    expect((await confirm(operations)).failure.code).toBe('wrong-role')
    expect((await confirm(other)).answer.state).toBe('unmatched')
    expect(
      await rows(server.dependencies.pool, sql`select id from entries where ref = ${`bank-line:${id}`}`),
    ).toHaveLength(1)
    expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
  })

  test('counts in the bank balance while it is pending, so the statement agrees before and after its approval', async () => {
    const before = await row<{ booked: bigint }>(
      server.dependencies.pool,
      sql`select coalesce(sum(balance_minor), 0)::bigint as booked from ledger_accounts where kind = 'bank' and name = ${firmAccounts.EUR}`,
    )
    const opening = before?.booked ?? 0n
    const end = decimalOf(opening + minorOf(closing))
    const finance = await makeStaff(server, ['finance'])
    const body = { bankAccount: firmAccounts.EUR, csv: large('K'), opening: decimalOf(opening), closing: end }
    expect((await importFile(body)).status).toBe(201)
    expect(await openBalance()).toEqual([])
    const { id = '' } = (await lineOf('K-1')) ?? {}
    expect((await call(server, confirmLine, { as: finance, params: { id }, body: { version: 1 } })).status).toBe(200)
    const again = { ...body, csv: `${body.csv}\n2026-06-18;0.01;C;x;K-3`, closing: decimalOf(minorOf(end) + 1n) }
    expect((await importFile(again)).status).toBe(201)
    expect(await openBalance()).toEqual([])
  })
})

describe('imported transactions that together reach the threshold', () => {
  const states = async (like: string) => {
    const found = await rows<{ state: string }>(
      server.dependencies.pool,
      sql`select state from bank_lines where bank_id like ${`${like}-%`} order by bank_id`,
    )
    return found.map(({ state }) => state)
  }
  const csvOf = (id: string, amounts: readonly string[]) =>
    file(header, ...amounts.map((amount, place) => `2026-06-18;${amount};B;;x;${id}-${place}`))

  const withBalances = (id: string, day: string, opening: string, closing: string) =>
    file(
      'Date;Amount;Payer;Reference;Id;Opening balance;Closing balance',
      `${day};6000.00;B;x;${id}-0;${opening};`,
      `${day};5000.00;B;x;${id}-1;;${closing}`,
    )
  const importAs = (as: MadeStaff, csv: string, balances = {}) =>
    call(server, importStatement, { as, body: { filename: 'b.csv', bankAccount: firmAccounts.GBP, csv, ...balances } })
  const alone = ['unmatched', 'unmatched']
  const together = ['unmatched', 'second_approval']

  test('count each alone only if the file states balances that continue the last statement of the account', async () => {
    const as = await makeStaff(server, ['operations'])
    const first = withBalances('B', '2026-06-16', '0.00', '11000.00')
    expect((await importAs(as, first)).status).toBe(201)
    expect(await states('B'), 'no statement before').toEqual(together)

    const next = withBalances('J', '2026-06-18', '11000.00', '22000.00')
    expect((await importAs(as, next)).status).toBe(201)
    expect(await states('J'), 'opens with the last closing balance').toEqual(alone)
    const overlapping = `${next.replace('22000.00', '')}\n2026-06-18;9000.00;B;x;J-2;;31000.00`
    expect((await importAs(as, overlapping)).answer).toMatchObject({ imported: 1, known: 2 })
    expect((await states('J')).at(-1), 'continues with new transactions').toBe('unmatched')
  })

  test.each([
    ['that the importer entered', 'D', '2026-06-19', '31000.00', '42000.00'],
    ['that do not continue the last statement', 'H', '2026-06-19', '500.00', '11500.00'],
    ['of a day before the last statement', 'G', '2026-06-17', '42000.00', '53000.00'],
  ])('need second approval in a statement with balances %s', async (_, id, day, opening, closing) => {
    const as = await makeStaff(server, ['operations'])
    const csv = withBalances(id, day, opening, closing)
    const isEntered = id === 'D'
    const body = isEntered ? csv.replace(opening, '').replace(closing, '') : csv
    expect((await importAs(as, body, isEntered ? { opening, closing } : {})).status).toBe(201)
    expect(await states(id)).toEqual(together)
    // They also count with the receipts that the same person imports later.
    expect((await importAs(as, csvOf(`${id}2`, ['4500.00']))).status).toBe(201)
    expect(await states(`${id}2`)).toEqual(['second_approval'])
  })

  test('need second approval in one without balances, also across files of the importer', async () => {
    const as = await makeStaff(server, ['operations'])
    const first = csvOf('S', ['6000.00', '-7000.00', '5000.00', '100.00'])
    expect((await importAs(as, first)).status).toBe(201)
    expect(await states('S')).toEqual(['unmatched', 'unmatched', 'second_approval', 'unmatched'])
    // A known transaction does not count again.
    expect((await importAs(as, `${first}\n2026-06-18;200.00;B;;x;S-4`)).answer).toMatchObject({ imported: 1, known: 4 })
    expect((await states('S')).at(-1)).toBe('unmatched')
    expect((await importAs(as, csvOf('T', ['5000.00']))).status).toBe(201)
    expect(await states('T')).toEqual(['second_approval'])
    expect((await importFile({ bankAccount: firmAccounts.GBP, csv: csvOf('O', ['5000.00']) })).status).toBe(201)
    expect(await states('O'), 'of another importer').toEqual(['unmatched'])
  })
})
