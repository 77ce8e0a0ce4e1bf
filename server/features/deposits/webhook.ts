/** The provider's webhook: signed, over the bytes as they came, and only a hint to ask (requirements 28.9 to 28.11). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../../db/transaction.ts'
import { Problem } from '../../http/problem.ts'
import { WebhookRefused, webhookPath } from '../../integrations/card-provider/payment-provider.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isOfClosedRecovery, lookAtCheckout, type SeenCheckout } from '../../recovery/deal-search.ts'
import { takeCheckout } from '../../recovery/lost-checkouts.ts'
import { openRecovery } from '../../recovery/open-recovery.ts'
import { keepWebhook, recoveryOf } from '../../recovery/stopped-money.ts'
import { depositByCheckout } from './queries.ts'
import { providerName } from './request-checkout.ts'
import { queryProvider } from './settle-checkout.ts'

const bodyBytesMax = 100_000
const verificationPattern = /^[\x21-\x7e]{1,200}$/

/** Registers the route in a scope of its own, in which bodies stay unparsed. */
export async function webhookRoute(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    scope.get(webhookPath, (request, reply) => verified(dependencies, request, reply))
    scope.post(webhookPath, { bodyLimit: bodyBytesMax }, (request, reply) => received(dependencies, request, reply))
  })
}

/** The provider takes an address once a GET with this header is answered by the header's value, as plain text. */
async function verified(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const value = request.headers['x-gcs-webhooks-endpoint-verification']
  if (!dependencies.cards || typeof value !== 'string' || !verificationPattern.test(value))
    throw new Problem('malformed')
  return reply.type('text/plain; charset=utf-8').send(value)
}

async function received(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!dependencies.cards || !Buffer.isBuffer(request.body)) throw new Problem('malformed')
  const hint = await dependencies.cards.parseWebhook(request.body, request.headers).catch((error: unknown) => {
    if (!(error instanceof WebhookRefused)) throw error
    dependencies.log.warn({ reference: request.id, address: request.ip, problem: String(error) }, 'webhook rejected')
    throw new Problem('malformed')
  })
  if (await kept(dependencies, hint.providerId)) return reply.status(200).send({ success: true })
  const found =
    hint.providerId === '' ? null : await depositByCheckout(dependencies.pool, providerName, hint.providerId)
  // Not known yet: the sweep asks about every open checkout anyway. Lost: its reference says so.
  if (found) await queryCheckout(dependencies, found.id, request.id)
  else if (hint.providerId !== '') await lookForLoss(dependencies, hint.providerId, request.id)
  return reply.status(200).send({ success: true })
}

/** Looks for a sign of data loss: a checkout under a reference of ours that no deposit has. */
async function lookForLoss(dependencies: Dependencies, providerId: string, reference: string): Promise<void> {
  let found: SeenCheckout
  let isExplained: boolean
  try {
    found = await lookAtCheckout(dependencies, providerId)
    isExplained = found.sign !== null && (await isOfClosedRecovery(dependencies))
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.warn({ reference, problem: String(error) }, 'webhook could not be processed')
    throw new Problem('unavailable', { retryAfterSeconds: 30 })
  }
  const { sign, payment } = found
  if (!sign && !payment) return
  const now = dependencies.now()
  await transaction(dependencies.jobs, async (tx) => {
    const open = await recoveryOf(tx)
    // Found after accounts were opened, or after recovery was closed: two people decide it, and nothing is stopped again.
    if (!open && sign && !isExplained) await openRecovery(tx, { ...sign, now })
    const recovery = open ?? (await recoveryOf(tx))
    if (recovery) await keepWebhook(tx, recovery, providerName, providerId, now)
    if (payment) await takeCheckout(tx, payment, { identity: { kind: 'recovery' }, now, reference })
  })
}

/** While recovery is open a hint is kept for it, also one about a checkout that the database has lost. */
async function kept(dependencies: Dependencies, providerId: string): Promise<boolean> {
  const recovery = await recoveryOf(dependencies.pool)
  if (!recovery || recovery.accountsOpenAt !== null) return false
  if (providerId !== '') await keepWebhook(dependencies.pool, recovery, providerName, providerId, dependencies.now())
  return true
}

async function queryCheckout(dependencies: Dependencies, depositId: string, reference: string): Promise<void> {
  try {
    await queryProvider(dependencies, depositId, { identity: { kind: 'external' }, now: dependencies.now(), reference })
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.warn({ reference, deposit: depositId, problem: String(error) }, 'webhook could not be processed')
    throw new Problem('unavailable', { retryAfterSeconds: 30 })
  }
}
