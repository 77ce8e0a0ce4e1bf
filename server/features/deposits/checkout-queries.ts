/** SQL of checkouts: the deposit of a payment at the provider, and which checkouts are queried next. */
import { dayMs, hourMs } from '#rules/dates.ts'
import type { DepositId } from '#rules/ids.ts'
import { row, rows, run, type Connection } from '../../db/sql.ts'
import type { Deposit } from './queries.ts'

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
  const young = new Date(now.getTime() - hourMs)
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
const endedCheckoutQueryMs = dayMs

/**
 * Returns checkouts that ended without a payment. If one is paid after all, a cancelled one is still credited (ADR 86),
 * and staff decide on a declined one.
 */
export async function expiredCheckoutsToQuery(connection: Connection, now: Date) {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return rows<{ id: DepositId }>(connection)`select id from deposits
      where state in ('cancelled', 'rejected') and provider_id is not null and received_minor is null
        and requested_at > ${ago(endedCheckoutQueryMs)} and coalesce(asked_at, requested_at)
          < case when state = 'cancelled' then ${ago(600_000)}::timestamptz else ${ago(hourMs)}::timestamptz end
      order by asked_at nulls first limit 20`
}

/** Card schemes allow a chargeback within 120 days of the payment. */
const chargebackPeriodMs = 120 * dayMs
const queryIntervalMs = dayMs

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
