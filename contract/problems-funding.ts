/** Refusals of trading accounts, bank details, funding and the professional application. */
import { msg } from './message.ts'
export const fundingProblems = {
  // Trading accounts.
  'declaration-first': {
    status: 403,
    text: msg`Accept the Client Assets Declaration first.`,
  },
  'account-unknown': {
    status: 404,
    text: msg`This trading account does not exist. Choose one from the list.`,
  },
  'account-not-approved': {
    status: 409,
    text: msg`This trading account is not open. Choose another one.`,
  },
  'new-accounts-closed': {
    status: 409,
    text: msg`You cannot open new trading accounts.`,
  },
  'platform-closed': {
    status: 409,
    text: msg`You cannot open new accounts on this platform at the moment. Choose the other platform.`,
  },
  'balance-for-demo-only': {
    status: 400,
    text: msg`A starting balance is only for demo accounts. Leave it out for a live account.`,
  },
  'demo-balance-required': {
    status: 400,
    text: msg`Choose the starting balance of the demo account.`,
  },
  'leverage-not-allowed': {
    status: 400,
    text: msg`This leverage is not available for this account. Choose one from the list.`,
  },
  'leverage-unchanged': {
    status: 400,
    text: msg`The account already has this leverage. Choose another one.`,
  },
  'leverage-pending': {
    status: 409,
    text: msg`A leverage change for this account is already pending. We will email you our decision.`,
  },
  'leverage-closed': {
    status: 409,
    text: msg`You can no longer change the leverage.`,
  },
  'nickname-invalid': {
    status: 400,
    text: msg`A nickname can have up to 30 letters, digits, spaces or hyphens.`,
  },
  'trading-password-weak': {
    status: 400,
    text: msg`A trading password has 8 to 15 characters with lowercase and uppercase letters, a digit and a special character.`,
  },
  'password-shown': {
    status: 409,
    text: msg`The first password has already been viewed or has expired. Set a new one under SETTINGS.`,
  },

  // Bank details.
  'bank-fields-required': {
    status: 400,
    text: msg`You must fill all mandatory fields.`,
  },
  'bank-statement-required': {
    status: 400,
    text: msg`You must upload bank statement.`,
  },
  'account-number-invalid': {
    status: 400,
    text: msg`A British account number has 8 digits.`,
  },
  'sort-code-invalid': {
    status: 400,
    text: msg`A sort code has 6 digits, such as 20-00-00.`,
  },
  'iban-invalid': {
    status: 400,
    text: msg`This IBAN is not valid. Check that you entered it correctly.`,
  },
  'swift-invalid': {
    status: 400,
    text: msg`A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.`,
  },
  'iban-other-country': {
    status: 400,
    text: msg`The IBAN and the country of the bank do not match. Check both. If they are correct, confirm them.`,
  },
  'not-for-country': {
    status: 400,
    text: msg`Banks in this country do not use this field. Leave it empty.`,
  },
  'bank-read-only': {
    status: 409,
    text: msg`To protect your money, approved bank details cannot be changed. Add a new bank account instead.`,
  },

  // Funding.
  'deposits-closed': {
    status: 409,
    text: msg`Deposits are not available. You can still withdraw.`,
  },
  'deposit-too-low': {
    status: 400,
    text: msg`Amount too low`,
  },
  'announced-too-much': {
    status: 409,
    text: msg`You have expected bank transfers of {sum} that have not arrived. With this deposit you would exceed the maximum of {most}. Enter a smaller amount, or wait until your transfers arrive.`,
  },
  'transfer-too-low': {
    status: 400,
    text: msg`Amount too low. The minimum transfer is {minimum}.`,
  },
  'withdrawal-too-low': {
    status: 400,
    text: msg`Amount too low. The minimum withdrawal is {minimum}.`,
  },
  'more-than-balance': {
    status: 400,
    text: msg`You cannot withdraw more than your account balance!`,
  },
  'more-than-available': {
    status: 400,
    text: msg`You cannot withdraw more than is available: {available}. {reserved} is set aside for other requests.`,
  },
  'transfer-more-than-balance': {
    status: 400,
    text: msg`You cannot transfer more than your account balance!`,
  },
  'transfer-more-than-available': {
    status: 400,
    text: msg`You cannot transfer more than is available: {available}. {reserved} is set aside for other requests.`,
  },
  'fee-over-amount': {
    status: 400,
    text: msg`The amount must be higher than the fee of {fee}. Enter a larger amount.`,
  },
  'no-balance': {
    status: 400,
    text: msg`This account has no funds. Fund it first.`,
  },
  'currency-not-account': {
    status: 400,
    text: msg`Choose the currency of the account.`,
  },
  'demo-account': {
    status: 400,
    text: msg`You cannot use a demo account for payments. Choose a live account.`,
  },
  'same-account': { status: 400, text: msg`Choose two different accounts.` },
  'method-not-offered': {
    status: 400,
    text: msg`This payment method is not available in your country. Choose another one.`,
  },
  'card-type-required': { status: 400, text: msg`Choose your card type.` },
  'bank-currency': {
    status: 400,
    text: msg`This bank account and the trading account have different currencies. Choose a bank account in the same currency.`,
  },
  'bank-not-approved': {
    status: 409,
    text: msg`This bank account is not approved yet. Choose another one, or wait for our email.`,
  },
  'wire-account-missing': {
    status: 409,
    text: msg`Bank transfers in {currency} are not available at the moment. Choose another payment method.`,
  },
  'no-rate': {
    status: 409,
    text: msg`No exchange rate is available for these currencies. Try again later, or choose an account in the same currency.`,
  },
  'rate-changed': {
    status: 409,
    text: msg`The exchange rate has changed. The credited amount would now be {arrives}. Check it, then confirm again.`,
  },
  'payment-refused': {
    status: 422,
    text: msg`The payment failed: {reason} You have not been charged.`,
  },
  'payment-not-credited': {
    status: 422,
    text: msg`We received your payment but could not credit your account: {reason} We have your money and will credit or return it. We will email you.`,
  },
  'provider-unavailable': {
    status: 503,
    text: msg`The payment provider is not responding. You have not been charged. Try again in a minute.`,
  },
  'payment-under-way': {
    status: 409,
    text: msg`You can no longer cancel this payment because the payment provider is processing it. Do not pay again. We will email you the result.`,
  },
  'payment-not-closed': {
    status: 503,
    text: msg`The payment provider is not responding. The payment was not cancelled. Try again in a minute.`,
  },

  // Professional client status.
  'applications-disabled': {
    status: 409,
    text: msg`You cannot apply for professional client status at the moment. Try again later.`,
  },
  'already-professional': {
    status: 409,
    text: msg`You are already a Professional Client.`,
  },
  'application-exists': {
    status: 409,
    text: msg`You have already submitted your application. We will email you our decision.`,
  },
  'not-asked': {
    status: 400,
    text: msg`This question does not apply to your other answers. Leave it out.`,
  },
} as const
