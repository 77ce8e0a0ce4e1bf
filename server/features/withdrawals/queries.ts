/** SQL of withdrawals. Queries for clients take the `SignedInClientId` of the session. */
import type { Recipient } from '#contract/office/decisions.ts'
import { listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import type { WithdrawalState } from '#rules/withdrawals.ts'
import { decimalOf, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import type { AccountId, BankDetailsId, ClientId, WithdrawalId } from '#rules/ids.ts'
import { numberOf, numberOfPayout } from '../../checks/bank-numbers.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { maskedNumber } from '../../i18n/format.ts'
import { recordsNamed } from '../../office/lists.ts'
import { whereEquals, queue, type Columns, byTimeOrAmount, amountBetween } from '../../office/listing.ts'
import type { Platform } from '../../dependencies.ts'
import type { ChosenBank } from '../bank-details/queries.ts'
import { movedWithin } from '../reports/queries.ts'

/** A withdrawal with all data of a decision. */
export interface Withdrawal {
  readonly id: WithdrawalId
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly clientName: string
  readonly clientLanguage: Language
  readonly accountId: AccountId
  readonly platform: Platform
  readonly login: string
  readonly bankId: BankDetailsId
  readonly bank: ChosenBank
  readonly method: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: Currency
  readonly reference: string
  readonly state: WithdrawalState
  readonly comment: string
  /** The finance employee who entered it as a last balance, and the proof; null for a client's request. */
  readonly enteredBy: string | null
  readonly proofFile: string | null
  readonly thresholdMinor: bigint | null
  readonly approvedBy: string | null
  readonly firstApprovedAt: Date | null
  readonly approvalNote: string | null
  readonly confirmedBy: string | null
  readonly confirmedAt: Date | null
  readonly paidBy: string | null
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  readonly requestedAt: Date
  readonly reversalAskedBy: string | null
  readonly reversalAskedAt: Date | null
  /** Whether it is in a payout batch that has been released and is not void. */
  readonly isReleased: boolean
  readonly version: number
}

/** Returns the work item of a withdrawal without its state and due time. */
export function withdrawalWorkItem({ amountMinor, currency, login, reference, clientId }: Withdrawal) {
  return { clientId, summary: { amount: decimalOf(amountMinor), currency, account: login, reference } }
}

export const withdrawalColumns: Columns<Withdrawal> = sql`w.id, w.client_id as "clientId", c.email::text as "clientEmail",
  c.name || ' ' || c.surname as "clientName", c.language as "clientLanguage", w.account_id as "accountId", a.platform,
  a.login, w.bank_id as "bankId", w.bank, w.method, w.amount_minor as "amountMinor", w.fee_minor as "feeMinor",
  w.currency, w.reference, w.state, w.comment, w.entered_by as "enteredBy",
  w.proof_file as "proofFile", w.threshold_minor as "thresholdMinor", w.approved_by as "approvedBy",
  w.first_approved_at as "firstApprovedAt", w.approval_note as "approvalNote", w.confirmed_by as "confirmedBy",
  w.confirmed_at as "confirmedAt", w.paid_by as "paidBy", w.approved_at as "approvedAt",
  w.rejected_at as "rejectedAt", w.requested_at as "requestedAt",
  w.reversal_asked_by as "reversalAskedBy", w.reversal_asked_at as "reversalAskedAt",
  exists (select from payout_batch_payments p join payout_batches b on b.id = p.batch_id
    where p.withdrawal_id = w.id and p.live and b.state <> 'created') as "isReleased", w.version`
export const withdrawalTables = sql`withdrawals w join clients c on c.id = w.client_id join trading_accounts a on a.id = w.account_id`

/** Returns one withdrawal for staff, or null. */
export async function withdrawalById(connection: Connection, id: WithdrawalId): Promise<Withdrawal | null> {
  return row<Withdrawal>(
    connection,
  )`select ${withdrawalColumns} from ${withdrawalTables} where w.id = ${uuidOrNull(id)}::uuid`
}

/** The listing of withdrawals for staff. */
export const withdrawalListing = queue(listOfficeWithdrawals, {
  name: 'withdrawals',
  tables: withdrawalTables,
  alias: 'w',
  sorts: byTimeOrAmount('w.requested_at', 'w.amount_minor'),
  waiting: ['pending', 'second_approval', 'processing', 'approved'],
  where: ({ method, currency, ...amounts }) => [
    whereEquals('w.method', method),
    whereEquals('w.currency', currency),
    ...amountBetween('w.amount_minor', amounts),
  ],
  within: ({ dated }, days) => (dated === undefined ? null : movedWithin[dated](days)),
  finds: (words) =>
    recordsNamed(words, { table: 'withdrawals', id: 'w.id', accounts: ['account_id'], reference: true }),
})

/**
 * Returns the sum in minor units that the client has requested since `since` to the same bank account, without this
 * withdrawal. Bank details with the same number, in any notation, are the same bank account.
 */
export async function sumRequestedToBank(
  connection: Connection,
  withdrawalId: WithdrawalId,
  since: Date,
): Promise<bigint> {
  const found = await row<{ sum: bigint }>(connection)`select coalesce(sum(o.amount_minor), 0)::bigint as sum
      from withdrawals w join withdrawals o on o.client_id = w.client_id and o.currency = w.currency and o.id <> w.id
      where w.id = ${withdrawalId} and o.requested_at > ${since} and o.state not in ('rejected', 'cancelled', 'returned')
        and (o.bank_id = w.bank_id or ${numberOfPayout(sql`o`)} is not distinct from ${numberOfPayout(sql`w`)})`
  return found?.sum ?? 0n
}

/** Returns the bank account that a withdrawal is paid to, as these roles may read it. */
export async function recipientOf(
  connection: Connection,
  withdrawal: Pick<Withdrawal, 'clientId' | 'currency' | 'bank' | 'bankId'>,
  roles: readonly StaffRole[],
): Promise<Recipient> {
  const { holder, bankName, iban, accountNumber, sortCode } = withdrawal.bank
  const number = canSeeNumbers(roles) ? (text: string | null) => text : maskedNumber
  const used = await row<{ approvedAt: Date | null; payouts: number }>(connection)`
    select decided_at as "approvedAt",
        (select count(*)::int from withdrawals where bank_id = b.id and state = 'paid') as payouts
      from bank_details b where b.id = ${withdrawal.bankId}`
  return {
    holder,
    bankName,
    iban: number(iban),
    accountNumber: number(accountNumber),
    sortCode,
    approvedAt: used?.approvedAt ?? null,
    usedForPayouts: used?.payouts ?? 0,
    depositedFrom: await depositedFrom(connection, withdrawal),
  }
}

/** Returns the sum of the client's credited wires from a bank account, in minor units. */
async function depositedFrom(
  connection: Connection,
  { clientId, currency, bank }: Pick<Withdrawal, 'clientId' | 'currency' | 'bank'>,
): Promise<bigint> {
  const number = numberOf(bank)
  if (number === '') return 0n
  const found = await row<{ sum: bigint }>(connection)`
    select coalesce(sum(l.amount_minor), 0)::bigint as sum from deposits d join bank_lines l on l.id = d.bank_line
      where d.client_id = ${clientId} and d.currency = ${currency} and d.state = 'approved'
        and british_number(l.payer_account) = ${number}`
  return found?.sum ?? 0n
}
