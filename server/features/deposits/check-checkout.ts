/**
 * The return page queries the status of a payment: the provider is queried, and its response decides (requirements
 * 8.15).
 */
import type { checkCreditCardPayment as endpoint } from '#contract/deposits.ts'
import type { Language } from '#rules/choices.ts'
import { depositMachine } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import type { AuditContext } from '../../db/events.ts'
import { row } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import { isMoneyTaken, type CheckoutStatus } from '../../integrations/card-provider/payment-provider.ts'
import { amountText, commentText, dayText, platformErrorComment, platformErrorText } from '../../i18n/format.ts'
import { ownCheckout, type Deposit } from './queries.ts'
import { queryWithStatus, type Queried } from './settle-checkout.ts'

/** The page polls every few seconds while a payment is pending. */
const checksPerMinute = 60

export const checkCreditCardPayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await enforceLimit(dependencies.pool, perMinute('check-payment', clientId), checksPerMinute, context.now)
  const own = requireFound(await ownCheckout(dependencies.pool, clientId, context.body.REF), { field: 'REF' })
  const queried = isUndecided(own)
    ? await queryDeposit(dependencies, own, context.auditContext)
    : { deposit: own, status: null }
  const problem = await problemOf(dependencies, context.language, queried)
  if (problem) throw problem
  const { id, login: accountNumber, amountMinor: amount, currency, state } = queried.deposit
  return {
    status: state === 'pending' ? ('pending' as const) : ('paid' as const),
    id,
    accountNumber,
    amount,
    currency,
  }
}

/** Returns whether the provider may report a payment that we have not received yet, also after the deposit has ended. */
function isUndecided({ state, receivedMinor }: Deposit): boolean {
  return state === 'in_review' || (receivedMinor === null && ['pending', 'rejected', 'cancelled'].includes(state))
}

/** Returns why a payment is not credited, with where the money is; null if it is pending or credited. */
async function problemOf(
  dependencies: Dependencies,
  language: Language,
  { deposit, status }: Queried,
): Promise<Problem | null> {
  const { state, receivedMinor, refundedMinor } = deposit
  // An earlier version left a returned payment rejected.
  const isReturned = state === 'rejected' && receivedMinor !== null && refundedMinor >= receivedMinor
  if (isReturned || state === 'refunding' || state === 'refunded') return new Problem('payment-returned')
  if (state === 'in_review') return reviewProblem(dependencies, language, { deposit, status })
  if (!['uncredited', 'rejected', 'cancelled'].includes(state)) return null
  const comment = state === 'cancelled' ? platformErrorComment('cancelled') : deposit.comment
  const values = { reason: commentText(comment, language) || platformErrorText('', language) }
  // A payment that could not be credited still belongs to the client: no message may say that it was not charged.
  if (receivedMinor !== null) return new Problem('payment-not-credited', { values })
  return new Problem(isUnpaid(deposit, status) ? 'payment-refused' : 'payment-ended', { values })
}

/** Returns whether the provider, just queried, reports no payment, and never has. */
function isUnpaid({ paymentId }: Deposit, status: CheckoutStatus | null): boolean {
  return paymentId === null && status !== null && status.state !== 'pending' && !isMoneyTaken(status)
}

/** Says that the provider has the payment only if the provider has just reported it. */
async function reviewProblem(
  { pool, settings }: Dependencies,
  language: Language,
  { deposit, status }: Queried,
): Promise<Problem> {
  const { id, comment, amountMinor, currency } = deposit
  const item = await row<{ dueAt: Date }>(pool)`
    select due_at as "dueAt" from work_items where kind = ${depositMachine.name} and record = ${id} and closed_at is null`
  if (!item) throw new Error(`deposit ${id} is in review and has no work item`)
  const { timeZone } = await settings.get('firm')
  const values = {
    reason: commentText(comment, language),
    amount: amountText(money(amountMinor, currency), language),
    day: dayText(item.dueAt, language, timeZone),
  }
  return new Problem(status && isMoneyTaken(status) ? 'payment-in-review' : 'payment-review-open', { values })
}

async function queryDeposit(dependencies: Dependencies, own: Deposit, auditContext: AuditContext): Promise<Queried> {
  try {
    return await queryWithStatus(dependencies, own.id, auditContext)
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    throw new Problem('payment-unchecked', { retryAfterSeconds: 10 })
  }
}
