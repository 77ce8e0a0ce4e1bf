/** Problems of trading accounts, bank details, funding and the professional application. */
import { msg } from './message.ts'
import { problemTexts } from './problem-texts.ts'

export const fundingProblems = {
  // Trading accounts.
  ...problemTexts(400, {
    'balance-for-demo-only': msg`A starting balance is only for demo accounts. Leave it out for a live account.`,
    'demo-balance-required': msg`Choose the starting balance of the demo account.`,
    'leverage-not-allowed': msg`This leverage is not available for this account. Choose one from the list.`,
    'leverage-unchanged': msg`The account already has this leverage. Choose another one.`,
    'nickname-invalid': msg`A nickname can have up to 30 letters, digits, spaces or hyphens.`,
    'trading-password-characters': msg`A trading password cannot contain =, | or a backslash.`,
    'trading-password-weak': msg`A trading password has 8 to 15 characters with lowercase and uppercase letters, a digit and a special character.`,
  }),
  ...problemTexts(403, {
    'declaration-first': msg`Accept the Client Assets Declaration first.`,
  }),
  ...problemTexts(404, {
    'account-unknown': msg`This trading account does not exist. Choose one from the list.`,
  }),
  ...problemTexts(409, {
    'account-not-approved': msg`This trading account is not open. Choose another one.`,
    'account-closed': msg`This trading account is closed: the platform has disabled it or no longer has it. Use another account, or contact support.`,
    'platform-not-connected': msg`The platform of this trading account is not connected. Use another account, or contact support.`,
    'new-accounts-closed': msg`You cannot open new trading accounts.`,
    'account-kind-closed': msg`You cannot open this type of account at the moment. Choose another account type, currency or platform.`,
    'platform-closed': msg`You cannot open new accounts on this platform at the moment. Choose the other platform.`,
    'leverage-pending': msg`A leverage change for this account is already pending. We will email you our decision.`,
    'leverage-closed': msg`You can no longer change the leverage.`,
    'password-shown': msg`The first password has already been viewed or has expired. Set a new one under SETTINGS.`,
  }),
  // Bank details.
  ...problemTexts(400, {
    'bank-fields-required': msg`You must fill all mandatory fields.`,
    'bank-statement-required': msg`You must upload bank statement.`,
    'account-number-invalid': msg`A British account number has 8 digits.`,
    'sort-code-invalid': msg`A sort code has 6 digits, such as 20-00-00.`,
    'iban-invalid': msg`This IBAN is not valid. Check that you entered it correctly.`,
    'swift-invalid': msg`A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.`,
    'iban-other-country': msg`The IBAN and the country of the bank do not match. Check both. If they are correct, confirm them.`,
    'not-for-country': msg`Banks in this country do not use this field. Leave it empty.`,
  }),
  ...problemTexts(409, {
    'bank-read-only': msg`To protect your money, approved bank details cannot be changed. Add a new bank account instead.`,
  }),
  // Funding.
  ...problemTexts(400, {
    // A fixed text (requirements 8.2, 16.2); the hint of the field names the minimum.
    'deposit-too-low': msg`Amount too low`,
    'transfer-too-low': msg`Amount too low. The minimum transfer is {minimum}.`,
    'withdrawal-too-low': msg`Amount too low. The minimum withdrawal is {minimum}.`,
    // Not enough money on the account (insufficient balance or funds, more than the free balance or than can be withdrawn): the first above the
    // balance, the second above what is available, both by `checkWithdrawal` (rules/withdrawals.ts). The form says the
    // same before it sends: portal/screens/withdraw-funds/select-amount-step.tsx.
    'more-than-balance': msg`You cannot withdraw more than your account balance!`,
    'more-than-available': msg`You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.`,
    'transfer-more-than-balance': msg`You cannot transfer more than your account balance!`,
    'transfer-more-than-available': msg`You cannot transfer more than is available: {available}. {reserved} is set aside for other requests.`,
    'fee-over-amount': msg`The amount must be higher than the fee of {fee}. Enter a larger amount.`,
    'no-balance': msg`This account has no funds. Fund it first.`,
    'currency-not-account': msg`Choose the currency of the account.`,
    'demo-account': msg`You cannot use a demo account for payments. Choose a live account.`,
    'same-account': msg`Choose two different accounts.`,
    'method-not-offered': msg`This payment method is not available in your country. Choose another one.`,
    'card-type-required': msg`Choose your card type.`,
    'bank-currency': msg`This bank account and the trading account have different currencies. Choose a bank account in the same currency.`,
  }),
  ...problemTexts(409, {
    'deposits-closed': msg`Deposits are not available. You can still withdraw.`,
    'announced-too-much': msg`We are still expecting bank transfers of {sum} from you. With this deposit you would exceed the maximum of {most}. Enter a smaller amount, or wait until your transfers arrive.`,
    'announced-over-maximum': msg`The maximum for bank transfers is {most}. Enter a smaller amount.`,
    'transfer-arrived': msg`You can no longer cancel this deposit because your payment has arrived. We will credit or return it and email you.`,
    'bank-not-approved': msg`This bank account is not approved yet. Choose another one, or wait for our email.`,
    'wire-account-missing': msg`Bank transfers in {currency} are not available at the moment. Choose another payment method.`,
    'no-rate': msg`No exchange rate is available for these currencies. Try again later, or choose an account in the same currency.`,
    'rates-out-of-date': msg`Transfers between different currencies are not possible at the moment because the exchange rate is out of date. Try again later, or choose an account in the same currency.`,
    'rate-changed': msg`The exchange rate has changed. The credited amount would now be {arrives}. Check it, then confirm again.`,
    'payment-under-way': msg`You can no longer cancel this payment because the payment provider is processing it. Do not pay again. We will email you the result.`,
  }),
  ...problemTexts(422, {
    'payment-refused': msg`{reason} You have not been charged.`,
    'payment-not-credited': msg`We received your payment but could not credit your account: {reason} We have your money and will credit or return it. We will email you.`,
    'payment-in-review': msg`{reason} We have not credited your deposit of {amount}. The provider has the payment. We aim to email you by {day}.`,
    'payment-review-open': msg`{reason} We have not credited your deposit of {amount}. We aim to email you by {day}.`,
    'payment-returned': msg`We could not credit your payment. The payment provider returns it to the card or account that you paid with.`,
    'payment-ended': msg`{reason} This deposit has ended. Contact us with its reference if you have a question about your payment.`,
  }),
  ...problemTexts(503, {
    'provider-unavailable': msg`The payment provider is not responding. You have not been charged. Try again in a minute.`,
    'payment-unchecked': msg`The payment provider is not responding. Do not pay again. We will keep checking your payment.`,
    'payment-not-closed': msg`The payment provider is not responding. The payment was not cancelled. Try again in a minute.`,
  }),
  // Professional client status.
  ...problemTexts(400, {
    'not-asked': msg`This question does not apply to your other answers. Leave it out.`,
  }),
  ...problemTexts(409, {
    'applications-disabled': msg`You cannot apply for professional client status at the moment. Try again later.`,
    'already-professional': msg`You are already a Professional Client.`,
    'application-exists': msg`You have already submitted your application. We will email you our decision.`,
  }),
}
