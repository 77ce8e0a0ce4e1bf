/** The provider's webhook: signed, over the bytes as they came, and only a hint to ask (attacks C9 to C11). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../../db/transaction.ts'
import { Problem } from '../../http/problem.ts'
import { WebhookRefused } from '../../integrations/card-provider/payment-provider.ts'
import { isOutsideFailure } from '../../integrations/errors.ts'
import type { Parts } from '../../dependencies.ts'
import { isOfClosedRecovery, lookAtCheckout, type SeenCheckout } from '../../recovery/deal-search.ts'
import { takeCheckout } from '../../recovery/lost-checkouts.ts'
import { openRecovery } from '../../recovery/open-recovery.ts'
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
  // Not known yet: the sweep asks about every open checkout anyway. Lost: its reference says so.
  if (found) await ask(parts, found.id, request.id)
  else if (hint.providerId !== '') await lookForLoss(parts, hint.providerId, request.id)
  return reply.status(200).send({ success: true })
}

/** A checkout under a reference of ours that no deposit has was opened in time that this database has lost. */
async function lookForLoss(parts: Parts, providerId: string, reference: string): Promise<void> {
  let found: SeenCheckout
  let isExplained: boolean
  try {
    found = await lookAtCheckout(parts, providerId)
    isExplained = found.sign !== null && (await isOfClosedRecovery(parts))
  } catch (error) {
    if (!isOutsideFailure(error)) throw error
    parts.log.warn({ reference, problem: String(error) }, 'a webhook could not be followed')
    throw new Problem('unavailable', { retryAfterSeconds: 30 })
  }
  const { sign, payment } = found
  if (!sign && !payment) return
  const now = parts.now()
  await transaction(parts.jobs, async (tx) => {
    const open = await recoveryOf(tx)
    // Found after accounts were opened, or after recovery was closed: two people decide it, and nothing is stopped again.
    if (!open && sign && !isExplained) await openRecovery(tx, { ...sign, now })
    const recovery = open ?? (await recoveryOf(tx))
    if (recovery) await keepWebhook(tx, recovery, providerName, providerId, now)
    if (payment) await takeCheckout(tx, payment, { acting: { kind: 'recovery' }, now, reference })
  })
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
