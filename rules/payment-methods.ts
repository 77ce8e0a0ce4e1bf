/**
 * The payment methods (requirements 8.4, 8.5). What the product knows of one is its row here: the schema of the calls, the
 * environment, what is offered to whom and the screens derive from it (docs/guides/add-a-payment-method.md).
 */

interface PaymentMethod {
  /** Who moves the money: the firm's bank, by an announced transfer, or the card provider, on its page. */
  readonly paymentGateway: 'bank' | 'gcen'
  /**
   * `unlisted`: everywhere, unless settings list countries. `listed`: only in countries that settings list. Countries
   * (ISO 3166-1 alpha-2): only there, whatever settings list.
   */
  readonly offeredIn: 'unlisted' | 'listed' | readonly string[]
}

interface ProviderMethod extends PaymentMethod {
  readonly paymentGateway: 'gcen'
  /**
   * What the provider's page offers: the kind of card that the client chose, the provider's own product number, or the
   * number that the firm has in a variable of the environment; without it the method is not offered.
   */
  readonly product: 'card-type' | number | `CARD_${string}_PRODUCT`
  /** The page that the provider's page leads back to. */
  readonly returnPage: 'gcenPayments' | 'ideal'
}

/** By the `type` that crosses the wire and stays in records (requirements 17.2). */
export const paymentMethods = {
  wire: { paymentGateway: 'bank', offeredIn: 'unlisted' },
  cc_gcen: { paymentGateway: 'gcen', offeredIn: 'unlisted', product: 'card-type', returnPage: 'gcenPayments' },
  /** Product 809 of Worldline Connect. */
  ideal: { paymentGateway: 'gcen', offeredIn: ['NL'], product: 809, returnPage: 'ideal' },
  astropay: {
    paymentGateway: 'gcen',
    offeredIn: 'listed',
    product: 'CARD_ASTROPAY_PRODUCT',
    returnPage: 'gcenPayments',
  },
} as const satisfies Readonly<Record<string, (PaymentMethod & { paymentGateway: 'bank' }) | ProviderMethod>>

export type MethodType = keyof typeof paymentMethods
export const methodTypes = Object.keys(paymentMethods) as MethodType[]
export const paymentGateways = ['bank', 'gcen'] as const

/** The methods of the card provider's page. */
type CardMethodType = {
  [Type in MethodType]: (typeof paymentMethods)[Type] extends ProviderMethod ? Type : never
}[MethodType]
export const cardMethodTypes = methodTypes.filter((type): type is CardMethodType => isCardMethod(type))

export function isCardMethod(type: MethodType): type is CardMethodType {
  return paymentMethods[type].paymentGateway === 'gcen'
}

/** Returns whether the client chooses the kind of card before the provider's page opens. */
export function asksCardType(type: MethodType): boolean {
  return isCardMethod(type) && paymentMethods[type].product === 'card-type'
}

/** Returns whether clients of a country are offered a method, where settings list `countries` for it. */
export function isOfferedIn(type: MethodType, countries: readonly string[], country: string): boolean {
  const { offeredIn }: PaymentMethod = paymentMethods[type]
  if (typeof offeredIn === 'object') return offeredIn.includes(country)
  return countries.includes(country) || (offeredIn === 'unlisted' && countries.length === 0)
}
