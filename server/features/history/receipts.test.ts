/** Receipts: which requests have one, its content, and who may read it. */
import { expect, test } from 'vitest'
import * as contract from '#contract/history.ts'
import { officeReceiptPdf } from '#contract/office/receipts.ts'
import { searchRecords } from '#contract/office/search.ts'
import { run, sql } from '#server/db/sql.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { installFonts } from '#scripts/fonts.mjs'
import { call, makeAccount, makeClient, makeStaff, newReference, type MadeClient } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { serverForFile } from '#tests/for-file.ts'
import { makeApprovedBank } from '#tests/funded-account.ts'

const server = serverForFile()

const at = new Date('2026-06-19T09:44:00Z')
const later = new Date('2026-06-22T14:05:00Z')

async function clientWithAccounts(name = 'Mia', surname = 'Brandt') {
  const client = await makeClient(server, { name, surname })
  return { client, one: await makeAccount(server, client), other: await makeAccount(server, client) }
}

type Owner = Awaited<ReturnType<typeof clientWithAccounts>>

async function deposit({ client, one }: Owner, state = 'approved'): Promise<{ id: string; reference: string }> {
  const [id, reference] = [crypto.randomUUID(), newReference()]
  await run(
    server.dependencies.pool,
    sql`insert into deposits (id, client_id, account_id, type, method, gateway, amount_minor, received_minor, fee_minor,
          currency, reference, state, comment, requested_at, expires_at, approved_at)
        values (${id}, ${client.id}, ${one.id}, 'wire', 'Bank Transfer', 'bank', 25000, 24550, 50, 'EUR', ${reference},
          ${state}, '', ${at}, ${later}, ${state === 'approved' ? later : null})`,
  )
  return { id, reference }
}

async function withdrawal({ client, one }: Owner, state: string, isPaid = state !== 'approved'): Promise<string> {
  const id = crypto.randomUUID()
  const bank = await makeApprovedBank(server, client)
  const past = state === 'second_approval' ? null : later
  await run(
    server.dependencies.pool,
    sql`insert into withdrawals (id, client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency,
          reference, state, figures, requested_at, approved_at, paid_at, returned_at)
        values (${id}, ${client.id}, ${one.id}, ${bank}, '{"bankName":"Example Bank AG","iban":"DE02120300000000202051"}',
          'wire', 'Bank Transfer', 64000, 250, 'EUR', ${`W-${id.slice(-10)}`}, ${state}, '{}', ${at}, ${past},
          ${isPaid && past ? later : null}, ${state === 'returned' ? later : null})`,
  )
  return id
}

async function transfer({ client, one, other }: Owner): Promise<string> {
  const id = crypto.randomUUID()
  await run(
    server.dependencies.pool,
    sql`insert into transfers (id, client_id, source_account, destination_account, amount_minor, currency, rate,
          arrives_minor, arrives_currency, reference, figures, requested_at, approved_at, state)
        values (${id}, ${client.id}, ${one.id}, ${other.id}, 10000, 'EUR', '1.0842', 10842, 'USD',
          ${`T-${id.slice(-10)}`}, '{}', ${at}, ${later}, 'approved')`,
  )
  return id
}

const receipt = (client: MadeClient, list: contract.HistoryList, id: string, headers = {}) =>
  call(server, contract.receiptPdf, { as: client, params: { list, id }, headers })
const read = async (bytes: Uint8Array) => (await pdfText(bytes)).replaceAll(/\s+/g, ' ')

test('a deposit receipt shows firm, client, amounts, account, method, reference and times with their time zone', async () => {
  const owner = await clientWithAccounts()
  const { id, reference } = await deposit(owner)
  const { bytes, headers } = await receipt(owner.client, 'deposits', id)
  expect(headers['content-disposition']).toContain(`receipt-${reference}.pdf`)
  const text = await read(bytes)
  for (const words of [
    'Calder Row Markets Ltd',
    'Deposit receipt',
    'Mia Brandt',
    'Approved',
    `Reference ${reference}`,
    `Account ${groupByFour(owner.one.login)}`.replaceAll(/\s+/g, ' '),
    'Method Bank Transfer',
    'Amount 250.00 EUR',
    'Received 245.50 EUR',
    'Fee 0.50 EUR',
    'Credited amount 245.00 EUR',
    'Requested 19 June 2026 at 10:44 BST',
    'Approved 22 June 2026 at 15:05 BST',
    `quote the reference ${reference}`,
    '(Europe/London)',
  ])
    expect(text).toContain(words)
  expect(text).not.toContain('Refunded')
  const german = await read((await receipt(owner.client, 'deposits', id, { 'accept-language': 'de' })).bytes)
  expect(german).toContain('Einzahlungsbeleg')
  expect(german).toContain('245,00 EUR')
})

test('an approved, paid or returned withdrawal and a transfer have a receipt of one page', async () => {
  const owner = await clientWithAccounts()
  for (const state of ['approved', 'paid', 'returned']) {
    const text = await read((await receipt(owner.client, 'withdrawals', await withdrawal(owner, state))).bytes)
    expect(text).toContain('Bank Example Bank AG …2051')
    expect(text).toContain('Payout amount 637.50 EUR')
    expect(text.includes('Paid 22 June 2026 at 15:05 BST')).toBe(state !== 'approved')
    expect(text.includes('Returned 22 June 2026 at 15:05 BST')).toBe(state === 'returned')
  }
  const { bytes } = await receipt(owner.client, 'transfers', await transfer(owner))
  const text = await read(bytes)
  expect(text).toContain('Rate 1.0842 Credited amount 108.42 USD')
  expect(bytes.toString('latin1')).toMatch(/\/Count 1\b/)
})

test('the receipt of a returned withdrawal shows the payout amount as credited back, or all of it if it was not paid out', async () => {
  const owner = await clientWithAccounts()
  const textOf = async (isPaid: boolean) =>
    read((await receipt(owner.client, 'withdrawals', await withdrawal(owner, 'returned', isPaid))).bytes)
  const returned = await textOf(true)
  expect(returned).toContain('Payout amount 637.50 EUR')
  expect(returned).toContain('Credited back to the account 637.50 EUR')
  const reversed = await textOf(false)
  expect(reversed).not.toContain('Payout amount')
  expect(reversed).toContain('Credited back to the account 640.00 EUR')
  const paid = await read((await receipt(owner.client, 'withdrawals', await withdrawal(owner, 'paid'))).bytes)
  expect(paid).not.toContain('Credited back')
})

test('a request that was not carried out has no receipt, and other clients have no access', async () => {
  const owner = await clientWithAccounts()
  const pending = await deposit(owner, 'pending')
  const refused = await receipt(owner.client, 'deposits', pending.id)
  expect([refused.status, refused.failure.code]).toEqual([409, 'wrong-state'])
  const waiting = await receipt(owner.client, 'withdrawals', await withdrawal(owner, 'second_approval'))
  expect(waiting.failure.code).toBe('wrong-state')
  const moved = await transfer(owner)
  expect((await receipt(await makeClient(server), 'transfers', moved)).status).toBe(404)
  expect((await receipt(owner.client, 'deposits', moved)).status).toBe(404)
  expect((await receipt(owner.client, 'deposits', 'no-id')).status).toBe(404)
})

test('staff find the record by the reference of a receipt and get the same receipt', async () => {
  const owner = await clientWithAccounts()
  const { id, reference } = await deposit(owner)
  const as = await makeStaff(server, ['finance'])
  const { answer } = await call(server, searchRecords, { as, query: { q: reference } })
  expect(answer.hits).toMatchObject([{ id }])
  const office = await call(server, officeReceiptPdf, { as, params: { list: 'deposits', id } })
  const own = await receipt(owner.client, 'deposits', id)
  expect(await read(office.bytes)).toBe(await read(own.bytes))
  const none = await call(server, officeReceiptPdf, { as, params: { list: 'transfers', id } })
  expect(none.status).toBe(404)
})

test.each([
  ['Arabic', 'محمد', 'عبد الله'],
  ['Hebrew', 'יעל', 'כהן'],
  ['Tamil', 'கார்த்திக்', 'ராமன்'],
  ['Thai', 'สมชาย', 'ศรีสุข'],
  ['Chinese', '陳', '鵬飛'],
  ['Korean', '민준', '김'],
] as const)('a receipt shows a name in %s', async (_, name, surname) => {
  if (!(await installFonts())) throw new Error('the fonts are not installed: npm ci in the folder fonts')
  const owner = await clientWithAccounts(name, surname)
  const { id } = await deposit(owner)
  const text = await read((await receipt(owner.client, 'deposits', id)).bytes)
  // Word by word: the text extraction reads a line from the left, so it returns right-to-left words in that order.
  for (const word of `${name} ${surname}`.split(' ')) expect(text).toContain(word)
  expect(text).not.toContain('Some characters in this document')
})

test('a receipt with a name in a script without a font is rendered with a note about it', async () => {
  const owner = await clientWithAccounts('ᮃᮞᮨᮕ᮪', 'Wijaya')
  const { id } = await deposit(owner)
  const text = await read((await receipt(owner.client, 'deposits', id)).bytes)
  expect(text).toContain('Wijaya')
  expect(text).toContain('Some characters in this document')
})
