/** The words of the history's files, as its page has them: the CSV and the statement. */
import type { HistoryList } from '#contract/history.ts'
import type { Language } from '#rules/choices.ts'

export const columnLabels = {
  en: {
    date: 'Date',
    reference: 'Reference',
    account: 'Account',
    from: 'From account',
    to: 'To account',
    method: 'Method',
    amount: 'Amount',
    received: 'Received',
    fee: 'Fee',
    refunded: 'Refunded',
    chargedBack: 'Charged back',
    currency: 'Currency',
    bank: 'Bank',
    opening: 'Opening balance',
    closing: 'Closing balance',
    rate: 'Rate',
    arrives: 'Credited amount',
    status: 'Status',
    comment: 'Comment',
  },
  de: {
    date: 'Datum',
    reference: 'Referenz',
    account: 'Konto',
    from: 'Von Konto',
    to: 'Auf Konto',
    method: 'Zahlungsart',
    amount: 'Betrag',
    received: 'Eingegangen',
    fee: 'Gebühr',
    refunded: 'Erstattet',
    chargedBack: 'Rückbelastet',
    currency: 'Währung',
    bank: 'Bank',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    rate: 'Kurs',
    arrives: 'Gutschrift',
    status: 'Status',
    comment: 'Kommentar',
  },
} as const satisfies Record<Language, Record<string, string>>
export type ColumnLabel = keyof (typeof columnLabels)['en']

export const listTitles = {
  en: { deposits: 'Deposits', withdrawals: 'Withdrawals', transfers: 'Internal transfers' },
  de: { deposits: 'Einzahlungen', withdrawals: 'Auszahlungen', transfers: 'Interne Umbuchungen' },
} as const satisfies Record<Language, Record<HistoryList, string>>
