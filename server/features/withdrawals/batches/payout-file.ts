/** Renders the payout file of a batch: equal payments give equal bytes. */
import { createHash } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import { decimalOf } from '#rules/money.ts'
import { batchNumber } from '#rules/payout-batches.ts'
import { safeCell } from '../../../i18n/format.ts'
import type { Withdrawal } from '../queries.ts'
import type { PayoutBatch } from './queries.ts'

const columns = [
  'batch',
  'reference',
  'holder',
  'iban',
  'swift',
  'sort_code',
  'account_number',
  'bank',
  'amount',
  'currency',
] as const

export interface PayoutFile {
  readonly count: number
  readonly total: bigint
  readonly bytes: string
  /** SHA-256 of the bytes in hexadecimal. */
  readonly sha256: string
}

/** Returns the amount to be paid to the client's bank, in minor units. */
export function payoutMinor({ amountMinor, feeMinor }: Pick<Withdrawal, 'amountMinor' | 'feeMinor'>): bigint {
  return amountMinor - feeMinor
}

/** Returns the payout file of a batch with these payments. */
export function renderFile({ number }: Pick<PayoutBatch, 'number'>, payments: readonly Withdrawal[]): PayoutFile {
  const lines = payments.map((payment) => [batchNumber(number), ...cellsOf(payment)])
  const bytes = stringify(lines, { header: true, columns: [...columns] })
  return {
    count: payments.length,
    total: payments.reduce((sum, payment) => sum + payoutMinor(payment), 0n),
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

function cellsOf(payment: Withdrawal): string[] {
  const { holder, iban, swift, sortCode, accountNumber, bankName } = payment.bank
  const typed = [payment.reference, holder, iban ?? '', swift ?? '', sortCode ?? '', accountNumber ?? '', bankName]
  return [...typed.map(safeCell), decimalOf(payoutMinor(payment)), payment.currency]
}
