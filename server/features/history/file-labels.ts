/** Labels of the history's CSV and statement, as on its page. */
import { msg, type Message, type Labels } from '#contract/message.ts'
import type { HistoryList } from '#contract/history.ts'
import { languageRows, type Language } from '#rules/choices.ts'

export const columnLabels = {
  date: msg`Date`,
  reference: msg`Reference`,
  account: msg`Account`,
  from: msg`From account`,
  to: msg`To account`,
  method: msg`Method`,
  amount: msg`Amount`,
  received: msg`Received`,
  fee: msg`Fee`,
  refunded: msg`Refunded`,
  chargedBack: msg`Charged back`,
  currency: msg`Currency`,
  bank: msg`Bank`,
  opening: msg`Opening balance`,
  closing: msg`Closing balance`,
  rate: msg`Rate`,
  arrives: msg`Credited amount`,
  status: msg`Status`,
  comment: msg`Comment`,
} as const satisfies Labels
export type ColumnLabel = keyof typeof columnLabels

export const listTitles = {
  deposits: msg`Deposits`,
  withdrawals: msg`Withdrawals`,
  transfers: msg`Internal transfers`,
} as const satisfies Record<HistoryList, Message>

/** Returns a rate with the language's decimal separator. */
export function rateText(rate: string, language: Language): string {
  return rate.replace('.', new Intl.NumberFormat(languageRows[language].locale).format(0.5).charAt(1))
}
