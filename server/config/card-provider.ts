/** The variables of the card provider (requirements 21.4). */
import * as z from 'zod/mini'
import { cardTypes } from '#rules/constants.ts'
import { cardMethodTypes, paymentMethods, type MethodType } from '#rules/payment-methods.ts'
import {
  cardKinds,
  creditMoments,
  type CardKind,
  type CreditMoment,
} from '../integrations/card-provider/payment-provider.ts'
import { readCa, type CaOption } from './ca-files.ts'
import { BadConfig, requiredValue, optionalValue, type Environment } from './read-variable.ts'
import { wholeNumber, text, productNumbers, integrationUrl } from './schemas.ts'

export interface CardConfig extends CaOption {
  readonly kind: CardKind
  readonly url: string
  readonly merchant: string
  readonly key: string
  readonly secret: string
  /** The provider's product number of each type of card, by its code. */
  readonly cardNumbers: ReadonlyMap<number, number>
  /** The provider's product number of each payment method that has one and whose number is known. */
  readonly products: Readonly<Partial<Record<MethodType, number>>>
  readonly webhookKey: string
  readonly webhookSecret: string
  /** The key before, while it is changed. */
  readonly previousWebhook?: { readonly key: string; readonly secret: string }
  readonly creditAt: CreditMoment
}

/** Reads the variables of the card provider; null if `CARD_URL` is absent. */
export function readCard(env: Environment): CardConfig | null {
  const url = optionalValue(env, 'CARD_URL', integrationUrl)
  if (url === null) return null
  const kind = optionalValue(env, 'CARD_KIND', z.enum(cardKinds)) ?? 'worldline-connect'
  const numbers = readNumbers(env, kind)
  return {
    kind,
    url,
    ...readCa(env, 'CARD_CA_FILE'),
    merchant: requiredValue(env, 'CARD_MERCHANT', text, 'CARD_URL'),
    key: requiredValue(env, 'CARD_KEY', text, 'CARD_URL'),
    secret: requiredValue(env, 'CARD_SECRET', text, 'CARD_URL'),
    cardNumbers: new Map(cardTypes.map(({ code }) => [code, numbers.get(code) ?? code])),
    products: readProducts(env, numbers),
    webhookKey: requiredValue(env, 'CARD_WEBHOOK_KEY', text, 'CARD_URL'),
    webhookSecret: requiredValue(env, 'CARD_WEBHOOK_SECRET', text, 'CARD_URL'),
    ...readPreviousWebhook(env),
    creditAt: optionalValue(env, 'CARD_CREDIT_AT', z.enum(creditMoments)) ?? 'capture_requested',
  }
}

function readPreviousWebhook(env: Environment): Pick<CardConfig, 'previousWebhook'> {
  const key = optionalValue(env, 'CARD_PREVIOUS_WEBHOOK_KEY', text)
  if (key === null) return {}
  const secret = requiredValue(env, 'CARD_PREVIOUS_WEBHOOK_SECRET', text, 'CARD_PREVIOUS_WEBHOOK_KEY')
  return { previousWebhook: { key, secret } }
}

/** Debit cards with a number of Connect; the number of Direct is not known to us, so the firm configures it. */
const connectOnlyProducts: readonly number[] = [114, 119]

/**
 * Reads `CARD_PRODUCTS`, the provider's product numbers. Throws if the kind of provider requires numbers that are
 * missing.
 */
function readNumbers(env: Environment, kind: CardKind): ReadonlyMap<number, number> {
  const numbers = optionalValue(env, 'CARD_PRODUCTS', productNumbers) ?? new Map<number, number>()
  const missing = kind === 'worldline-direct' ? connectOnlyProducts.filter((code) => !numbers.has(code)) : []
  if (missing.length === 0) return numbers
  throw new BadConfig(
    `CARD_PRODUCTS has no number for ${missing.join(' and ')}. CARD_KIND is ${kind}: enter its product numbers, such as 114:1,119:3.`,
  )
}

function readProducts(env: Environment, numbers: ReadonlyMap<number, number>): Partial<Record<MethodType, number>> {
  const products: Partial<Record<MethodType, number>> = {}
  for (const type of cardMethodTypes) {
    const { product } = paymentMethods[type]
    if (product === 'card-type') continue
    const number =
      typeof product === 'number'
        ? (numbers.get(product) ?? product)
        : optionalValue(env, product, wholeNumber(1, 999_999))
    if (number !== null) products[type] = number
  }
  return products
}
