/**
 * Texts of checks, written by the server alone: no app imports this. `{name}` stands for a value that comes formatted for
 * its reader.
 */
import { documentLabels } from './document-labels.ts'
import { msg, type Labels, type Message } from './message.ts'
import { stateLabels } from './office/state-labels.ts'
import type { CheckName } from '#rules/checks/check.ts'

/** What a check is called. */
export const checkTitles: Readonly<Record<CheckName, Message>> = {
  'client-status': msg`Client status`,
  'payments-on-hold': msg`Payments on hold`,
  screening: msg`Screening`,
  'documents-requested': msg`Requested documents`,
  'identity-document': msg`Identity document`,
  'proof-of-address': msg`Proof of address`,
  balances: msg`Balances`,
  available: msg`Available amount`,
  'margin-level': msg`Margin level`,
  discrepancy: msg`Ledger and platform`,
  'account-holder': msg`Account holder`,
  payer: msg`Payer`,
  'same-elsewhere': msg`Same details at another client`,
  'new-bank-details': msg`New bank details`,
  'sign-in-change': msg`Sign-in details`,
  'closed-loop': msg`Origin of deposits`,
  chargeback: msg`Chargebacks`,
}

/** Who can unblock a block, and how. */
export const waysOut: Readonly<Record<CheckName, Message>> = {
  'client-status': msg`Compliance reactivates the client first. This block cannot be overridden.`,
  'payments-on-hold': msg`Compliance can lift the hold.`,
  screening: msg`Compliance decides the case and removes the sanctions flag.`,
  'documents-requested': msg`Compliance approves the document or overrides the block.`,
  'identity-document': msg`Compliance approves a valid document or overrides the block.`,
  'proof-of-address': msg`Compliance approves a newer document.`,
  balances: msg`Try again when the platform answers. This block cannot be overridden.`,
  available: msg`Reject the request, or wait until more is available. This block cannot be overridden.`,
  'margin-level': msg`Try again when the platform answers.`,
  discrepancy: msg`Finance decides the discrepancy, or a second person in finance overrides the block.`,
  'account-holder': msg`Compliance can override this block.`,
  payer: msg`Finance overrides the block with proof, or the payment is returned to its sender.`,
  'same-elsewhere': msg`Acknowledge the warning.`,
  'new-bank-details': msg`Acknowledge the warning.`,
  'sign-in-change': msg`Wait until then, or a second person in finance overrides the block.`,
  'closed-loop': msg`Acknowledge the warning.`,
  chargeback: msg`Two people in finance decide the chargeback, or a second person in finance overrides the block.`,
}

/** Of a block whose row has no override in this one case. */
export const recoveryDecides: Message = msg`Recovery settles this discrepancy. This block cannot be overridden.`

/** Of bank details whose holder has not been entered. */
export const enterHolder: Message = msg`Enter the name from the bank statement. This block cannot be overridden.`

/** What staff read of a check. */
export const checkSentences = {
  'not-read': msg`This could not be read: {source} did not answer. Try again.`,
  'client-active': msg`{state}.`,
  'client-stopped': msg`{state}. Requests of this client are not approved.`,
  'client-last-balance': msg`{state}. Finance entered this payout of the last balance with proof.`,
  'no-hold': msg`No hold.`,
  'on-hold': msg`Compliance has put payments on hold.`,
  'on-hold-until': msg`Compliance has put payments on hold until {until}.`,
  'screening-not-connected': msg`Not carried out: no screening service is connected. There is no sanctions flag.`,
  'sanction-flag': msg`The client has a sanctions flag.`,
  'no-documents-open': msg`None outstanding.`,
  'documents-open': msg`A requested document is not approved: {document}.`,
  'documents-open-small': msg`A requested document is not approved: {document}. It applies to transfers of {threshold} or more.`,
  'identity-valid': msg`Valid until {day}.`,
  'identity-expired': msg`Expired on {day}.`,
  'identity-unknown': msg`No approved identity document is on file.`,
  'address-age-off': msg`Age not checked.`,
  'address-recent': msg`Issued on {day}.`,
  'address-old': msg`Issued on {day}, more than {months} months ago.`,
  'address-unknown': msg`No approved proof of address is on file.`,
  'balances-current': msg`Read from the platform on {time}.`,
  'balances-old': msg`Balances are as of {time}. They cannot be read while another operation on the account is in progress.`,
  'available-enough': msg`Enough for this request. {rest} remains afterwards.`,
  'available-short': msg`Only {available} is available for this request now.`,
  'margin-level-off': msg`Not checked.`,
  'no-margin-used': msg`No margin is in use.`,
  'margin-level-enough': msg`{level} % after the payment.`,
  'margin-level-low': msg`{level} % after the payment, under {least} %.`,
  'ledger-agrees': msg`Reconciled.`,
  'ledger-differs': msg`Not reconciled on this account.`,
  'discrepancy-open': msg`Open discrepancies on this account: {count}.`,
  'reference-unknown': msg`The platform shows an operation under a reference of ours that is not on file.`,
  'holder-same': msg`The bank account is in the client’s name.`,
  'holder-near': msg`The account holder {holder} resembles the client {client}.`,
  'holder-far': msg`The account holder {holder} is not the client {client}.`,
  'holder-not-entered': msg`The account holder’s name has not been entered from the bank statement.`,
  'holder-required': msg`The account holder’s name has not been entered from the bank statement.`,
  'payer-same': msg`The payer is the client.`,
  'payer-near': msg`The payer {payer} resembles the client {client}.`,
  'payer-far': msg`The payer {payer} is not the client {client}.`,
  'payer-missing': msg`The bank transaction names no payer.`,
  'nothing-elsewhere': msg`No other client has the same identity document, bank account or phone number.`,
  'shared-elsewhere': msg`Other clients with the same details: {clients}.`,
  'no-client-on-hold': msg`Payments of the likely sender are not on hold.`,
  'client-on-hold': msg`This seems to be a payment of a client whose payments are on hold: {clients}.`,
  'client-flagged': msg`This seems to be a payment of a client with a sanctions flag: {clients}.`,
  'bank-entered-first': msg`These bank details are new. They have not been approved yet and have never been used for a payout.`,
  'bank-entered': msg`These bank details are new and have not been approved yet. Payouts have been made to this bank account before.`,
  'bank-new-first': msg`Approved less than {days} days ago, and never used for a payout.`,
  'bank-new': msg`Approved less than {days} days ago.`,
  'bank-first': msg`This is the first payout to this bank account.`,
  'bank-known': msg`Approved over {days} days ago and used for payouts before.`,
  'no-sign-in-change': msg`No change in the last {hours} hours.`,
  'sign-in-changed': msg`{change} on {time}.`,
  'sign-in-changed-wait': msg`{change} on {time}. The payout waits until {until}.`,
  'loop-closed': msg`The payout goes back to where the deposits came from.`,
  'loop-open': msg`{share} of this payout came from elsewhere: {origin}.`,
  'no-chargeback': msg`No chargeback or dispute is open.`,
  'chargeback-open': msg`Open chargebacks or disputes of this client: {count}.`,
} as const satisfies Labels

/** What a fact is called; one that is no key here is a name of its own, such as where a deposit came from. */
export const factNames: Labels = {
  source: msg`Source`,
  status: msg`Status`,
  since: msg`Since`,
  until: msg`Until`,
  sanctionFlag: msg`Sanctions flag`,
  source_of_wealth: msg`Source of wealth requested`,
  expires: msg`Expires`,
  issued: msg`Issued`,
  read: msg`Balances as of`,
  free: msg`Free on the platform`,
  reserved: msg`Reserved`,
  after: msg`Available afterwards`,
  equity: msg`Equity`,
  margin: msg`Margin used`,
  level: msg`Margin level, %`,
  discrepancy: msg`Discrepancy found`,
  chargeback: msg`Chargeback reported`,
  holder: msg`Account holder`,
  client: msg`Client`,
  clientNumber: msg`Client number`,
  payer: msg`Payer`,
  likelyClient: msg`Likely client`,
  document: msg`Same document number at`,
  bankAccount: msg`Same bank account at`,
  device: msg`Same device at`,
  phone: msg`Same phone number at`,
  approved: msg`Bank details approved`,
  payouts: msg`Earlier payouts`,
  change: msg({ message: 'Change', context: 'fact' }),
  changed: msg`Changed`,
  here: msg`Deposited from this account`,
}

/** Words that stand as values. */
export const checkLabels: Labels = {
  ...documentLabels,
  ...stateLabels,
  yes: msg`Yes`,
  no: msg`No`,
  password: msg`The password was changed`,
  'factor-off': msg`Two-factor authentication was turned off`,
  'factor-reset': msg`Two-factor authentication was reset`,
  email: msg`The email address was changed`,
  phone: msg`The phone number was changed`,
  records: msg`our records`,
  ledger: msg`the ledger`,
  platform: msg`the trading platform`,
  bank: msg`the bank`,
  settings: msg`the settings`,
}
