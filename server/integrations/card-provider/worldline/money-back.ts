/**
 * Money returned to the payer, from the records with their own ids: settled refunds, reversals and chargebacks. The
 * payment's own fields may repeat one refund in two places, so nothing is summed from them (ADR 203).
 */
import type * as z from 'zod/mini'
import { totalReturned, type MoneyBack, type Refund } from '../payment-provider.ts'
import type { operationRecord, paymentAnswer, refundRecord } from './answers.ts'

type Payment = z.infer<typeof paymentAnswer>

const settledRefunds: readonly string[] = ['REFUNDED', 'ACCOUNT_CREDITED']
const failedRefunds: readonly string[] = ['REJECTED', 'CANCELLED']
const reversals: readonly string[] = ['REVERSED', 'CHARGEBACKED']

/** Returns the state of a refund in this status: one that is requested or must be approved may still be either. */
export function refundState(status: string): Refund['state'] {
  if (settledRefunds.includes(status)) return 'settled'
  return failedRefunds.includes(status) ? 'failed' : 'open'
}

/** Returns each settled refund, reversal and chargeback once, in the currency of the payment. */
export function moneyBackOf(
  { id: paymentId, paymentOutput }: Payment,
  refunds: readonly z.infer<typeof refundRecord>[],
  operations: readonly z.infer<typeof operationRecord>[],
): MoneyBack[] {
  const { currencyCode: currency } = paymentOutput.amountOfMoney
  const found = new Map<string, MoneyBack>()
  for (const { id, status, refundOutput } of refunds)
    if (refundState(status) === 'settled') put(id, 'refunded', refundOutput.amountOfMoney)
  for (const { id, status, amountOfMoney } of operations)
    // Direct lists the payment itself among its operations.
    if (id && id !== paymentId && amountOfMoney && reversals.includes(status ?? ''))
      put(id, 'charged_back', amountOfMoney)
  return [...found.values()]

  function put(id: string, kind: MoneyBack['kind'], returned: { amount: number; currencyCode: string }): void {
    if (returned.currencyCode !== currency) return
    found.set(id, { id, kind, amount: { minor: BigInt(returned.amount), currency } })
  }
}

/**
 * Returns the returned total according to the payment's own fields, in minor units, if it differs from the sum of the
 * records; null if they agree or are absent. `amountReversed` may be the chargebacks, or the total.
 */
export function claimedBack({ status, paymentOutput }: Payment, back: readonly MoneyBack[]): bigint | null {
  const { amountRefunded, amountReversed, amountOfMoney } = paymentOutput
  const [refunds, chargebacks] = [totalReturned(back, 'refunded'), totalReturned(back, 'charged_back')]
  const refunded = amountRefunded == null ? null : BigInt(amountRefunded)
  const reversed = amountReversed == null ? null : BigInt(amountReversed)
  const isNamed = status === 'REFUNDED' ? refunds > 0n : !reversals.includes(status) || chargebacks > 0n
  const agrees =
    isNamed &&
    (refunded === null || refunded === refunds) &&
    (reversed === null || reversed === chargebacks || reversed === refunds + chargebacks)
  if (agrees) return null
  const most = [refunded ?? 0n, reversed ?? 0n].reduce((left, right) => (left > right ? left : right))
  return most > 0n || isNamed ? most : BigInt(amountOfMoney.amount)
}
