/**
 * A client cancels a pending deposit. A wire is cancelled unless its payment has arrived (requirements 24.187); a
 * payment through the provider is closed there first, so that its page accepts no more money (ADR 86).
 */
import type { cancelDeposit as endpoint } from '#contract/deposits.ts'
import { depositMachine } from '#rules/deposits.ts'
import { applyTransition } from '../../db/transition.ts'
import { transaction } from '../../db/sql.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import type { PaymentProvider } from '../../integrations/card-provider/payment-provider.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertTransitionNotStopped } from '../../recovery/stopped-money.ts'
import { ownDeposit, wireArrivedAt, type Deposit } from './queries.ts'
import { isPageOver } from './apply-status.ts'
import { queryProvider } from './settle-checkout.ts'

/** Limited, because each one queries the provider three times. */
const closesPerMinute = 10

export const cancelDeposit: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const own = requireFound(await ownDeposit(dependencies.pool, clientId, context.body.id))
  const { id, providerId } = own
  await assertTransitionNotStopped(
    dependencies.pool,
    { machine: depositMachine.name, action: 'cancel', record: id },
    context.auditContext.identity,
  )
  // If the provider never returned a page, no payment can have been made.
  const atProvider = own.state === 'pending' && providerId !== null
  if (atProvider) await endAtProvider(dependencies, context, own, providerId)
  const set = atProvider ? { asked_at: context.now } : {}
  await transaction(dependencies.pool, async (tx) => {
    if (await wireArrivedAt(tx, id)) throw new Problem('transfer-arrived')
    await applyTransition(tx, depositMachine, context.auditContext, { id, clientId }, 'cancel', { set, workItem: null })
  })
  return {}
}

/**
 * Returns once the deposit can no longer be paid, or once the provider's response has changed its state. Throws the
 * reason otherwise.
 */
async function endAtProvider(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
  deposit: Deposit,
  providerId: string,
): Promise<void> {
  const { id, clientId } = deposit
  const { cards } = dependencies
  await enforceLimit(dependencies.pool, perMinute('close-payment', clientId), closesPerMinute, context.now)
  if (!cards) throw new Problem('payment-not-closed', { retryAfterSeconds: 60 })
  try {
    if (await isClosed(cards, deposit, providerId, context.now)) return
    const { state } = await queryProvider(dependencies, id, context.auditContext)
    if (state === 'pending') throw new Problem('payment-under-way')
  } catch (error) {
    const { name } = error as Error
    if (name === 'Rejected') throw new Problem('payment-under-way')
    if (name === 'Unavailable') throw new Problem('payment-not-closed', { retryAfterSeconds: 10 })
    throw error
  }
}

/** Closes a page on which no payment has begun. Returns whether the provider confirms that it is closed or expired. */
async function isClosed(cards: PaymentProvider, deposit: Deposit, providerId: string, now: Date): Promise<boolean> {
  const before = await cards.getStatus(providerId)
  if (before.state === 'expired' && !isPageOver(deposit, now))
    throw new Problem('payment-not-closed', { retryAfterSeconds: 600 })
  // If the provider cannot close pages, a later payment is credited (ADR 86, 204).
  if (before.state === 'open' && !cards.closesCheckouts) return true
  if (before.state === 'open') await cards.closeCheckout(providerId)
  const { state } = before.state === 'open' ? await cards.getStatus(providerId) : before
  return state === 'cancelled' || state === 'expired'
}
