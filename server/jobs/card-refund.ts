/**
 * Refunds of whole card payments at the provider. The feature handles the result, by the kind of the operation
 * (requirements 24.146, 24.161; ADR 340).
 */
import { hourMs } from '#rules/dates.ts'
import { money, type Currency, type Money } from '#rules/money.ts'
import type { ClientId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import { requireRow, row, type Connection, type Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import type { Keys } from '../crypto/keys.ts'
import type { Dependencies } from '../dependencies.ts'
import { totalReturned, type MoneyBack, type ProviderCheckout } from '../integrations/card-provider/payment-provider.ts'
import { Deferred, Rejected, Unavailable } from '../integrations/errors.ts'
import { refundReference } from '../ledger/references.ts'
import { cardProvider } from '../recovery/lost-checkouts.ts'
import type { Operation, OperationKind, Outcome } from './operation.ts'
import { enqueue } from './operations.ts'

/** The refund of a payment whose checkout was lost. */
export const cardRefundKind = 'card-refund'
/** The refund of a deposit that is not credited. A server of an earlier version leaves it to one that knows the kind. */
export const depositRefundKind = 'deposit-refund'
export const refundKinds = [cardRefundKind, depositRefundKind] as const
type RefundKind = (typeof refundKinds)[number]

interface RefundPayload {
  readonly providerId: string
  /** Absent in operations written before it was stored. */
  readonly paymentId?: string | null
  /** Minor units as text. */
  readonly minor: string
  readonly currency: Currency
}

interface RefundOrder {
  readonly kind: RefundKind
  readonly subject: string
  readonly request: {
    readonly id: string
    readonly clientId?: ClientId | null
    /** The visible reference, from which that of the refund is derived. */
    readonly reference: string
  }
  readonly checkout: ProviderCheckout
  readonly amount: Money
}

/**
 * Writes the operation that refunds a payment at the provider. Each refund after a rejected one has a reference of its
 * own.
 */
export async function enqueueRefund(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  now: Date,
  { kind, subject, request, checkout, amount }: RefundOrder,
): Promise<void> {
  const { id: record, clientId = null, reference: shown } = request
  const { generation } = await requireRow<{ generation: number }>(tx)`
    select count(*)::int as generation from operations
      where kind = any (${[...refundKinds]}::text[]) and shown = ${shown}`
  const payload: RefundPayload = { ...checkout, minor: String(amount.minor), currency: amount.currency }
  const ref = refundReference(keys.reference.bytes, shown, generation)
  await enqueue(tx, now, {
    kind,
    ref,
    target: cardProvider,
    payload: { ...payload },
    subject,
    record,
    clientId,
    shown,
    generation,
  })
}

/**
 * Throws if the payment of a credit is being or has been refunded: the client would have both. A refund that the
 * provider has refused does not count.
 */
export async function assertNotRefunded(
  connection: Connection,
  { leg, reference }: { readonly leg: string | null; readonly reference: string },
  field: 'action' | 'proposal',
): Promise<void> {
  if (leg !== 'deposit-credit') return
  const refund = await row(connection)`
    select 1 from operations
      where kind = any (${[...refundKinds]}::text[]) and shown = ${reference} and state <> 'refused' limit 1`
  if (refund) throw new Problem('recovery-refunded', { field })
}

type RefundSettled = (
  tx: Transaction,
  operation: Operation<RefundPayload>,
  outcome: Outcome,
  auditContext: AuditContext,
) => Promise<void>

/** The result of a refund: what the provider has returned of the payment, the refund included. */
interface RefundResult {
  readonly refundId: string
  /** Minor units as text. */
  readonly back: readonly { readonly id: string; readonly kind: MoneyBack['kind']; readonly minor: string }[]
}

function resultOf(refundId: string, back: readonly MoneyBack[]): RefundResult {
  return { refundId, back: back.map(({ id, kind, amount }) => ({ id, kind, minor: String(amount.minor) })) }
}

/** Returns what the provider has returned of a payment by the result of its refund. */
export function returnsOfRefund(done: unknown, currency: Currency): MoneyBack[] {
  return (done as RefundResult).back.map(({ id, kind, minor }) => ({
    id,
    kind,
    amount: money(BigInt(minor), currency),
  }))
}

/**
 * Returns why a refund is not looked for again yet: after a quarter of the time that it has been open, at most an hour
 * (ADR 340). One that was not sent, or that a person retries, is not held.
 */
async function heldRefund(
  tx: Transaction,
  { id, state, tries, sentAt, createdAt }: Operation<RefundPayload>,
  now: Date,
): Promise<string | null> {
  if (state !== 'waiting' || tries === 0 || sentAt === null) return null
  const waitMs = Math.min(hourMs, (sentAt.getTime() - createdAt.getTime()) / 4)
  const waitedMs = now.getTime() - sentAt.getTime()
  // A time in the future was written before the clock was set back.
  if (waitedMs < 0 || waitedMs >= waitMs) return null
  const { problem } = await requireRow<{ problem: string | null }>(tx)`
    select last_error as problem from operations where id = ${id}`
  return problem
}

/**
 * Returns the kind that refunds the rest of a payment under one reference. It is done once the provider has settled the
 * refund: until then each repetition looks for the refund, also after the provider has forgotten the idempotency key.
 * While another refund is open there, none is requested.
 */
export function refundOperation(
  dependencies: Dependencies,
  kind: RefundKind,
  settled: RefundSettled,
): OperationKind<RefundPayload> {
  return {
    kind,
    settled,
    repeatable: true,
    held: heldRefund,
    async send({ ref, payload }) {
      const { cards } = dependencies
      if (!cards) throw new Unavailable('No card provider is connected')
      const { providerId, paymentId = null, minor, currency } = payload
      const status = await cards.getStatus(providerId, paymentId)
      const back = status.amount === undefined ? [] : status.back
      const left = money(BigInt(minor) - totalReturned(back), currency)
      if (left.minor <= 0n) return resultOf('', back)
      const of = { providerId, paymentId: status.paymentId ?? paymentId }
      const own = await cards.findRefund(of, ref)
      if (!own && status.isRefundOpen) throw new Deferred('Another refund of the payment is open at the card provider')
      const refund = own ?? (await cards.refund(of, left, ref))
      if (refund.state === 'failed')
        throw new Rejected(
          'refused',
          `card:${refund.status}`,
          `The card provider has ended the refund: ${refund.status}`,
        )
      if (refund.state === 'open') throw new Deferred('The card provider has not settled the refund')
      const { refundId: id } = refund
      // The provider's records may not contain a new refund yet.
      return resultOf(id, back.some((one) => one.id === id) ? back : [...back, { id, kind: 'refunded', amount: left }])
    },
  }
}
