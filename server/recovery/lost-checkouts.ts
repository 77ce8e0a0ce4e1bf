/**
 * Payments at the card provider whose checkout this database has lost: each becomes one item, which two people assign
 * to an account or return to the payer (requirements 20.17, ADR 145). The provider is queried before any row is locked.
 */
import { providerSilent } from '#rules/differences.ts'
import { decimalOf, type Money } from '#rules/money.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import type { ClientId, DepositId, RecoveryItemId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../db/transition.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, rows, run, transaction, type Transaction } from '../db/sql.ts'
import { isIntegrationError, type IntegrationError } from '../integrations/errors.ts'
import type { Keys } from '../crypto/keys.ts'
import {
  fetchStatuses,
  type ProviderCheckout,
  type CheckoutStatus,
} from '../integrations/card-provider/payment-provider.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  clearSilence,
  isSilenceReviewed,
  raiseDifference,
  responseIn,
  silenceOf,
  silentMs,
} from '../ledger/differences.ts'
import { verifiedReference } from '../ledger/references.ts'
import type { Recovery } from './stopped-money.ts'

/** The name of the only card provider in items and deposits. */
export const cardProvider = 'card'

/** Returns why operations to the card provider wait for a checkout, for staff. */
export function unusableResponse(reference: string): string {
  return `The response of the card provider about payment ${reference} cannot be used. Two people in finance decide on it under Reconciliation.`
}

/** A payment that was taken under a reference of ours. */
export interface LostCheckout extends ProviderCheckout {
  /** Our reference at the provider. */
  readonly ref: string
  readonly shown: string
  readonly amount: Money
}

/** Returns the payments of a checkout under a reference of ours. Throws if the provider does not respond. */
async function paymentsOf(
  { cards, keys }: Pick<Dependencies, 'cards' | 'keys'>,
  { providerId, paymentId }: ProviderCheckout,
): Promise<LostCheckout[]> {
  if (!cards) return []
  // An event that names no checkout has the payment's id for both.
  const checkout = providerId === paymentId ? null : providerId
  const statuses = await fetchStatuses(cards, checkout, paymentId === null ? [] : [paymentId])
  return statuses.flatMap((status) => paymentIn(keys, providerId, status) ?? [])
}

/** Returns the payment in the provider's response if it was taken under a reference of ours, or null. */
export function paymentIn(
  keys: Pick<Keys, 'reference'>,
  providerId: string,
  status: CheckoutStatus,
): LostCheckout | null {
  if (status.state !== 'paid') return null
  const verified = verifiedReference(keys.reference.bytes, status.ref)
  if (verified?.leg !== 'checkout') return null
  const { ref, amount, paymentId } = status
  return { providerId, paymentId, ref, shown: verified.shown, amount }
}

/** Writes the item of a payment without a deposit, once; links it to a deposit with its reference. */
export async function recordLostCheckout(
  tx: Transaction,
  found: LostCheckout,
  auditContext: AuditContext,
): Promise<'known' | 'item'> {
  const { providerId, paymentId, ref, shown, amount } = found
  const deposit = await row<{ id: DepositId; providerId: string | null; clientId: ClientId }>(tx)`
    select id, provider_id as "providerId", client_id as "clientId" from deposits
      where provider_ref = ${ref} for update`
  if (deposit) {
    if (deposit.providerId === null) {
      await run(tx)`update deposits set provider = ${cardProvider}, provider_id = ${providerId},
          payment_id = ${paymentId}, version = version + 1 where id = ${deposit.id}`
      const { id, clientId } = deposit
      await recordEvent(tx, auditContext, {
        kind: 'deposit',
        action: 'recover',
        record: id,
        clientId,
        details: { checkout: providerId },
      })
    }
    // If it is another payment than the deposit's own, the next query of the deposit finds it.
    await run(tx)`insert into deposit_payments (payment_id, deposit_id, seen_at)
        select ${paymentId}, ${deposit.id}::uuid, ${auditContext.now}::timestamptz where ${paymentId}::text is not null
        on conflict do nothing`
    await clearCheckout(tx, providerId, auditContext)
    return 'known'
  }
  if (await isFurtherPayment(tx, found, auditContext)) return 'item'
  const written = await row<{ id: RecoveryItemId }>(tx)`
    insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
        subject, payment_id, found_at)
      values ('checkout-lost', ${cardProvider}, '', ${providerId}, ${ref}, ${amount.minor}, ${amount.currency}, ${auditContext.now},
        ${shown}, 'checkout', 'deposit', ${paymentId}, ${auditContext.now})
      on conflict do nothing returning id`
  if (!written) return 'item'
  const summary = {
    kind: 'checkout-lost',
    reference: shown,
    amount: decimalOf(amount.minor),
    currency: amount.currency,
  }
  const workItem = { dueAt: auditContext.now, summary }
  await recordCreation(tx, recoveryItemMachine, auditContext, written, 'find', { details: summary, workItem })
  return 'item'
}

/**
 * Returns whether another payment under the same reference has an item. Two people decide on that one; this one is a
 * discrepancy for finance, because one checkout is credited or refunded once (ADR 339).
 */
async function isFurtherPayment(
  tx: Transaction,
  { paymentId, ref, shown, amount }: LostCheckout,
  auditContext: AuditContext,
): Promise<boolean> {
  const items = await rows<{ id: RecoveryItemId; paymentId: string | null }>(tx)`
    select id, payment_id as "paymentId" from recovery_items where platform = ${cardProvider} and comment = ${ref}`
  const [item] = items
  if (!item || paymentId === null || items.some((one) => (one.paymentId ?? paymentId) === paymentId)) return false
  await raiseDifference(tx, auditContext, {
    kind: 'paid-again',
    fingerprint: `paid-again:${paymentId}`,
    subject: recoveryItemMachine.name,
    record: item.id,
    oursMinor: 0n,
    theirsMinor: amount.minor,
    currency: amount.currency,
    facts: { reference: shown, providerIds: paymentId },
  })
  return true
}

/** Closes the finding of a payment that now has a deposit. */
async function clearCheckout(tx: Transaction, providerId: string, auditContext: AuditContext): Promise<void> {
  const item = await row<{ id: RecoveryItemId; clientId: ClientId | null }>(tx)`
    select id, client_id as "clientId" from recovery_items
      where platform = ${cardProvider} and ticket = ${providerId} and state in ('open', 'proposed') for update`
  if (!item) return
  await applyTransition(tx, recoveryItemMachine, auditContext, item, 'clear', { workItem: null })
}

/**
 * Queries every stored webhook without a deposit. Returns the checkouts without a usable response, except those that two
 * people have reviewed.
 */
export async function queryStoredWebhooks(
  dependencies: Dependencies,
  recovery: Recovery,
  auditContext: AuditContext,
): Promise<string[]> {
  const kept = await rows<ProviderCheckout & { receivedAt: Date }>(dependencies.jobs)`
    select w.provider_id as "providerId", w.payment_id as "paymentId", w.received_at as "receivedAt" from recovery_webhooks w
      where w.recovery = ${recovery.id} and w.provider = ${cardProvider}
        and not exists (select from deposits d where d.provider = w.provider
          and (d.provider_id = w.provider_id or d.payment_id = w.payment_id))
        and not exists (select from recovery_items i
          where i.platform = w.provider and i.ticket = w.provider_id and i.state = 'settled')
      order by w.received_at, w.provider_id`
  const silent: string[] = []
  for (const one of kept) {
    try {
      const payments = await paymentsOf(dependencies, one)
      await transaction(dependencies.jobs, async (tx) => {
        await clearSilence(tx, one.providerId, auditContext.now)
        for (const found of payments) await recordLostCheckout(tx, found, auditContext)
      })
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      if (await isSilenceReviewed(dependencies.jobs, one.providerId)) continue
      await transaction(dependencies.jobs, (tx) => recordSilence(tx, one, error, auditContext))
      silent.push(one.providerId)
    }
  }
  return silent
}

/** Opens the discrepancy of a stored webhook about which the provider has no usable response. */
async function recordSilence(
  tx: Transaction,
  { providerId, receivedAt }: ProviderCheckout & { readonly receivedAt: Date },
  error: IntegrationError,
  auditContext: AuditContext,
): Promise<void> {
  const response = responseIn(error)
  if (response === 'missing' && auditContext.now.getTime() - receivedAt.getTime() < silentMs) return
  await raiseDifference(tx, auditContext, {
    kind: providerSilent,
    fingerprint: silenceOf(providerId),
    oursMinor: null,
    theirsMinor: null,
    currency: null,
    facts: { providerIds: providerId, response },
  })
}
