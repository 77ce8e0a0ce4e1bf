/** Amounts and a currency in the URL of a list. */
import * as z from 'zod/mini'
import { currencies } from '#rules/money.ts'

export interface AmountRange {
  readonly currency: string
  readonly amountFrom: string
  readonly amountTo: string
}

export const noAmountRange: AmountRange = { currency: '', amountFrom: '', amountTo: '' }

const pattern = /^-?\d{1,13}(\.\d{1,2})?$/

/** Returns whether the server accepts the text as an amount; an empty one is accepted. */
export function isAmount(text: string): boolean {
  return text === '' || pattern.test(text)
}

const amount = z.catch(z._default(z.string().check(z.regex(pattern)), ''), '')

export const amountUrlFields = {
  currency: z.catch(z._default(z.enum([...currencies, '']), ''), ''),
  amountFrom: amount,
  amountTo: amount,
}
