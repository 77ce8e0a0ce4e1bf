/** The provider's webhook: signed, over the bytes as they came, and only a hint to ask (attacks C9 to C11). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../http/problem.ts'
import { WebhookRefused } from '../../outside/card-provider/payment-provider.ts'
import { isOutsideFailure } from '../../outside/failure.ts'
import type { Parts } from '../../parts.ts'
import { keepWebhook, recoveryOf } from '../../recovery/stopped-money.ts'
import { depositByCheckout } from './queries.ts'
import { providerName, webhookPath } from './request-checkout.ts'
import { askProvider } from './settle-checkout.ts'

const bodyBytesMax = 100_000

/** The route lives in a scope of its own, where bodies stay the bytes they are. */
export async function webhookRoute(server: FastifyInstance, parts: Parts): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(webhookPath, { bodyLimit: bodyBytesMax }, (request, reply) => received(parts, request, reply))
  })
}

async function received(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!parts.cards || !Buffer.isBuffer(request.body)) throw new Problem('malformed')
  const hint = await parts.cards.parseWebhook(request.body, request.headers).catch((error: unknown) => {
    if (!(error instanceof WebhookRefused)) throw error
    parts.log.warn({ reference: request.id, address: request.ip, problem: String(error) }, 'a webhook was refused')
    throw new Problem('malformed')
  })
  if (await kept(parts, hint.providerId)) return reply.status(200).send({ success: true })
  const found = hint.providerId === '' ? null : await depositByCheckout(parts.pool, providerName, hint.providerId)
  // Unknown to us, or not yet: the sweep asks about every open checkout anyway.
  if (found) await ask(parts, found.id, request.id)
  return reply.status(200).send({ success: true })
}

/** While recovery is open a hint is kept for it, also one about a checkout that the database has lost. */
async function kept(parts: Parts, providerId: string): Promise<boolean> {
  const recovery = await recoveryOf(parts.pool)
  if (!recovery || recovery.accountsOpenAt !== null) return false
  if (providerId !== '') await keepWebhook(parts.pool, recovery, providerName, providerId, parts.now())
  return true
}

async function ask(parts: Parts, depositId: string, reference: string): Promise<void> {
  try {
    await askProvider(parts, depositId, { acting: { kind: 'outside' }, now: parts.now(), reference })
  } catch (error) {
    if (!isOutsideFailure(error)) throw error
    parts.log.warn({ reference, deposit: depositId, problem: String(error) }, 'a webhook could not be followed')
    throw new Problem('unavailable', { retryAfterSeconds: 30 })
  }
}
