/**
 * Finance enters the last balance of a suspended or closed client with its bank account and proof; compliance approves
 * both.
 */
import { randomBytes } from 'node:crypto'
import type { payLastBalance as endpoint } from '#contract/office/last-balance.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { arePaymentsStopped } from '#rules/checks/client-checks.ts'
import type { ClientState } from '#rules/clients.ts'
import { uploadBytesMax } from '#rules/constants.ts'
import { decimalOf, money, zero, type Money, type Currency } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { WithdrawalId, BankDetailsId, ClientId } from '#rules/ids.ts'
import { bankDetailsMachine, maskBankNumber } from '#rules/bank-details.ts'
import { row, sql, type Transaction, requireRow, type Connection } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, requireFound, throwFieldProblems, throwIfProblem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { freshSnapshot } from '../../ledger/account-snapshot.ts'
import { cachedFundsSummary, reserve, type FundsSummary } from '../../ledger/reservations.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { readForStaff } from '../../office/read-for-staff.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { openAccount, ownAccountById, platformLogin, type OpenAccount } from '../accounts/queries.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { lockAndCheckFunds } from './request-withdrawal.ts'
import { parseBankNumbers, type KeptNumbers } from '../../checks/bank-numbers.ts'
import { bankOfClient, type ChosenBank } from '../bank-details/queries.ts'

type EntryContext = RequestContext<typeof endpoint>

interface Facts {
  readonly account: OpenAccount
  readonly amount: Money
  readonly destination: Destination
  readonly prefix: string
  readonly dueAt: { readonly withdrawal: Date; readonly bank: Date }
  readonly keepProof: Awaited<ReturnType<StoreProof>>
}

/** Returns the withdrawal's id and reference. The amount is reserved immediately; nothing is debited yet. */
export function payLastBalance(storeProof: StoreProof): Handler<typeof endpoint> {
  return async (dependencies, context) => {
    const account = await accountOf(dependencies, context)
    const destination = destinationOf(context)
    const { referencePrefix: prefix } = await dependencies.settings.get('firm')
    const read = freshSnapshot(dependencies.pool, dependencies, platformLogin(account), context.now)
    await readForStaff(read, 'payout-not-on-platform')
    const keepProof = await storeReceivedProof(dependencies, storeProof, context)
    const dueAt = {
      withdrawal: await workItemDueAt(dependencies, 'withdrawal', context.now),
      bank: await workItemDueAt(dependencies, 'bank_details', context.now),
    }
    const amount = money(context.body.amount, account.currency)
    return withIdempotency(dependencies.pool, context, (tx) =>
      enterLastBalance(tx, context, { account, amount, destination, prefix, dueAt, keepProof }),
    )
  }
}

/** Returns the account of a suspended or closed client, checked again under the lock. */
async function accountOf({ pool }: Dependencies, { params, body }: EntryContext): Promise<OpenAccount> {
  const client = await row<{ state: ClientState }>(pool)`
    select state from clients where id = ${uuidOrNull(params.id)}::uuid`
  if (!client) throw new Problem('not-found')
  if (!arePaymentsStopped(client.state)) throw new Problem('last-balance-state')
  return openAccount(await ownAccountById(pool, params.id as SignedInClientId, body.accountId), 'accountId')
}

async function storeReceivedProof(dependencies: Dependencies, storeProof: StoreProof, context: EntryContext) {
  const { filename, content } = context.body.proof
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > uploadBytesMax) throw new Problem('file-large', { field: 'proof' })
  const { staffId } = requireStaff(context)
  return storeProof(dependencies, {
    clientId: context.params.id,
    received: { bytes, filename },
    staffId,
    auditContext: context.auditContext,
  })
}

async function enterLastBalance(tx: Transaction, context: EntryContext, facts: Facts) {
  const { account, amount } = facts
  const client = await clientForAction<{ state: ClientState }>(tx, context.params.id, sql`, state`)
  assertNotOwnRequest(requireStaff(context), client.email)
  if (!arePaymentsStopped(client.state)) throw new Problem('last-balance-state')
  // A last balance has no minimum.
  const covering = {
    account,
    amount,
    minimum: zero(amount.currency),
    bank: { state: 'approved', currency: amount.currency },
  }
  const funds = await lockAndCheckFunds(tx, covering, { field: 'amount', language: context.language })
  const proof = await facts.keepProof(tx)
  const terms = { currency: amount.currency, dueAt: facts.dueAt.bank }
  const bank = await payoutBank(tx, context, facts.destination, terms)
  const reference = referenceFrom(facts.prefix, randomBytes(5))
  const id = await insertWithdrawal(tx, context, facts, { bank, proof: proof.id, reference, funds })
  await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: context.now })
  return { id, reference }
}

interface Entered {
  readonly bank: PayoutBank
  readonly proof: string
  readonly reference: string
  readonly funds: FundsSummary
}

async function insertWithdrawal(
  tx: Transaction,
  context: EntryContext,
  { account, amount, dueAt }: Facts,
  { bank, proof, reference, funds }: Entered,
): Promise<string> {
  const clientId = context.params.id
  const written = await requireRow<{ id: WithdrawalId }>(tx)`
    insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
        figures, requested_at, entered_by, proof_file)
      values (${clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb, 'wire', 'Bank Transfer',
        ${amount.minor}, ${amount.currency}, ${reference}, ${JSON.stringify(cachedFundsSummary(funds))}::text::jsonb,
        ${context.now}, ${requireStaff(context).staffId}, ${proof})
      returning id`
  const summary = { amount: decimalOf(amount.minor), currency: amount.currency, account: account.login, reference }
  const more = { reason: context.body.reason, details: summary, workItem: { dueAt: dueAt.withdrawal, summary } }
  const { id } = written
  await recordCreation(tx, withdrawalMachine, context.auditContext, { id, clientId }, 'request', more)
  return id
}

/** The numbers of a new bank account, or the id of an approved one. */
type Destination = { readonly bankId: string } | { readonly numbers: KeptNumbers }

interface PayoutBank {
  readonly id: BankDetailsId
  readonly chosen: ChosenBank
}

const bankTextFields = ['holder', 'bankName', 'bankAddress', 'bankCountry'] as const
const bankNumberFields = ['bankAccountNumber', 'bankSortCode', 'bankIBAN', 'bankSwift'] as const

/**
 * Returns the destination that the call names. Throws `bank-chosen-and-entered` and the problems of a new bank
 * account's fields.
 */
function destinationOf({ body }: Pick<EntryContext, 'body'>): Destination {
  if (body.bankId !== undefined) {
    if ([...bankTextFields, ...bankNumberFields].some((name) => body[name] !== ''))
      throw new Problem('bank-chosen-and-entered', { field: 'bankId' })
    return { bankId: body.bankId }
  }
  const missing = (name: (typeof bankTextFields)[number]): ProblemCode | null =>
    body[name] === '' ? 'bank-fields-required' : null
  throwFieldProblems(Object.fromEntries(bankTextFields.map((name) => [name, missing(name)])))
  return { numbers: parseBankNumbers(body) }
}

/** Returns the chosen bank account, or inserts the new one as pending until the payout is decided. */
async function payoutBank(
  tx: Transaction,
  context: EntryContext,
  destination: Destination,
  { currency, dueAt }: { readonly currency: Currency; readonly dueAt: Date },
): Promise<PayoutBank> {
  return 'bankId' in destination
    ? approvedBank(tx, context.params.id, destination.bankId, currency)
    : insertBank(tx, context, destination.numbers, { currency, dueAt })
}

/** Throws `not-found` for another client's, `bank-currency` or `bank-not-approved`. */
async function approvedBank(
  connection: Connection,
  clientId: ClientId,
  bankId: string,
  currency: Currency,
): Promise<PayoutBank> {
  const bank = requireFound(await bankOfClient(connection, clientId, bankId), { field: 'bankId' })
  throwIfProblem(
    bank.currency !== currency ? 'bank-currency' : bank.state === 'approved' ? null : 'bank-not-approved',
    { field: 'bankId' },
  )
  return bank
}

async function insertBank(
  tx: Transaction,
  context: EntryContext,
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
  const number = maskBankNumber(numbers.iban ?? numbers.accountNumber ?? '')
  const form = numbers.iban === null ? 'sort code' : 'IBAN'
  await recordCreation(tx, bankDetailsMachine, context.auditContext, { id: added.id, clientId }, 'request', {
    details: { number },
    workItem: { dueAt, summary: { country: bankCountry, currency, form, number } },
  })
  const chosen = { ...numbers, version: added.version, bankName, bankAddress, bankCountry, holder }
  return { id: added.id, chosen }
}
