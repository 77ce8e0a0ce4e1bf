/** Returns the payment methods that a client is offered. */
import { msg } from '#contract/message.ts'
import type { Setting } from '#contract/setting-sections.ts'
import type { Language } from '#rules/choices.ts'
import { feeOn, isLessThan, minorOf, type Money } from '#rules/money.ts'
import { requiresCardType, isCardMethod, isOfferedIn } from '#rules/payment-methods.ts'
import type { Config } from '../config/config.ts'
import { Problem } from '../http/problem.ts'
import { amountText } from '../i18n/format.ts'
import { translate } from '../i18n/translate.ts'

export type PaymentMethod = Setting<'methods'>['deposit'][number]

/** A new firm's processing time for methods that credit immediately. */
export const instantTime = msg`Instant`
/** The same for cards that are credited only once the payment has been captured. */
const capturedTime = msg`1-3 days`

/**
 * Returns the processing time for clients. If cards are credited only once they were captured, that takes days: the
 * text of a new firm depends on the variable, one that staff wrote is unchanged (ADR 205).
 */
export function processingTime(
  { type, time }: PaymentMethod,
  language: Language,
  { card }: Pick<Config, 'card'>,
): string {
  const isLate = requiresCardType(type) && card?.creditAt === 'captured'
  const isUnchanged = time[language] === translate(instantTime, language)
  return isLate && isUnchanged ? translate(capturedTime, language) : time[language]
}

/** Returns the fee of a method on an amount. */
export function feeOf({ fee }: Pick<PaymentMethod, 'fee'>, amount: Money): Money {
  return feeOn(amount, { percent: fee.percent, flatMinor: minorOf(fee.flat) ?? 0n })
}

/** Returns the fee of a request; throws at the amount's field if the fee is not lower than the amount. */
export function feeOfRequest(
  method: Pick<PaymentMethod, 'fee'>,
  amount: Money,
  { field, language }: { readonly field: string; readonly language: Language },
): Money {
  const fee = feeOf(method, amount)
  if (isLessThan(fee, amount)) return fee
  throw new Problem('fee-over-amount', { field, values: { fee: amountText(fee, language) } })
}

/**
 * Returns the methods for a country. Without a card provider, methods that use one are not offered. A method without a
 * known product number is not offered either, because it would open the provider's page for every card.
 */
export function offeredMethods(
  methods: readonly PaymentMethod[],
  country: string,
  { card }: Pick<Config, 'card'>,
): PaymentMethod[] {
  return methods.filter(({ type, countries }) => {
    const isConnected =
      !isCardMethod(type) || (card !== null && (requiresCardType(type) || card.products[type] !== undefined))
    return isConnected && isOfferedIn(type, countries, country)
  })
}
