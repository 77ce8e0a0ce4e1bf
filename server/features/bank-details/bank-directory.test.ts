/** The directory of banks by IBAN: imported by staff, queried by the form (requirements 24.15). */
import { beforeEach, describe, expect, test } from 'vitest'
import { lookUpBank } from '#contract/bank-details.ts'
import { importBankDirectory, showBankDirectory } from '#contract/office/bank-directory.ts'
import { run, sql } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, type MadeStaff } from '#tests/factories.ts'
import { clientForFile, serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile()
const clerk = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const client = clientForFile(server)
beforeEach(() => run(server.dependencies.pool, sql`delete from bank_directories`))

const header = 'country,bank_code,bic,name\n'
const asOf = '2026-01-05'
const load = (csv: string, more: { as?: MadeStaff; asOf?: string } = {}) =>
  call(server, importBankDirectory, {
    as: more.as ?? clerk,
    body: { filename: 'banks.csv', asOf: more.asOf ?? asOf, csv },
  })
const bankOf = async (iban: string) => (await call(server, lookUpBank, { as: client, body: { iban } })).answer.bank

test('a lookup by IBAN returns the bank and the date of the table, and null without a table or for an invalid IBAN', async () => {
  expect(await bankOf('DE02120300000000202051')).toBeNull()
  const csv = `${header}DE,12030000,BYLADEM1001,Deutsche Kreditbank\nIT,05428,BLOPIT22XXX,"UBI, Banca"\nNL,ABNA,,ABN AMRO`
  expect((await load(csv)).answer).toEqual({ banks: 3 })
  const bank = { bankName: 'Deutsche Kreditbank', bankSwift: 'BYLADEM1001', asOf }
  expect(await bankOf('DE02 1203 0000 0000 2020 51')).toEqual(bank)
  expect(await bankOf('IT60X0542811101000000123456')).toMatchObject({ bankName: 'UBI, Banca' })
  expect(await bankOf('NL91ABNA0417164300')).toMatchObject({ bankName: 'ABN AMRO', bankSwift: '' })
  expect(await bankOf('DE03120300000000202051')).toBeNull()
  expect(await bankOf("DE02' or 1=1 --")).toBeNull()
})

test('a newer table replaces only the banks of its countries; an invalid table changes nothing', async () => {
  await load(`${header}DE,12030000,BYLADEM1001,Old name\nNL,ABNA,ABNANL2A,ABN AMRO`)
  expect((await load(`${header}DE,12030000,WRONG,New name`)).failure.code).toBe('bank-directory-invalid')
  expect(await bankOf('DE02120300000000202051')).toMatchObject({ bankName: 'Old name' })
  await load('\uFEFFCountry;Bank code;BIC;Name\r\nDE;12030000;BYLADEM1001;New name\r\n', { asOf: '2026-02-01' })
  expect(await bankOf('DE02120300000000202051')).toMatchObject({ bankName: 'New name', asOf: '2026-02-01' })
  expect(await bankOf('NL91ABNA0417164300')).toMatchObject({ bankName: 'ABN AMRO', asOf })
  const { countries } = (await call(server, showBankDirectory, { as: clerk })).answer
  expect(countries.find(({ country }) => country === 'DE')).toMatchObject({
    asOf: '2026-02-01',
    banks: 1,
    importedBy: { name: 'Tom Reyes' },
  })
})

describe('a bank table is rejected', () => {
  test.each([
    ['without a header row', 'DE,12030000,BYLADEM1001,Bank', 1],
    ['without any bank', header, 2],
    ['with an unknown country', `${header}ZZ,1203,BYLADEM1001,Bank`, 2],
    ['with an invalid bank code', `${header}DE,1,BYLADEM1001,Bank`, 2],
    ['with a duplicate bank', `${header}DE,12030000,BYLADEM1001,Bank\nDE,12030000,BYLADEM1001,Bank`, 3],
    ['without a bank name', `${header}DE,12030000,BYLADEM1001,`, 2],
    ['with an invisible character', `${header}DE,12030000,BYLADEM1001,Bank\u202Eknab`, 2],
    ['with an unclosed quotation mark', `${header}DE,12030000,BYLADEM1001,"Bank`, 2],
  ])('%s', async (_name, csv, line) => {
    const refused = await load(csv)
    expect(refused.status).toBe(400)
    expect(refused.failure.errors['csv'] ?? refused.failure.error).toContain(String(line))
  })

  test('with a future date, or from compliance or an auditor', async () => {
    const csv = `${header}DE,12030000,BYLADEM1001,Bank`
    expect((await load(csv, { asOf: '2099-01-01' })).failure.code).toBe('date-invalid')
    for (const role of ['compliance', 'auditor'] as const)
      expect((await load(csv, { as: await makeStaff(server, [role]) })).status, role).toBe(403)
  })
})

test('lookups are rate limited to 60 an hour for each client', async () => {
  const curious = await makeClient(server)
  const ask = () => call(server, lookUpBank, { as: curious, body: { iban: 'DE02120300000000202051' } })
  for (let times = 0; times < 60; times++) expect((await ask()).status).toBe(200)
  expect((await ask()).failure.code).toBe('too-many')
})
