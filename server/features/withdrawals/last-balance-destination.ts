/** Where a last balance goes: to an approved bank account of the client, or to one that finance enters with it. */
import type { payLastBalance as endpoint } from '#contract/office/last-balance.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { bankDetailsLife, masked } from '#rules/bank-details.ts'
import type { Currency } from '#rules/money.ts'
import { keptNumbers, type KeptNumbers } from '../../checks/bank-numbers.ts'
import { record } from '../../db/events.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse, refuseFields } from '../../http/problem.ts'
import { bankOfClient, type ChosenBank } from './queries.ts'

type Entering = Call<typeof endpoint>

/** The numbers of a new bank account; null where an approved one was chosen. */
export type Destination = { readonly bankId: string } | { readonly numbers: KeptNumbers }

export interface PayoutBank {
  readonly id: string
  readonly chosen: ChosenBank
}

const described = ['holder', 'bankName', 'bankAddress', 'bankCountry'] as const
const numbered = ['bankAccountNumber', 'bankSortCode', 'bankIBAN', 'bankSwift'] as const

/** What the call says of it. Throws `bank-chosen-and-entered`, and the refusals of a new bank account's fields. */
export function destinationOf({ body }: Pick<Entering, 'body'>): Destination {
  if (body.bankId !== undefined) {
    if ([...described, ...numbered].some((name) => body[name] !== ''))
      throw new Problem('bank-chosen-and-entered', { field: 'bankId' })
    return { bankId: body.bankId }
  }
  const missing = (name: (typeof described)[number]): ProblemCode | null =>
    body[name] === '' ? 'bank-fields-required' : null
  refuseFields(Object.fromEntries(described.map((name) => [name, missing(name)])))
  return { numbers: keptNumbers(body) }
}

/** The chosen bank account as it stands now, or the new one, written as pending until the payout is decided. */
export async function payoutBank(
  tx: Transaction,
  call: Entering,
  destination: Destination,
  { currency, dueAt }: { readonly currency: Currency; readonly dueAt: Date },
): Promise<PayoutBank> {
  return 'bankId' in destination
    ? approvedBank(tx, call.params.id, destination.bankId, currency)
    : enterBank(tx, call, destination.numbers, { currency, dueAt })
}

/** Throws `not-found` for another client's, `bank-currency`, `bank-not-approved`. */
async function approvedBank(
  connection: Connection,
  clientId: string,
  bankId: string,
  currency: Currency,
): Promise<PayoutBank> {
  const bank = await bankOfClient(connection, clientId, bankId)
  if (!bank) throw new Problem('not-found', { field: 'bankId' })
  refuse(bank.currency !== currency ? 'bank-currency' : bank.state === 'approved' ? null : 'bank-not-approved', {
    field: 'bankId',
  })
  return bank
}

async function enterBank(
  tx: Transaction,
  call: Entering,
  numbers: KeptNumbers,
  { currency, dueAt }: { readonly currency: Currency; readonly dueAt: Date },
): Promise<PayoutBank> {
  const { bankName, bankAddress, bankCountry, holder } = call.body
  const clientId = call.params.id
  const added = await row<{ id: string; version: number }>(
    tx,
    sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, account_number, sort_code,
          iban, swift, holder_name, holder_by, added_at)
        values (${clientId}, ${bankName}, ${bankAddress}, ${bankCountry}, ${currency}, ${numbers.accountNumber},
          ${numbers.sortCode}, ${numbers.iban}, ${numbers.swift}, ${holder}, ${staffOf(call).staffId}, ${call.now})
        returning id, version`,
  )
  if (!added) throw new Error('bank details were not written')
  const { name: kind, first: state } = bankDetailsLife
  const number = masked(numbers.iban ?? numbers.accountNumber ?? '')
  await record(tx, call.act, { kind, verb: 'request', record: added.id, clientId, to: state, details: { number } })
  const form = numbers.iban === null ? 'sort code' : 'IBAN'
  const summary = { country: bankCountry, currency, form, number }
  await openWork(tx, kind, added.id, { state, dueAt, clientId, summary }, call.now)
  const chosen = { ...numbers, version: added.version, bankName, bankAddress, bankCountry, holder }
  return { id: added.id, chosen }
}
