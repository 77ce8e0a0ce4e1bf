/** The directory of banks by IBAN: imported by staff, queried by the client's form (requirements 24.15). */
import { parse } from 'csv-parse/sync'
import type { lookUpBank as lookUpEndpoint } from '#contract/bank-details.ts'
import { msg, type Message } from '#contract/message.ts'
import type * as office from '#contract/office/bank-directory.ts'
import { isValidIBAN } from 'ibantools'
import { bankCodesOf, isSwift, normalizeBankNumber } from '#rules/bank-details.ts'
import { bankDirectoryRowsMax } from '#rules/constants.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, dayOf, isoDay } from '#rules/dates.ts'
import { hasHidden } from '#rules/hidden-characters.ts'
import type { StaffId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { row, rows, run, transaction } from '../../db/sql.ts'
import { requireClient, requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { translate } from '../../i18n/translate.ts'

const lookUpsPerHour = 60
const nameLengthMax = 140
const columns = ['country', 'bank_code', 'bic', 'name'] as const

interface Bank {
  readonly country: string
  readonly code: string
  readonly bic: string
  readonly name: string
}

export const lookUpBank: Handler<typeof lookUpEndpoint> = async ({ pool }, context) => {
  const who = requireClient(context).clientId
  await enforceLimit(pool, perHour('bank-look-up', who), lookUpsPerHour, context.now)
  const iban = normalizeBankNumber(context.body.iban)
  if (!isValidIBAN(iban)) return { bank: null }
  const bank = await row<{ bankName: string; bankSwift: string; asOf: string }>(pool)`
    select b.name as "bankName", b.bic as "bankSwift", d.as_of::text as "asOf"
      from directory_banks b join bank_directories d using (country)
      where b.country = ${iban.slice(0, 2)} and b.bank_code = any (${bankCodesOf(iban)}::text[])
      order by length(b.bank_code) desc limit 1`
  return { bank }
}

export const showBankDirectory: Handler<typeof office.showBankDirectory> = async ({ pool }) => {
  const found = await rows<{
    country: string
    asOf: string
    banks: number
    staffId: StaffId
    staffName: string
  }>(pool)`
    select d.country, d.as_of::text as "asOf", s.id as "staffId", s.name as "staffName",
        (select count(*)::int from directory_banks b where b.country = d.country) as banks
      from bank_directories d join staff s on s.id = d.imported_by order by d.country`
  return {
    countries: found.map(({ staffId, staffName, ...one }) => ({
      ...one,
      importedBy: { id: staffId, name: staffName },
    })),
  }
}

/** Imports the whole table or nothing: if it is invalid, the previous table stays in force. */
export const importBankDirectory: Handler<typeof office.importBankDirectory> = async (dependencies, context) => {
  const { csv, asOf, filename } = context.body
  const { timeZone } = await dependencies.settings.get('firm')
  if (!dayOf(asOf) || asOf > isoDay(dayIn(context.now, timeZone))) throw new Problem('date-invalid', { field: 'asOf' })
  const banks = readBanks(csv, context)
  const countries = [...new Set(banks.map(({ country }) => country))].toSorted()
  await transaction(dependencies.pool, async (tx) => {
    // Serializes two imports of one country.
    await run(tx)`select pg_advisory_xact_lock(hashtext('bank_directories'))`
    await run(tx)`delete from bank_directories where country = any (${countries}::text[])`
    await run(tx)`
      insert into bank_directories (country, as_of, filename, imported_by, imported_at)
        select country, ${asOf}::date, ${filename}, ${requireStaff(context).staffId}, ${context.now}
          from unnest(${countries}::text[]) country`
    await run(tx)`
      insert into directory_banks (country, bank_code, bic, name)
        select * from unnest(${banks.map(({ country }) => country)}::text[], ${banks.map(({ code }) => code)}::text[],
          ${banks.map(({ bic }) => bic)}::text[], ${banks.map(({ name }) => name)}::text[])`
    await recordEvent(tx, context.auditContext, {
      kind: 'bank_directory',
      action: 'import',
      details: { name: filename, asOf, countries: countries.join(', '), rows: banks.length },
    })
  })
  return { banks: banks.length }
}

type EndpointContext = Pick<RequestContext, 'language'>

/** Throws `bank-directory-invalid` with the first invalid line. */
function readBanks(csv: string, { language }: EndpointContext): Bank[] {
  const throwAt = (line: number, why: Message): never => {
    throw new Problem('bank-directory-invalid', { field: 'csv', values: { line, reason: translate(why, language) } })
  }
  const [header = [], ...lines] = parseCsv(csv, throwAt)
  const places = columns.map((name) =>
    header.findIndex((cell) => cell.trim().toLowerCase().replace(/\W+/g, '_') === name),
  )
  if (places.includes(-1)) throwAt(1, msg`the columns country, bank_code, bic and name are required`)
  if (lines.length === 0) throwAt(2, msg`the table contains no banks`)
  if (lines.length > bankDirectoryRowsMax) throwAt(bankDirectoryRowsMax + 2, msg`the table is too long`)
  const known = new Set<string>()
  return lines.map((cells, index) => {
    const [country = '', code = '', bic = '', name = ''] = places.map((place) => (cells[place] ?? '').trim())
    const bank = { country, code: normalizeBankNumber(code), bic: normalizeBankNumber(bic), name }
    const why = bankError(bank) ?? (known.has(`${country} ${bank.code}`) ? msg`this bank code is listed twice` : null)
    if (why) throwAt(index + 2, why)
    known.add(`${country} ${bank.code}`)
    return bank
  })
}

function bankError({ country, code, bic, name }: Bank): Message | null {
  if (countryOf(country) === null) return msg`the country code is not valid`
  if (!/^[A-Z0-9]{2,12}$/.test(code)) return msg`a bank code has 2 to 12 letters or digits`
  if (bic !== '' && !isSwift(bic)) return msg`a BIC has 8 or 11 characters`
  if (name === '' || name.length > nameLengthMax || hasHidden(name) || /[\r\n]/.test(name))
    return msg`the name is empty, too long or has hidden characters`
  return null
}

function parseCsv(csv: string, throwAt: (line: number, why: Message) => never): string[][] {
  try {
    const delimiter = csv.split('\n', 1)[0]?.includes(';') ? ';' : ','
    return parse(csv, { bom: true, delimiter, skip_empty_lines: true, relax_column_count: true })
  } catch (error) {
    if (!(error instanceof Error && 'lines' in error)) throw error
    return throwAt(Number(error.lines), msg`the file is not a CSV table`)
  }
}
