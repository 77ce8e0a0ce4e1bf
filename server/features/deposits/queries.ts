/** SQL of deposits and bank transactions. */
import { listOfficeDeposits } from '#contract/office/deposits.ts'
import { listBankLines, type BankLine as ShownLine } from '#contract/office/bank-lines.ts'
import type { WireDetails } from '#contract/deposits.ts'
import type { Language } from '#rules/choices.ts'
import type { MethodType } from '#rules/payment-methods.ts'
import type { BankLineState, DepositState } from '#rules/deposits.ts'
import { decimalOf, type Currency, type Money } from '#rules/money.ts'
import type { AccountId, BankLineId, ClientId, DepositId } from '#rules/ids.ts'
import { type AuditContext, recordEvent } from '../../db/events.ts'
import { empty, raw, requireRow, row, rows, sql, type Connection, type Transaction } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { recordsNamed, wordsPattern } from '../../office/lists.ts'
import { listing, whereEquals, queue, type Columns, byTimeOrAmount, amountBetween } from '../../office/listing.ts'
import { depositRefundKind } from '../../jobs/card-refund.ts'
import { namesReference } from '../../ledger/named-references.ts'
import { chargedBackOf, refundedOf } from '../../ledger/returned-amounts.ts'
import type { Platform } from '../../dependencies.ts'
import { movedWithin } from '../reports/queries.ts'

/** The firm's account as shown to the client, without the reference. */
export type WireAccount = Omit<WireDetails, 'BankReference'>

export interface Deposit {
  readonly id: DepositId
  readonly clientId: ClientId
  readonly clientName: string
  readonly clientEmail: string
  readonly clientLanguage: Language
  readonly accountId: AccountId
  readonly platform: Platform
  readonly login: string
  readonly type: MethodType
  readonly method: string
  readonly amountMinor: bigint
  readonly receivedMinor: bigint | null
  readonly feeMinor: bigint
  /** The sum of refunds and chargebacks. */
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  readonly currency: Currency
  readonly reference: string
  /** Our reference at the provider; null for a wire. */
  readonly providerRef: string | null
  readonly state: DepositState
  readonly comment: string
  readonly provider: string | null
  readonly providerId: string | null
  /**
   * The provider's id of the payment whose money was taken; null until then. Servers of earlier versions wrote the first
   * one that they saw.
   */
  readonly paymentId: string | null
  readonly bankLine: BankLineId | null
  readonly wireAccount: WireAccount | null
  readonly decidedBy: string | null
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  readonly askedAt: Date | null
  readonly version: number
}

export const depositColumns = sql`d.id, d.client_id as "clientId", c.name || ' ' || c.surname as "clientName",
  c.email::text as "clientEmail", c.language as "clientLanguage", d.account_id as "accountId", a.platform, a.login,
  d.type, d.method, d.amount_minor as "amountMinor", d.received_minor as "receivedMinor",
  d.fee_minor as "feeMinor", d.refunded_minor as "refundedMinor",
  ${raw(chargedBackOf)} as "chargedBackMinor", d.currency, d.reference, d.provider_ref as "providerRef", d.state, d.comment,
  d.provider, d.provider_id as "providerId", d.payment_id as "paymentId",
  d.bank_line as "bankLine", d.wire_account as "wireAccount", d.decided_by as "decidedBy",
  d.requested_at as "requestedAt", d.expires_at as "expiresAt", d.approved_at as "approvedAt",
  d.rejected_at as "rejectedAt", d.asked_at as "askedAt", d.version`
export const depositTables = sql`deposits d join clients c on c.id = d.client_id join trading_accounts a on a.id = d.account_id`

/** Returns one deposit, or null. */
export async function depositById(connection: Connection, id: DepositId) {
  return row<Deposit>(connection)`select ${depositColumns} from ${depositTables} where d.id = ${uuidOrNull(id)}::uuid`
}

/** Returns one deposit and locks its row until the transaction ends. */
export async function lockDeposit(connection: Connection, id: DepositId) {
  return row<Deposit>(connection)`select ${depositColumns} from ${depositTables} where d.id = ${id} for update of d`
}

/** Returns whether two people have posted a credit of the deposit that the platform had refused and executed. */
export async function isCreditPosted(connection: Connection, id: DepositId): Promise<boolean> {
  const posted = await row(connection)`
    select 1 from differences d join operations o on o.ref = d.facts ->> 'comment'
      where o.subject = 'deposit' and o.record = ${id} and o.kind = 'balance' and d.kind = 'second-deal'
        and d.state = 'settled' and d.proposal <> 'reverse' limit 1`
  return posted !== null
}

/** Returns whether a refund that finance requested is not settled. */
export async function isRefundUnsettled(connection: Connection, id: DepositId): Promise<boolean> {
  const refund = await row(connection)`
    select 1 from operations where kind = ${depositRefundKind} and record = ${id}
      and state in ('waiting', 'sending', 'unknown') limit 1`
  return refund !== null
}

interface PostedReturns {
  refunded: bigint
  charged_back: bigint
  /** The number of posted reversals of refunds and chargebacks. */
  reversals: number
}

/**
 * Returns the posted refunds and chargebacks of a locked deposit. Must be read after the lock, because two hints may be
 * processed concurrently.
 */
export async function postedReturns(tx: Connection, id: DepositId): Promise<PostedReturns> {
  return requireRow<PostedReturns>(tx)`
    select ${raw(refundedOf)} as refunded, ${raw(chargedBackOf)} as charged_back, (select count(*)::int from entries e
        where e.subject = 'deposit' and e.record = d.id and e.ref like '%-reversed:%') as reversals
      from deposits d where d.id = ${id}`
}

/**
 * Returns the sum of the refunds of a deposit that finance requested and that the provider has settled, without those of
 * these ids, in minor units.
 */
export async function ownRefundsExcept(tx: Connection, id: DepositId, refundIds: readonly string[]): Promise<bigint> {
  const { minor } = await requireRow<{ minor: bigint }>(tx)`
    select coalesce(sum((r.one ->> 'minor')::bigint), 0)::bigint as minor
      from operations o cross join lateral jsonb_array_elements(o.result -> 'done' -> 'back') as r (one)
      where o.subject = 'deposit' and o.record = ${id} and o.kind = ${depositRefundKind} and o.state = 'done'
        and r.one ->> 'id' = o.result -> 'done' ->> 'refundId' and r.one ->> 'id' <> all (${refundIds}::text[])`
  return minor
}

/** Returns a deposit that was credited to an account, and locks its row until the transaction ends, or null. */
export async function lockCreditedDeposit(tx: Connection, accountId: AccountId, id: DepositId) {
  return row<{ receivedMinor: bigint; currency: Currency; reference: string }>(tx)`
    select received_minor as "receivedMinor", currency, reference from deposits
      where id = ${uuidOrNull(id)}::uuid and account_id = ${accountId} and state = 'approved' and received_minor is not null for update`
}

/** Adds the amount that a correction returned to the refunded amount of a bank transfer, and records an event. */
export async function addReturnedWire(
  tx: Transaction,
  id: DepositId,
  { minor, currency }: Money,
  auditContext: AuditContext,
): Promise<void> {
  const changed = await row<{ clientId: ClientId }>(tx)`
    update deposits set refunded_minor = refunded_minor + ${minor}, version = version + 1
      where id = ${id} and type = 'wire' returning client_id as "clientId"`
  // A refund of a card payment is recorded when the provider reports it.
  if (changed === null) return
  const details = { amount: decimalOf(minor), currency }
  await recordEvent(tx, auditContext, { kind: 'deposit', action: 'returned', record: id, ...changed, details })
}

/** Returns the client's own deposit, or null also for another client's. */
export async function ownDeposit(connection: Connection, clientId: SignedInClientId, id: string) {
  return row<Deposit>(connection)`
    select ${depositColumns} from ${depositTables} where d.id = ${uuidOrNull(id)}::uuid and d.client_id = ${clientId}`
}

/** Returns the client's own payment through the provider, by the reference of the return page. */
export async function ownCheckout(connection: Connection, clientId: SignedInClientId, reference: string) {
  return row<Deposit>(connection)`select ${depositColumns} from ${depositTables}
      where d.reference = ${reference} and d.client_id = ${clientId} and d.type <> 'wire'`
}

/** Condition for a bank transaction, `l`, that names the pending wire `d` and that staff have not decided on. */
export const hasArrived = sql`d.type = 'wire' and d.state = 'pending' and l.state in ('second_approval', 'unmatched')
  and l.amount_minor > 0 and l.currency = d.currency
  and ${namesReference(sql`l.remittance`, sql`d.reference`)}`

/** Returns when the payment of a pending wire was received, if a bank transaction names it; null otherwise. */
export async function wireArrivedAt(connection: Connection, id: string): Promise<Date | null> {
  const found = await row<{ at: Date }>(connection)`select l.created_at as at
      from deposits d join bank_lines l on ${hasArrived} where d.id = ${uuidOrNull(id)}::uuid
      order by l.created_at limit 1`
  return found?.at ?? null
}

/**
 * Returns requests whose time is over: wires that have not arrived, and checkouts that never reached the provider.
 */
export async function expiredDeposits(connection: Connection, now: Date) {
  return rows<{ id: DepositId; type: MethodType }>(connection)`
    select d.id, d.type from deposits d where d.state = 'pending' and d.expires_at <= ${now}
      and (d.type = 'wire' or d.provider_id is null) and not exists (select from bank_lines l where ${hasArrived})
      order by d.expires_at limit 50`
}

/** The listing of deposits for staff. */
export const depositListing = queue(listOfficeDeposits, {
  name: 'deposits',
  tables: depositTables,
  alias: 'd',
  sorts: byTimeOrAmount('d.requested_at', 'd.amount_minor'),
  waiting: ['pending', 'in_review', 'processing', 'uncredited', 'refunding'],
  where: ({ type, method, currency, ...amounts }) => [
    whereEquals('d.type', type),
    whereEquals('d.method', method),
    whereEquals('d.currency', currency),
    ...amountBetween('d.amount_minor', amounts),
  ],
  within: ({ dated }, days) => (dated === undefined ? null : movedWithin[dated](days)),
  finds: (words) => recordsNamed(words, { table: 'deposits', id: 'd.id', accounts: ['account_id'], reference: true }),
})

export interface BankLine extends Omit<
  ShownLine,
  'amount' | 'typedBy' | 'importedBy' | 'confirmedBy' | 'settlement' | 'overdue' | 'verbs' | 'requiredRoles'
> {
  readonly id: BankLineId
  readonly amountMinor: bigint
  readonly typedBy: string | null
  /** The person who imported its statement. */
  readonly importedBy: string | null
  readonly confirmedBy: string | null
  /** The charges of a settlement of the card provider that was proposed or confirmed, in minor units. */
  readonly settlementFeeMinor: bigint | null
  readonly settlementAskedBy: string | null
  readonly depositId: DepositId | null
}

export const lineColumns: Columns<BankLine> = sql`l.id, l.bank_account as "bankAccount", l.bank_id as "bankId", l.amount_minor as "amountMinor",
  l.currency, l.payer, l.payer_account as "payerAccount", l.remittance, l.booked_on as "bookedOn", l.state,
  l.typed_by as "typedBy", i.imported_by as "importedBy", l.confirmed_by as "confirmedBy", l.reason, l.created_at as "createdAt", l.version,
  l.settlement_fee_minor as "settlementFeeMinor", l.settlement_asked_by as "settlementAskedBy", d.id as "depositId"`
export const lineTables = sql`bank_lines l left join deposits d on d.bank_line = l.id
  left join statement_imports i on i.id = l.import_id`

/** Returns one bank transaction, or null. */
export async function bankLineById(connection: Connection, id: BankLineId) {
  return row<BankLine>(connection)`select ${lineColumns} from ${lineTables} where l.id = ${uuidOrNull(id)}::uuid`
}

/** Returns bank transactions in the order of their arrival. */
export async function bankLinesByIds(connection: Connection, ids: readonly string[]) {
  return rows<BankLine>(connection)`
    select ${lineColumns} from ${lineTables} where l.id = any (${[...ids]}::uuid[]) order by l.id`
}

/**
 * The listing of bank transactions. With the state `unmatched` it contains only unallocated receipts, and not outgoing
 * payments.
 */
export const bankLineListing = listing(listBankLines, {
  name: 'bank-lines',
  tables: lineTables,
  id: { by: 'l.id', type: 'uuid' },
  sorts: { bookedOn: { by: 'l.booked_on', type: 'date' }, amount: { by: 'l.amount_minor', type: 'bigint' } },
  at: { by: 'l.booked_on', type: 'date' },
  standard: () => ({ sort: 'bookedOn', direction: 'desc' }),
  where: ({ state, currency, ...amounts }) => [
    ...amountBetween('l.amount_minor', amounts),
    whereEquals('l.state', state),
    state === 'unmatched' ? sql`l.amount_minor > 0` : empty,
    whereEquals('l.currency', currency),
  ],
  finds: (words) => sql`lower(l.payer || ' ' || l.remittance || ' ' || l.bank_id) like ${wordsPattern(words)}`,
})

/** Returns the state of a bank transaction after it was posted: a returned payout is matched immediately. */
export function bankStatusOf(tx: Transaction, id: BankLineId) {
  return requireRow<{ state: BankLineState; version: number }>(tx)`
    select state, version from bank_lines where id = ${id}`
}
