/** The destination of a last balance: an approved bank account of the client, or one that finance enters with it. */
import type { payLastBalance as endpoint } from '#contract/office/last-balance.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { bankDetailsMachine, masked } from '#rules/bank-details.ts'
import type { Currency } from '#rules/money.ts'
import type { BankDetailsId, ClientId } from '#rules/ids.ts'
import { keptNumbers, type KeptNumbers } from '../../checks/bank-numbers.ts'
import { type Connection, type Transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem, throwIfProblem, throwFieldProblems } from '../../http/problem.ts'
import { bankOfClient, type ChosenBank } from '../bank-details/queries.ts'

type Entering = RequestContext<typeof endpoint>

/** The numbers of a new bank account, or the id of an approved one. */
export type Destination = { readonly bankId: string } | { readonly numbers: KeptNumbers }

export interface PayoutBank {
  readonly id: BankDetailsId
  readonly chosen: ChosenBank
}

const described = ['holder', 'bankName', 'bankAddress', 'bankCountry'] as const
const numbered = ['bankAccountNumber', 'bankSortCode', 'bankIBAN', 'bankSwift'] as const

/**
 * Returns the destination that the call names. Throws `bank-chosen-and-entered` and the problems of a new bank
 * account's fields.
 */
export function destinationOf({ body }: Pick<Entering, 'body'>): Destination {
  if (body.bankId !== undefined) {
    if ([...described, ...numbered].some((name) => body[name] !== ''))
      throw new Problem('bank-chosen-and-entered', { field: 'bankId' })
    return { bankId: body.bankId }
  }
  const missing = (name: (typeof described)[number]): ProblemCode | null =>
    body[name] === '' ? 'bank-fields-required' : null
  throwFieldProblems(Object.fromEntries(described.map((name) => [name, missing(name)])))
  return { numbers: keptNumbers(body) }
}

/** Returns the chosen bank account, or inserts the new one as pending until the payout is decided. */
export async function payoutBank(
  tx: Transaction,
  context: Entering,
  destination: Destination,
  { currency, dueAt }: { readonly currency: Currency; readonly dueAt: Date },
): Promise<PayoutBank> {
  return 'bankId' in destination
    ? approvedBank(tx, context.params.id, destination.bankId, currency)
    : enterBank(tx, context, destination.numbers, { currency, dueAt })
}

/** Throws `not-found` for another client's, `bank-currency` or `bank-not-approved`. */
async function approvedBank(
  connection: Connection,
  clientId: ClientId,
  bankId: string,
  currency: Currency,
): Promise<PayoutBank> {
  const bank = await bankOfClient(connection, clientId, bankId)
  if (!bank) throw new Problem('not-found', { field: 'bankId' })
  throwIfProblem(
    bank.currency !== currency ? 'bank-currency' : bank.state === 'approved' ? null : 'bank-not-approved',
    {
      field: 'bankId',
    },
  )
  return bank
}

async function enterBank(
  tx: Transaction,
  context: Entering,
  numbers: KeptNumbers,
  { currency, dueAt }: { readonly currency: Currency; readonly dueAt: Date },
): Promise<PayoutBank> {
  const { bankName, bankAddress, bankCountry, holder } = context.body
  const clientId = context.params.id
  const added = await requireRow<{ id: BankDetailsId; version: number }>(tx)`
    insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, account_number, sort_code,
        iban, swift, holder_name, holder_by, added_at)
      values (${clientId}, ${bankName}, ${bankAddress}, ${bankCountry}, ${currency}, ${numbers.accountNumber},
        ${numbers.sortCode}, ${numbers.iban}, ${numbers.swift}, ${holder}, ${requireStaff(context).staffId}, ${context.now})
      returning id, version`
  const number = masked(numbers.iban ?? numbers.accountNumber ?? '')
  const form = numbers.iban === null ? 'sort code' : 'IBAN'
  await recordCreation(tx, bankDetailsMachine, context.auditContext, { id: added.id, clientId }, 'request', {
    details: { number },
    workItem: { dueAt, summary: { country: bankCountry, currency, form, number } },
  })
  const chosen = { ...numbers, version: added.version, bankName, bankAddress, bankCountry, holder }
  return { id: added.id, chosen }
}
