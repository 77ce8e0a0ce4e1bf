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

test('an IBAN finds its bank and the day of the table; without a table, or with a wrong IBAN, nothing', async () => {
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

test('a newer table replaces the banks of its countries alone; one that is not valid leaves all as it is', async () => {
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

describe('a table is refused', () => {
  test.each([
    ['without its columns', 'DE,12030000,BYLADEM1001,Bank', 1],
    ['without a bank', header, 2],
    ['with an unknown country', `${header}ZZ,1203,BYLADEM1001,Bank`, 2],
    ['with a bank code that is none', `${header}DE,1,BYLADEM1001,Bank`, 2],
    ['with a bank twice', `${header}DE,12030000,BYLADEM1001,Bank\nDE,12030000,BYLADEM1001,Bank`, 3],
    ['without a name', `${header}DE,12030000,BYLADEM1001,`, 2],
    ['with a hidden character', `${header}DE,12030000,BYLADEM1001,Bank\u202Eknab`, 2],
    ['with quotes that do not end', `${header}DE,12030000,BYLADEM1001,"Bank`, 2],
  ])('%s', async (_name, csv, line) => {
    const refused = await load(csv)
    expect(refused.status).toBe(400)
    expect(refused.failure.errors['csv'] ?? refused.failure.error).toContain(String(line))
  })

  test('of a day to come, or from those who may not', async () => {
    const csv = `${header}DE,12030000,BYLADEM1001,Bank`
    expect((await load(csv, { asOf: '2099-01-01' })).failure.code).toBe('date-invalid')
    for (const role of ['compliance', 'auditor'] as const)
      expect((await load(csv, { as: await makeStaff(server, [role]) })).status, role).toBe(403)
  })
})

test('a client asks 60 times an hour at most', async () => {
  const curious = await makeClient(server)
  const ask = () => call(server, lookUpBank, { as: curious, body: { iban: 'DE02120300000000202051' } })
  for (let times = 0; times < 60; times++) expect((await ask()).status).toBe(200)
  expect((await ask()).failure.code).toBe('too-many')
})
