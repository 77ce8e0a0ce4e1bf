/** Labels of client money, on its page and in its file. */
import { msg } from '../message.ts'

/** Places of money; `bank` names the account by the last digits of its number. */
export const clientMoneyPlaces = {
  'trading-accounts': msg`Trading accounts`,
  'set-aside': msg`Reserved for withdrawals and transfers`,
  'arrived-unmatched': msg`Unallocated receipts`,
  'payout-in-transit': msg`Payouts in transit`,
  'transfer-in-transit': msg`Transfers in transit`,
  bank: msg`Client money account ending {ending}`,
  'bank-unknown': msg`Bank, unknown account`,
  provider: msg`Card provider, not settled`,
  fees: msg`Client fees less charges of banks and card provider`,
  exchange: msg`Transfers between currencies`,
  'trading-result': msg`Client trading P&L`,
  corrections: msg`Corrections`,
  'firm-money': msg`Firm money, paid in less withdrawn`,
  total: msg`Total`,
}

export const clientMoneyStatuses = {
  agrees: msg`reconciled`,
  explained: msg`explained by postings`,
  open: msg`under review`,
  unexplained: msg`not reconciled`,
}
