/** Assigns a payment whose checkout was lost to an account, or refunds it, by decision of two people (ADR 145). */
import type { ClientState } from '#rules/clients.ts'
import { money } from '#rules/money.ts'
import type { ClientId, RecoveryItemId } from '#rules/ids.ts'
import { activeHold } from '../../checks/client-facts.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, type Connection, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { cardRefundKind, enqueueRefund } from '../../jobs/card-refund.ts'
import { openOperationItem, recordOf, type Operation, type Outcome } from '../../jobs/operation.ts'
import { post, type Posting } from '../../ledger/post.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { settleFoundDeal, type Adopting } from '../../recovery/adopt-deal.ts'
import type { DealAccount } from '../../recovery/adoption.ts'
import { cardProvider } from '../../recovery/lost-checkouts.ts'
import { dealOf, itemById, relatedItems, type RecoveryItem } from './queries.ts'

const subject = 'recovery_item'

/** Returns the live account that the payment can be credited to, by its number. */
export async function destinationAccount(
  connection: Connection,
  item: RecoveryItem,
  named: { platform?: Platform | undefined; accountNumber?: string | undefined },
): Promise<DealAccount & { email: string }> {
  const { platform, accountNumber } = named
  if (platform === undefined) throw new Problem('required', { field: 'platform' })
  if (accountNumber === undefined) throw new Problem('required', { field: 'accountNumber' })
  const account = await row<DealAccount & { email: string }>(connection)`
    select a.id, a.client_id as "clientId", a.currency, c.email::text as email
      from trading_accounts a join clients c on c.id = a.client_id
      where a.platform = ${platform} and a.login = ${accountNumber.replaceAll(' ', '')} and a.state = 'approved'
        and a.request_type = 'live'`
  if (!account) throw new Problem('account-unknown', { field: 'accountNumber' })
  if (account.currency !== item.currency) throw new Problem('currency-not-account', { field: 'accountNumber' })
  return account
}

/**
 * Throws if a deposit exists for the payment, or if a credit on the platforms contradicts the decision. A payment may
 * be refunded only once its credit has been reversed on the platform, or stays on an account that two people keep
 * disabled.
 */
async function assertNotCredited(tx: Transaction, { reference, comment, accountId }: RecoveryItem): Promise<void> {
  const other = await row(tx)`select 1 from deposits where provider_ref = ${comment} or reference = ${reference}
      union all select 1 from recovery_items i
        where i.reference = ${reference} and i.platform in ('MT4', 'MT5') and not case
          when ${accountId}::uuid is not null
            then i.action is distinct from 'reverse' and i.account_id is not distinct from ${accountId}::uuid
          when i.action = 'reverse' then exists
            (select from operations o where o.subject = ${subject} and o.record = i.id and o.state = 'done')
          else i.kind = 'account-unknown' and i.state = 'settled' end
      limit 1`
  if (other) throw new Problem('recovery-credited')
}

/**
 * Credits the payment to its account: a deposit with the provider's ids, and an operation under the derived reference.
 */
export async function assignItem(
  tx: Transaction,
  adopting: Adopting,
  item: RecoveryItem,
  auditContext: AuditContext,
): Promise<void> {
  const { accountId, clientId, ticket, paymentId, comment, reference, currency } = item
  if (accountId === null || clientId === null) throw new Problem('account-unknown')
  await assertNotCredited(tx, item)
  const deals = await relatedItems(tx, item)
  const credited = deals.find(({ leg }) => leg === 'deposit-credit')?.amountMinor ?? null
  if (credited === null) await assertMayMatch(tx, clientId, auditContext.now)
  await adopting.assignCheckout(
    tx,
    {
      providerId: ticket,
      paymentId,
      ref: comment,
      shown: reference,
      amount: money(item.amountMinor, currency),
      account: { id: accountId, clientId, currency },
      credited,
    },
    auditContext,
  )
  // A credit of the lost period is the operation's own: it is adopted and not sent again.
  for (const deal of deals) await settleFoundDeal(tx, adopting, dealOf(deal), auditContext)
}

/**
 * Throws if a payment may not be matched to a client's account because of a hold or a closing, unless the credit is on
 * the platform already. Locks the client until the transaction ends, so that a concurrent hold finds the deposit or is
 * found.
 */
async function assertMayMatch(tx: Transaction, clientId: ClientId, now: Date): Promise<void> {
  const client = await row<{ state: ClientState }>(tx)`select state from clients where id = ${clientId} for share`
  if (client?.state === 'closed') throw new Problem('owner-closed')
  if (await activeHold(tx, clientId, now)) throw new Problem('payments-on-hold')
}

/** Posts the payment as arrived, and writes the operation that refunds it at the provider. */
export async function refundItem(
  tx: Transaction,
  dependencies: Dependencies,
  item: RecoveryItem,
  auditContext: AuditContext,
): Promise<void> {
  await assertNotCredited(tx, item)
  const { id, ticket: providerId, paymentId, amountMinor, currency, reference } = item
  const entry = { ref: `lost-checkout:${providerId}`, kind: 'card-arrival', subject, record: id }
  await post(tx, auditContext.now, entry, arrivalPostings(item, amountMinor))
  await enqueueRefund(tx, dependencies.keys, auditContext.now, {
    kind: cardRefundKind,
    subject,
    request: { id, reference },
    checkout: { providerId, paymentId },
    amount: money(amountMinor, currency),
  })
}

function arrivalPostings({ currency }: Pick<RecoveryItem, 'currency'>, minor: bigint): Posting[] {
  return [
    { account: { kind: 'provider', currency, name: cardProvider }, minor },
    { account: { kind: 'arrived_unmatched', currency }, minor: -minor },
  ]
}

/** Posts the refund once the provider has settled it, or opens an item if the provider has rejected it (ADR 340). */
export async function lostRefundSettled(
  tx: Transaction,
  operation: Operation,
  outcome: Outcome,
  auditContext: AuditContext,
): Promise<void> {
  const item = await recordOf(operation, (id: RecoveryItemId) => itemById(tx, id))
  if ('done' in outcome) {
    const entry = { ref: operation.ref, kind: 'refunded', subject, record: item.id }
    await post(tx, auditContext.now, entry, arrivalPostings(item, -item.amountMinor))
    return
  }
  await openOperationItem(tx, operation, 'refused', auditContext.now, { reference: item.reference })
}
