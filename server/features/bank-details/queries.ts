/** SQL of bank details. Queries for clients take the `SignedInClientId` of the session. */
import { listOfficeBankDetails } from '#contract/office/bank-details.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { BankDetailsState } from '#rules/bank-details.ts'
import type { Language } from '#rules/choices.ts'
import type { Currency } from '#rules/money.ts'
import type { BankDetailsId, ClientId, FileId, StaffId } from '#rules/ids.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import { empty, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { clientsNamed, wordsPattern } from '../../office/lists.ts'
import { whereEquals, queue } from '../../office/listing.ts'
import { numberOf, numberOfDetails, type KeptNumbers } from '../../checks/bank-numbers.ts'

export interface BankRecord extends KeptNumbers {
  readonly id: BankDetailsId
  readonly clientId: ClientId
  readonly email: string
  readonly holder: string
  /** The holder's name as read on the bank statement, and who entered it; null until then. */
  readonly statementHolder: string | null
  readonly statementHolderBy: string | null
  readonly language: Language
  readonly bankName: string
  readonly bankAddress: string
  readonly bankCountry: string
  readonly currency: Currency
  readonly statementId: FileId | null
  readonly statement: string | null
  readonly statementPages: number | null
  readonly statementAt: Date | null
  readonly statementState: 'clean' | 'quarantined' | 'infected' | null
  readonly state: BankDetailsState
  readonly reason: string | null
  readonly decidedBy: string | null
  readonly addedAt: Date
  readonly decidedAt: Date | null
  readonly version: number
}

export const bankColumns = sql`b.id, b.client_id as "clientId", c.email::text as email, c.name || ' ' || c.surname as holder,
  b.holder_name as "statementHolder", b.holder_by as "statementHolderBy",
  c.language, b.bank_name as "bankName", b.bank_address as "bankAddress", b.bank_country as "bankCountry", b.currency,
  b.account_number as "accountNumber", b.sort_code as "sortCode", b.iban, b.swift, f.id as "statementId",
  f.label as statement, f.pages as "statementPages",
  f.created_at as "statementAt", f.state as "statementState", b.state, b.reason,
  b.decided_by as "decidedBy", b.added_at as "addedAt", b.decided_at as "decidedAt", b.version`
const tables = sql`bank_details b join clients c on c.id = b.client_id left join files f on f.id = b.statement_file`

/**
 * Returns why a person cannot approve a bank account now, or null. Staff cannot have seen a statement that the scanner
 * has not passed, and the person who entered the account for a last balance must not approve it.
 */
export function approvalProblem(
  { statementState, statementHolderBy }: Pick<BankRecord, 'statementState' | 'statementHolderBy'>,
  staffId: StaffId,
): Problem | null {
  if (statementHolderBy === staffId) return new Problem('own-act')
  return statementState === null || statementState === 'clean' ? null : new Problem('file-not-scanned')
}

/** Returns a client's bank accounts, newest first. */
export async function ownBankDetails(
  connection: Connection,
  clientId: SignedInClientId,
  filter: { currency: Currency | null; state: BankDetailsState | null },
) {
  return rows<BankRecord>(connection)`select ${bankColumns} from ${tables} where b.client_id = ${clientId}
        ${filter.currency ? sql`and b.currency = ${filter.currency}` : empty}
        ${filter.state ? sql`and b.state = ${filter.state}` : empty}
      order by b.added_at desc, b.id desc limit 200`
}

/** Returns one of the client's own bank accounts, or null also for another client's. */
export async function ownBankRecord(connection: Connection, clientId: SignedInClientId, id: string) {
  return row<BankRecord>(connection)`
    select ${bankColumns} from ${tables} where b.client_id = ${clientId} and b.id = ${uuidOrNull(id)}::uuid`
}

/** Returns one bank account for staff, or null. */
export async function bankRecordById(connection: Connection, id: BankDetailsId) {
  return row<BankRecord>(connection)`select ${bankColumns} from ${tables} where b.id = ${uuidOrNull(id)}::uuid`
}

/**
 * Returns the listing of bank accounts for staff; searched by client or bank name, and by the beginning of an IBAN or a
 * whole account number for roles that see numbers.
 */
export const bankListing = (roles: readonly StaffRole[]) =>
  queue(listOfficeBankDetails, {
    name: 'bank-details',
    tables,
    alias: 'b',
    sorts: { createdAt: { by: 'b.added_at', type: 'timestamptz' } },
    waiting: ['pending'],
    where: ({ currency }) => [whereEquals('b.currency', currency)],
    finds: (words) => sql`b.id in (select id from bank_details where client_id in (${clientsNamed(words)})
      union select id from bank_details where lower(bank_name) like ${wordsPattern(words)}
      ${canSeeNumbers(roles) ? bankIdsByNumber(words.replace(/\s/g, '').toUpperCase()) : empty})`,
  })

function bankIdsByNumber(number: string): Sql {
  if (/^\d{6,12}$/.test(number)) return sql`union select id from bank_details where account_number = ${number}`
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{0,30}$/.test(number)) return empty
  return sql`union select id from bank_details where iban >= ${number} and iban < ${`${number}~`}`
}

interface OthersWithNumber {
  /** The ids of the first few of these clients. */
  readonly ids: string[]
  readonly count: number
}

/** Returns other clients with the same bank account, a sign of possible fraud. */
export async function othersWithNumber(connection: Connection, record: BankRecord): Promise<OthersWithNumber> {
  const found = await rows<{ id: string; count: number }>(connection)`
    select client_id as id, (count(*) over ())::int as count from bank_details b
      where client_id <> ${record.clientId} and ${numberOfDetails(sql`b`)} = ${numberOf(record)}
      group by client_id order by client_id limit 20`
  return { ids: found.map((one) => one.id), count: found[0]?.count ?? 0 }
}

/** Bank details as a payout uses them, independent of later changes of the record. */
export interface ChosenBank
  extends KeptNumbers, Pick<BankRecord, 'bankName' | 'bankAddress' | 'bankCountry' | 'holder' | 'version'> {}

export interface OwnBank {
  readonly id: BankDetailsId
  readonly state: BankDetailsState
  readonly currency: Currency
  readonly chosen: ChosenBank
}

/**
 * Returns a client's bank record with the data for a payout, or null. For callers who name the client instead of using
 * the session.
 */
export async function bankOfClient(connection: Connection, clientId: ClientId, bankId: string) {
  return row<OwnBank>(connection)`
    select b.id, b.state, b.currency, jsonb_build_object('bankName', b.bank_name, 'bankAddress', b.bank_address,
        'bankCountry', b.bank_country, 'accountNumber', b.account_number, 'sortCode', b.sort_code, 'iban', b.iban,
        'swift', b.swift, 'version', b.version, 'holder', c.name || ' ' || c.surname) as chosen
      from bank_details b join clients c on c.id = b.client_id
      where b.id = ${uuidOrNull(bankId)}::uuid and b.client_id = ${clientId}`
}
