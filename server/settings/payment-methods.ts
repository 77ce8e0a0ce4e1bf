/** Which of the firm's payment methods a client is offered. */
import type { Setting } from '#contract/setting-sections.ts'
import { asksCardType, isCardMethod, isOfferedIn } from '#rules/payment-methods.ts'
import type { Config } from '../config/config.ts'

export type PaymentMethod = Setting<'methods'>['deposit'][number]

/**
 * The methods for a country. Without a card provider none that goes through it is offered; one whose product number is
 * not known neither, for it would open the provider's page for every card.
 */
export function offeredMethods(
  methods: readonly PaymentMethod[],
  country: string,
  { card }: Pick<Config, 'card'>,
): PaymentMethod[] {
  return methods.filter(({ type, countries }) => {
    const isConnected =
      !isCardMethod(type) || (card !== null && (asksCardType(type) || card.products[type] !== undefined))
    return isConnected && isOfferedIn(type, countries, country)
  })
}
