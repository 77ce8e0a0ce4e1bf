/** The words of the client money's file, as its page has them. A test holds them against the words of the screens. */
import { msg, type Message, type Labels } from '#contract/message.ts'
import type { clientMoneyStatus } from '#rules/client-money.ts'
import type { Language } from '#rules/choices.ts'
import { labelText, translate } from '../../i18n/translate.ts'

export const places: Labels = {
  'trading-accounts': msg`Trading accounts`,
  'set-aside': msg`Reserved for withdrawals and transfers`,
  'arrived-unmatched': msg`Unallocated receipts`,
  'payout-in-transit': msg`Payouts in transit`,
  'transfer-in-transit': msg`Transfers in transit`,
  provider: msg`Card provider, not settled`,
  fees: msg`Client fees less bank charges`,
  exchange: msg`Transfers between currencies`,
  'trading-result': msg`Client trading P&L`,
  corrections: msg`Corrections`,
  'firm-money': msg`Firm money, paid in less withdrawn`,
  total: msg`Total`,
}
const namedBank = msg`Client money account ending {ending}`
const unnamedBank = msg`Bank, unknown account`

export const statuses: Readonly<Record<ReturnType<typeof clientMoneyStatus>, Message>> = {
  agrees: msg`reconciled`,
  explained: msg`explained by postings`,
  open: msg`under review`,
  unexplained: msg`not reconciled`,
}

/** What a line of the file is about. */
export function placeLabel(code: string, name: string, language: Language): string {
  if (code !== 'bank') return labelText(places, code, language)
  if (name === '') return translate(unnamedBank, language)
  const ending = name.slice(-4)
  return translate(namedBank, language, { ending })
}
