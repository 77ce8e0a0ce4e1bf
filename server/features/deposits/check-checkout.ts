/** The return page asks what became of a payment: the provider is asked, and its word counts (product-decisions 10). */
import type { checkCreditCardPayment as endpoint } from '#contract/deposits.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { commentText, refusalComment, refusalText } from '../../i18n/format.ts'
import { ownCheckout, type Deposit } from './queries.ts'
import { askProvider } from './settle-checkout.ts'

/** The page asks every few seconds while a payment is pending. */
const asksPerMinute = 60

export function checkCreditCardPayment(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    await limit(parts.pool, { name: 'check-payment', who: clientId, windowSeconds: 60 }, asksPerMinute, call.now)
    const own = await ownCheckout(parts.pool, clientId, call.body.REF)
    if (!own) throw new Problem('not-found', { field: 'REF' })
    const mayBePaid = own.state === 'pending' || own.state === 'cancelled'
    const deposit = mayBePaid ? await asked(parts, own, call.act) : own
    if (deposit.state === 'rejected' || deposit.state === 'cancelled') {
      const comment = deposit.state === 'cancelled' ? refusalComment('cancelled') : deposit.comment
      // What was taken and could not be credited is still the client's: nothing may say that it was not charged.
      throw new Problem(deposit.receivedMinor === null ? 'payment-refused' : 'payment-not-credited', {
        values: { reason: commentText(comment, call.language) || refusalText('', call.language) },
      })
    }
    const { id, login: accountNumber, amountMinor: amount, currency, state } = deposit
    return {
      status: state === 'pending' ? ('pending' as const) : ('paid' as const),
      id,
      accountNumber,
      amount,
      currency,
    }
  }
}

async function asked(parts: Parts, own: Deposit, act: Parameters<typeof askProvider>[2]): Promise<Deposit> {
  try {
    return await askProvider(parts, own.id, act)
  } catch (error) {
    if ((error as Error).name !== 'Unavailable') throw error
    throw new Problem('provider-unavailable', { retryAfterSeconds: 10 })
  }
}
