/**
 * The return page queries the status of a payment: the provider is queried, and its response decides (requirements
 * 8.15).
 */
import type { checkCreditCardPayment as endpoint } from '#contract/deposits.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { commentText, platformErrorComment, platformErrorText } from '../../i18n/format.ts'
import { ownCheckout, type Deposit } from './queries.ts'
import { queryProvider } from './settle-checkout.ts'

/** The page polls every few seconds while a payment is pending. */
const checksPerMinute = 60

export const checkCreditCardPayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await enforceLimit(dependencies.pool, perMinute('check-payment', clientId), checksPerMinute, context.now)
  const own = requireFound(await ownCheckout(dependencies.pool, clientId, context.body.REF), { field: 'REF' })
  const mayBePaid = own.state === 'pending' || own.state === 'cancelled'
  const deposit = mayBePaid ? await queryDeposit(dependencies, own, context.auditContext) : own
  if (deposit.state === 'rejected' || deposit.state === 'cancelled') {
    const comment = deposit.state === 'cancelled' ? platformErrorComment('cancelled') : deposit.comment
    // A payment that could not be credited still belongs to the client: no message may say that it was not charged.
    throw new Problem(deposit.receivedMinor === null ? 'payment-refused' : 'payment-not-credited', {
      values: { reason: commentText(comment, context.language) || platformErrorText('', context.language) },
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

async function queryDeposit(
  dependencies: Dependencies,
  own: Deposit,
  auditContext: Parameters<typeof queryProvider>[2],
): Promise<Deposit> {
  try {
    return await queryProvider(dependencies, own.id, auditContext)
  } catch (error) {
    if ((error as Error).name !== 'Unavailable') throw error
    throw new Problem('provider-unavailable', { retryAfterSeconds: 10 })
  }
}
