/** Labels of discrepancy types. */
import { msg } from '../message.ts'

export const differenceLabels = {
  'balance-differs': msg`The balances differ`,
  'amount-differs': msg`The amounts differ`,
  'ledger-only': msg`In the ledger, not on the platform`,
  'platform-only': msg`On the platform, not in the ledger`,
  'second-deal': msg`Second operation with the same reference`,
  'posted-second-deal': msg`Posted operation with a reference already used`,
  'unclear-deal': msg`Deal without a readable comment`,
  'trading-result': msg`Trading P&L`,
  'bank-outgoing': msg`Unknown outgoing payment at the bank`,
  'bank-balance': msg`Bank balance does not match the ledger`,
  'bank-line-differs': msg`The bank reports a known transaction with different details`,
  refunded: msg`Refunded by the card provider`,
  charged_back: msg`Chargeback at the card provider`,
  'refund-reversed': msg`The card provider no longer reports a refund`,
  'chargeback-reversed': msg`The card provider has reversed a chargeback`,
  'money-back-differs': msg`The card provider’s refunds and totals differ`,
  'chargeback-announced': msg`The payer’s bank has announced a chargeback`,
  'credit-refused': msg`The platform rejected a paid deposit`,
  'payout-not-paid': msg`Paid by the bank, not marked as paid`,
  'paid-late': msg`Paid after the request had ended`,
  'paid-again': msg`A second payment in one card checkout`,
  'payment-denied': msg`The card provider no longer confirms a payment`,
  'provider-silent': msg`No response from the card provider about a payment`,
  invariant: msg`Ledger rule violated`,
}
