/**
 * The provider's webhook: signed over the raw bytes, and only a hint to query (requirements 28.9 to 28.11; ADR 199).
 * From a card payment to the client's money: `receiveWebhook` and `queryCheckout` (here); `queryProvider` and
 * `recordPayment` (settle-checkout.ts), `applyStatus` (apply-status.ts); `postCardArrival`, which posts the receipt
 * (provider to arrived unmatched), and `beginCredit` (credit-deposit.ts), which stores the credit with `enqueueBalance`
 * (jobs/balance.ts). A worker's `sendClaimed` (jobs/drive-claimed.ts) calls the `send` of jobs/balance.ts, which is
 * `applyBalance` of the platform; the result's `settleClaimed` (jobs/drive-claimed.ts) calls the `settled` of
 * jobs/balance.ts and so `settleCredit` (./jobs.ts), which posts to the client's money and the fees (from arrived
 * unmatched) and writes the mail.
 */
import type { DepositId } from '#rules/ids.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { row, run, transaction } from '../../db/sql.ts'
import { networkOf } from '../../http/network.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import {
  WebhookRefused,
  webhookPath,
  type ProviderCheckout,
  type WebhookHint,
} from '../../integrations/card-provider/payment-provider.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isOfClosedRecovery, queryCheckoutForPayments, type SeenCheckout } from '../../recovery/deal-search.ts'
import { recordLostCheckout } from '../../recovery/lost-checkouts.ts'
import { openRecovery } from '../../recovery/open-recovery.ts'
import { storeWebhook, recoveryOf } from '../../recovery/stopped-money.ts'
import { depositByCheckout, depositByPayment, depositByReference, recordPaymentIds } from './checkout-queries.ts'
import { providerName } from './request-checkout.ts'
import { queryProvider } from './settle-checkout.ts'

const bodyBytesMax = 100_000
/** Rejected webhooks per address. Requests with a valid signature are never counted. */
const rejectedPerMinute = 60
const verificationPattern = /^[\x21-\x7e]{1,200}$/

/** Registers the route in a separate scope, in which bodies are not parsed. */
export async function webhookRoute(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    scope.get(webhookPath, (request, reply) => answerVerification(dependencies, request, reply))
    scope.post(webhookPath, { bodyLimit: bodyBytesMax }, (request, reply) =>
      receiveWebhook(dependencies, request, reply),
    )
  })
}

/**
 * Returns the value of the verification header as plain text: the provider accepts an address that responds to a GET
 * with this header's value.
 */
async function answerVerification(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const value = request.headers['x-gcs-webhooks-endpoint-verification']
  if (!dependencies.cards || typeof value !== 'string' || !verificationPattern.test(value))
    throw new Problem('malformed')
  return reply.type('text/plain; charset=utf-8').send(value)
}

async function receiveWebhook(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!dependencies.cards || !Buffer.isBuffer(request.body)) throw new Problem('malformed')
  const hint = await dependencies.cards.parseWebhook(request.body, request.headers).catch(async (error: unknown) => {
    if (!(error instanceof WebhookRefused)) throw error
    dependencies.log.warn({ reference: request.id, address: request.ip, problem: String(error) }, 'webhook rejected')
    const refused = perMinute('webhook-refused', networkOf(request.ip))
    await enforceLimit(dependencies.pool, refused, rejectedPerMinute, dependencies.now())
    throw new Problem('malformed')
  })
  if (!(await isProcessed(dependencies, hint))) {
    const found = await depositOf(dependencies, hint)
    const about = idsToQuery(hint, found)
    // The checkout may report another of its payments, and no longer this one.
    if (found) await recordPaymentIds(dependencies.jobs, found.id, [hint], dependencies.now())
    if (!(await storeDuringRecovery(dependencies, about))) {
      // An unknown checkout may be new, which the scheduled query finds, or lost, which its reference shows.
      if (found) await queryCheckout(dependencies, found.id, request.id)
      else if (about) await checkForDataLoss(dependencies, about, request.id)
      await recordProcessed(dependencies, hint)
    }
  }
  return reply.status(200).send({ success: true })
}

/**
 * Returns the deposit of the named checkout. If the event names none, as on one of Connect's platforms (ADR 199), it
 * returns the deposit with our reference, or else that of the payment, because a refund may have its own reference
 * (ADR 204).
 */
async function depositOf({ pool }: Dependencies, { providerId, paymentId, ref }: WebhookHint) {
  if (providerId !== '') return depositByCheckout(pool, providerName, providerId)
  return (
    (await depositByReference(pool, providerName, ref)) ??
    (paymentId === '' ? null : depositByPayment(pool, providerName, paymentId))
  )
}

/**
 * Returns the ids with which to query the provider. Without a checkout the payment's id is used for both. Null if the
 * event names neither.
 */
function idsToQuery(hint: WebhookHint, found: { readonly providerId: string | null } | null): ProviderCheckout | null {
  const providerId = found?.providerId ?? (hint.providerId || hint.paymentId)
  return providerId === '' ? null : { providerId, paymentId: hint.paymentId || null }
}

/** Returns whether this event was processed already; the provider repeats an event under its id, however old it is. */
async function isProcessed({ pool }: Dependencies, { eventId }: WebhookHint): Promise<boolean> {
  return (await row(pool)`select from card_webhooks where event_id = ${eventId}`) !== null
}

/** Records an event that was processed completely. The provider resends an event that fails before this. */
async function recordProcessed({ pool, now }: Dependencies, { eventId }: WebhookHint): Promise<void> {
  await run(
    pool,
  )`insert into card_webhooks (event_id, received_at) values (${eventId}, ${now()}) on conflict do nothing`
}

/** Looks for a sign of data loss: a checkout whose reference is ours but belongs to no deposit. */
async function checkForDataLoss(dependencies: Dependencies, about: ProviderCheckout, reference: string): Promise<void> {
  let found: SeenCheckout
  let isExplained: boolean
  try {
    const paymentIds = about.paymentId === null ? [] : [about.paymentId]
    found = await queryCheckoutForPayments(dependencies, { providerId: about.providerId, paymentIds })
    isExplained = found.sign !== null && (await isOfClosedRecovery(dependencies))
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.warn({ reference, problem: String(error) }, 'webhook could not be processed')
    throw new Problem('unavailable')
  }
  const { sign, payments } = found
  if (!sign && payments.length === 0) return
  const now = dependencies.now()
  await transaction(dependencies.jobs, async (tx) => {
    const open = await recoveryOf(tx)
    // If it is found after accounts were reopened or the recovery was closed, two people decide on it and no new
    // recovery is opened.
    if (!open && sign && !isExplained) await openRecovery(tx, { ...sign, now })
    const recovery = open ?? (await recoveryOf(tx))
    if (recovery) await storeWebhook(tx, recovery, providerName, about, now)
    for (const payment of payments)
      await recordLostCheckout(tx, payment, { identity: { kind: 'recovery' }, now, reference })
  })
}

/** Stores a hint during recovery, also one about a checkout that the database has lost. */
async function storeDuringRecovery(dependencies: Dependencies, about: ProviderCheckout | null): Promise<boolean> {
  const recovery = await recoveryOf(dependencies.pool)
  if (!recovery || recovery.accountsOpenAt !== null) return false
  if (about) await storeWebhook(dependencies.pool, recovery, providerName, about, dependencies.now())
  return true
}

async function queryCheckout(dependencies: Dependencies, depositId: DepositId, reference: string): Promise<void> {
  try {
    await queryProvider(dependencies, depositId, { identity: { kind: 'external' }, now: dependencies.now(), reference })
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.warn({ reference, deposit: depositId, problem: String(error) }, 'webhook could not be processed')
    throw new Problem('unavailable')
  }
}
