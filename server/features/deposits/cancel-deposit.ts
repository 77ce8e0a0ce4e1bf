/**
 * A client takes a deposit back while it is pending. An announced wire ends here; a payment through the provider ends
 * there first, so that its page takes no money any more (decision 86).
 */
import type { cancelDeposit as endpoint } from '#contract/deposits.ts'
import { depositLife } from '#rules/deposits.ts'
import { advance } from '../../db/transition.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { PaymentProvider } from '../../integrations/card-provider/payment-provider.ts'
import type { Parts } from '../../dependencies.ts'
import { refuseStoppedStep } from '../../recovery/stopped-money.ts'
import { ownDeposit, type Deposit } from './queries.ts'
import { askProvider, isPageOver } from './settle-checkout.ts'

/** Each one asks the provider three times. */
const closesPerMinute = 10

export function cancelDeposit(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const own = await ownDeposit(parts.pool, clientId, call.body.id)
    if (!own) throw new Problem('not-found')
    const { id, providerId } = own
    await refuseStoppedStep(parts.pool, { life: depositLife.name, verb: 'cancel', record: id }, call.act.acting)
    // Where the provider never gave a page, nobody can have paid.
    const atProvider = own.state === 'pending' && providerId !== null
    if (atProvider) await endAtProvider(parts, call, own, providerId)
    const set = atProvider ? { asked_at: call.now } : {}
    await transaction(parts.pool, (tx) =>
      advance(tx, depositLife, call.act, { id, verb: 'cancel', clientId, set, work: null }),
    )
    return {}
  }
}

/** Comes back once nobody can pay any more, or once the provider's word has moved the deposit; else throws why not. */
async function endAtProvider(
  parts: Parts,
  call: Call<typeof endpoint>,
  deposit: Deposit,
  providerId: string,
): Promise<void> {
  const { id, clientId } = deposit
  const { cards } = parts
  await limit(parts.pool, { name: 'close-payment', who: clientId, windowSeconds: 60 }, closesPerMinute, call.now)
  if (!cards) throw new Problem('payment-not-closed', { retryAfterSeconds: 60 })
  try {
    if (await isClosed(cards, deposit, providerId, call.now)) return
    const { state } = await askProvider(parts, id, call.act)
    if (state === 'pending') throw new Problem('payment-under-way')
  } catch (error) {
    const { name } = error as Error
    if (name === 'Rejected') throw new Problem('payment-under-way')
    if (name === 'Unavailable') throw new Problem('payment-not-closed', { retryAfterSeconds: 10 })
    throw error
  }
}

/** Closes a page at which nobody has begun to pay, and hears from the provider that it is closed, or gone. */
async function isClosed(cards: PaymentProvider, deposit: Deposit, providerId: string, now: Date): Promise<boolean> {
  const before = await cards.getStatus(providerId)
  if (before.state === 'expired' && !isPageOver(deposit, now))
    throw new Problem('payment-not-closed', { retryAfterSeconds: 600 })
  if (before.state === 'open') await cards.closeCheckout(providerId)
  const { state } = before.state === 'open' ? await cards.getStatus(providerId) : before
  return state === 'cancelled' || state === 'expired'
}
