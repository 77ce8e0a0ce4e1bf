/**
 * The payment methods (requirements 8.4, 8.5). Each is a row here, from which the schemas of the contract, the
 * environment, the offer by country and the screens derive (docs/guides/add-a-payment-method.md).
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
   * The product on the provider's page: the client's card type, the provider's own product number, or a number in an
   * environment variable; without it the method is not offered.
   */
  readonly product: 'card-type' | number | `CARD_${string}_PRODUCT`
  /** The page to which the provider's page returns. */
  readonly returnPage: 'gcenPayments' | 'ideal'
}

/** By `type`, as in requests and records (requirements 17.2). */
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

/** Returns whether the client chooses the card type before the provider's page opens. */
export function requiresCardType(type: MethodType): boolean {
  return isCardMethod(type) && paymentMethods[type].product === 'card-type'
}

/** Returns whether a method is offered to clients of a country if settings list `countries` for it. */
export function isOfferedIn(type: MethodType, countries: readonly string[], country: string): boolean {
  const { offeredIn }: PaymentMethod = paymentMethods[type]
  if (typeof offeredIn === 'object') return offeredIn.includes(country)
  return countries.includes(country) || (offeredIn === 'unlisted' && countries.length === 0)
}
