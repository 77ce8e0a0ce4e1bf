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
import { empty, raw, requireRow, row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { recordsNamed, wordsPattern } from '../../office/lists.ts'
import { listing, whereEquals, queue, type Columns, byTimeOrAmount, amountBetween } from '../../office/listing.ts'
import { cardRefundKind } from '../../jobs/card-refund.ts'
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
      where o.subject = 'deposit' and o.record = ${id} and o.kind = ${cardRefundKind} and o.state = 'done'
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

interface ProviderDeposit {
  readonly id: DepositId
  readonly providerId: string | null
}

/** Returns the deposit of a checkout of the provider, or null. */
export async function depositByCheckout(connection: Connection, provider: string, providerId: string) {
  return row<ProviderDeposit>(connection)`
    select id, provider_id as "providerId" from deposits where provider = ${provider} and provider_id = ${providerId}`
}

/** Returns the deposit of a payment at the provider once its id is known. */
export async function depositByPayment(connection: Connection, provider: string, paymentId: string) {
  return row<ProviderDeposit>(connection)`
    select id, provider_id as "providerId" from deposits where provider = ${provider} and (payment_id = ${paymentId}
      or id in (select deposit_id from deposit_payments where payment_id = ${paymentId}))`
}

/** Returns the ids of all payments of a deposit's checkout that the provider has named, that of its own first. */
export async function paymentIdsOf(
  connection: Connection,
  { id, paymentId }: Pick<Deposit, 'id' | 'paymentId'>,
): Promise<string[]> {
  const found = await rows<{ id: string }>(connection)`
    select payment_id as id from deposit_payments where deposit_id = ${id} order by seen_at, payment_id`
  return [...(paymentId === null ? [] : [paymentId]), ...found.map((one) => one.id)]
}

/** Stores the ids of payments that the provider has named: one is queried by it when its checkout is gone (ADR 339). */
export async function recordPaymentIds(
  connection: Connection,
  id: DepositId,
  named: readonly { readonly paymentId?: string | undefined }[],
  now: Date,
): Promise<void> {
  const paymentIds = named.flatMap(({ paymentId = '' }) => (paymentId === '' ? [] : [paymentId]))
  if (paymentIds.length === 0) return
  await run(connection)`insert into deposit_payments (payment_id, deposit_id, seen_at)
      select unnest(${paymentIds}::text[]), ${id}::uuid, ${now}::timestamptz on conflict do nothing`
}

/** Returns the deposit whose payment has this reference of ours at the provider. */
export async function depositByReference(connection: Connection, provider: string, ref: string) {
  return row<ProviderDeposit>(connection)`
    select id, provider_id as "providerId" from deposits where provider = ${provider} and provider_ref = ${ref}`
}

/** Returns open checkouts that were not queried since `before`. */
export async function checkoutsToQuery(connection: Connection, now: Date) {
  const soon = new Date(now.getTime() - 30_000)
  const later = new Date(now.getTime() - 600_000)
  const young = new Date(now.getTime() - 3_600_000)
  // Future times were stored before the clock was set back (requirements 33.10).
  const ahead = new Date(now.getTime() + 600_000)
  return rows<{ id: DepositId; providerId: string }>(connection)`select id, provider_id as "providerId" from deposits
      where state = 'pending' and type <> 'wire' and provider_id is not null
        and (unanswered_since is not null
          or coalesce(asked_at, requested_at) < case when requested_at > ${young} then ${soon}::timestamptz else ${later}::timestamptz end
          or coalesce(asked_at, requested_at) > ${ahead})
      order by asked_at nulls first limit 20`
}

/** How long a checkout that has ended is still queried for a payment: far longer than its page is valid. */
const endedCheckoutQueryMs = 86_400_000

/**
 * Returns checkouts that ended without a payment. If one is paid after all, a cancelled one is still credited (ADR 86),
 * and staff decide on a declined one.
 */
export async function expiredCheckoutsToQuery(connection: Connection, now: Date) {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return rows<{ id: DepositId }>(connection)`select id from deposits
      where state in ('cancelled', 'rejected') and provider_id is not null and received_minor is null
        and requested_at > ${ago(endedCheckoutQueryMs)} and coalesce(asked_at, requested_at)
          < case when state = 'cancelled' then ${ago(600_000)}::timestamptz else ${ago(3_600_000)}::timestamptz end
      order by asked_at nulls first limit 20`
}

/** Card schemes allow a chargeback within 120 days of the payment. */
const chargebackPeriodMs = 120 * 86_400_000
const queryIntervalMs = 86_400_000

/**
 * Returns paid checkouts whose payment may still be refunded or charged back, or whose return may be reversed, and that
 * were not queried for a day.
 */
export async function paidCheckoutsToQuery(connection: Connection, now: Date) {
  const since = new Date(now.getTime() - chargebackPeriodMs)
  return rows<{ id: DepositId }>(connection)`select id from deposits
      where state in ('in_review', 'uncredited', 'refunding', 'approved', 'refunded', 'rejected') and provider_id is not null
        and case
          -- A rejected one was credited to another account by two people, or rejected by a server of an earlier version.
          when state in ('approved', 'rejected') then coalesce(approved_at, rejected_at) > ${since}
            and (refunded_minor < received_minor or exists (select from entries e
              where e.subject = 'deposit' and e.record = deposits.id and e.kind = 'charged_back'))
          when state = 'refunded' then exists (select from events e
            where e.kind = 'deposit' and e.record = deposits.id and e.to_state = 'refunded' and e.at > ${since})
          else true end
        and coalesce(asked_at, approved_at, requested_at) < ${new Date(now.getTime() - queryIntervalMs)}
      order by asked_at nulls first limit 20`
}

/**
 * Returns requests whose time is over: wires that have not arrived, and checkouts that never reached the provider.
 */
export async function expiredDeposits(connection: Connection, now: Date) {
  return rows<{ id: DepositId; type: MethodType }>(connection)`
    select id, type from deposits where state = 'pending' and expires_at <= ${now}
      and (type = 'wire' or provider_id is null) order by expires_at limit 50`
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
