/** Schemas of the provider's responses, which are validated before they are used. */
import * as z from 'zod/mini'
import { currencies } from '#rules/money.ts'

/** Ids of both products: Direct's have an underscore before the number of the operation. */
export const idPattern = /^[A-Za-z0-9_-]{1,80}$/
const idText = z.string().check(z.regex(idPattern))

export const createdCheckout = z.object({
  hostedCheckoutId: idText,
  /** Connect's: without scheme and sub-domain. */
  partialRedirectUrl: z.nullish(z.string().check(z.maxLength(2000))),
  /** Direct's: the complete address. */
  redirectUrl: z.nullish(z.string().check(z.maxLength(2000))),
  RETURNMAC: z.nullish(z.string().check(z.maxLength(200))),
})

const amountOfMoney = z.object({ amount: z.int().check(z.nonnegative()), currencyCode: z.enum(currencies) })
const minorUnits = z.nullish(z.int().check(z.nonnegative()))

const references = z.nullish(z.object({ merchantReference: z.nullish(z.string().check(z.maxLength(100))) }))

const anyMoney = z.object({ amount: z.int().check(z.nonnegative()), currencyCode: z.string() })

/** One operation on a payment, with its own id. */
export const operationRecord = z.object({
  id: z.nullish(idText),
  status: z.nullish(z.string()),
  amountOfMoney: z.nullish(anyMoney),
})

export const paymentAnswer = z.object({
  id: idText,
  status: z.string(),
  paymentOutput: z.object({
    amountOfMoney,
    references: z.object({ merchantReference: z.string() }),
    /** Only Connect has these three. They are never posted: a processor may report one refund in both amounts. */
    amountRefunded: minorUnits,
    amountReversed: minorUnits,
    operations: z.nullish(z.array(operationRecord)),
  }),
  statusOutput: z.nullish(z.object({ errors: z.nullish(z.array(z.object({ message: z.nullish(z.string()) }))) })),
})

export const checkoutAnswer = z.object({
  status: z.string(),
  createdPaymentOutput: z.nullish(z.object({ payment: z.nullish(paymentAnswer) })),
})

export const refundAnswer = z.object({ id: idText, status: z.string() })

export const refundRecord = z.object({
  id: idText,
  status: z.string(),
  refundOutput: z.object({ amountOfMoney: anyMoney, references }),
})

export const refundList = z.object({ refunds: z.nullish(z.array(refundRecord)) })

/** Direct's details of a payment. */
export const paymentDetails = z.object({ Operations: z.nullish(z.array(operationRecord)) })

const order = z.nullish(z.object({ references }))

/** An event is about one of these; payouts and tokens are not used. */
export const webhookBody = z.object({
  id: idText,
  merchantId: z.string(),
  type: z.string().check(z.maxLength(100)),
  payment: z.nullish(
    z.object({
      id: z.nullish(idText),
      paymentOutput: order,
      /** On Connect's GlobalCollect platform, and on Direct. */
      hostedCheckoutSpecificOutput: z.nullish(z.object({ hostedCheckoutId: z.nullish(idText) })),
    }),
  ),
  refund: z.nullish(z.object({ id: z.nullish(idText), refundOutput: order })),
  capture: z.nullish(z.object({ captureOutput: order })),
  dispute: z.nullish(z.object({ disputeOutput: z.nullish(z.object({ reference: references })) })),
})

/** Returns our reference in a webhook, from any of its places, or ''. */
export function referenceIn({ payment, refund, capture, dispute }: z.infer<typeof webhookBody>): string {
  const found =
    payment?.paymentOutput?.references ??
    refund?.refundOutput?.references ??
    capture?.captureOutput?.references ??
    dispute?.disputeOutput?.reference
  return found?.merchantReference ?? ''
}

const errorAnswer = z.object({
  errors: z.array(
    z.object({ code: z.nullish(z.string()), errorCode: z.nullish(z.string()), message: z.nullish(z.string()) }),
  ),
})

/** Returns the first error of the provider's own record; null if the response has none, such as a proxy's. */
export function errorIn(answer: unknown): { code?: string | undefined; message?: string | undefined } | null {
  const error = errorAnswer.safeParse(answer)
  const first = error.success ? error.data.errors[0] : undefined
  return first ? { code: first.code ?? first.errorCode ?? undefined, message: first.message ?? undefined } : null
}
