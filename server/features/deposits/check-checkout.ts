/**
 * The return page queries the status of a payment: the provider is queried, and its response decides (requirements
 * 8.15).
 */
import type { checkCreditCardPayment as endpoint } from '#contract/deposits.ts'
import type { Language } from '#rules/choices.ts'
import { depositMachine } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import { row } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { amountText, commentText, dayText, platformErrorComment, platformErrorText } from '../../i18n/format.ts'
import { ownCheckout, type Deposit } from './queries.ts'
import { queryProvider } from './settle-checkout.ts'

/** The page polls every few seconds while a payment is pending. */
const checksPerMinute = 60

export const checkCreditCardPayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await enforceLimit(dependencies.pool, perMinute('check-payment', clientId), checksPerMinute, context.now)
  const own = requireFound(await ownCheckout(dependencies.pool, clientId, context.body.REF), { field: 'REF' })
  const deposit = isUndecided(own) ? await queryDeposit(dependencies, own, context.auditContext) : own
  const problem = await problemOf(dependencies, context.language, deposit)
  if (problem) throw problem
  const { id, login: accountNumber, amountMinor: amount, currency, state } = deposit
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
async function problemOf(dependencies: Dependencies, language: Language, deposit: Deposit): Promise<Problem | null> {
  const { state, receivedMinor, paymentId } = deposit
  if (state === 'refunding' || state === 'refunded') return new Problem('payment-returned')
  if (state === 'in_review') return reviewProblem(dependencies, language, deposit)
  if (!['uncredited', 'rejected', 'cancelled'].includes(state)) return null
  const comment = state === 'cancelled' ? platformErrorComment('cancelled') : deposit.comment
  const values = { reason: commentText(comment, language) || platformErrorText('', language) }
  // A payment that could not be credited still belongs to the client: no message may say that it was not charged.
  if (receivedMinor !== null) return new Problem('payment-not-credited', { values })
  return new Problem(paymentId === null ? 'payment-refused' : 'payment-ended', { values })
}

async function reviewProblem(
  { pool, settings }: Dependencies,
  language: Language,
  { id, amountMinor, currency }: Deposit,
): Promise<Problem> {
  const item = await row<{ dueAt: Date }>(pool)`
    select due_at as "dueAt" from work_items where kind = ${depositMachine.name} and record = ${id} and closed_at is null`
  if (!item) throw new Error(`deposit ${id} is in review and has no work item`)
  const { timeZone } = await settings.get('firm')
  const values = {
    amount: amountText(money(amountMinor, currency), language),
    day: dayText(item.dueAt, language, timeZone),
  }
  return new Problem('payment-in-review', { values })
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
    throw new Problem('payment-unchecked', { retryAfterSeconds: 10 })
  }
}
