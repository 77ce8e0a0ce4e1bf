/** Which of the firm's payment methods a client is offered, and which product of the provider each of them is. */
import type { Setting } from '#contract/setting-sections.ts'
import type { MethodType } from '#rules/choices.ts'
import { isMethodOf } from '#rules/payment-methods.ts'
import type { Config } from '../config/config.ts'
import { productIds } from '../integrations/card-provider/products.ts'

export type PaymentMethod = Setting<'methods'>['deposit'][number]

/**
 * The methods for a country. Without a card provider none that goes through it is offered; AstroPay without its number
 * neither, for it would open the provider's page for every card.
 */
export function offeredMethods(
  methods: readonly PaymentMethod[],
  country: string,
  { card }: Pick<Config, 'card'>,
): PaymentMethod[] {
  const connected = (type: MethodType) =>
    type === 'wire' || (card !== null && (type !== 'astropay' || card.astropayProduct !== null))
  return methods.filter((method) => isMethodOf(method, country) && connected(method.type))
}

/** The provider's number of what its page is to offer: the card's own code, iDEAL's, or AstroPay's as configured. */
export function productOf(
  type: MethodType,
  cardType: number | undefined,
  { card }: Pick<Config, 'card'>,
): number | undefined {
  if (type === 'ideal') return productIds.ideal
  return type === 'astropay' ? (card?.astropayProduct ?? undefined) : cardType
}
