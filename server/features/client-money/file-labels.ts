/** The words of the client money's file, as its page has them. A test holds them against the words of the screens. */
import type { clientMoneyStatus } from '#rules/client-money.ts'
import type { Language } from '#rules/choices.ts'

type Labels = Readonly<Record<string, Readonly<Record<Language, string>>>>

export const places: Labels = {
  'trading-accounts': { en: 'Trading accounts', de: 'Handelskonten' },
  'set-aside': { en: 'Reserved for withdrawals and transfers', de: 'Für Auszahlungen und Umbuchungen reserviert' },
  'arrived-unmatched': { en: 'Unallocated receipts', de: 'Nicht zugeordnete Eingänge' },
  'payout-in-transit': { en: 'Payouts in transit', de: 'Auszahlungen unterwegs' },
  'transfer-in-transit': { en: 'Transfers in transit', de: 'Umbuchungen unterwegs' },
  provider: { en: 'Card provider, not settled', de: 'Kartenanbieter, nicht abgerechnet' },
  fees: { en: 'Client fees less bank charges', de: 'Gebühren der Kunden abzüglich Bankspesen' },
  exchange: { en: 'Transfers between currencies', de: 'Umbuchungen zwischen Währungen' },
  'trading-result': { en: 'Client trading P&L', de: 'Handelsergebnisse der Kunden' },
  corrections: { en: 'Corrections', de: 'Korrekturen' },
  'firm-money': {
    en: 'Firm money, paid in less withdrawn',
    de: 'Firmengelder, Einzahlungen abzüglich Entnahmen',
  },
  total: { en: 'Total', de: 'Summe' },
}
const unnamedBank = { en: 'Bank, unknown account', de: 'Bank, Konto unbekannt' }

export const statuses: Readonly<Record<ReturnType<typeof clientMoneyStatus>, Readonly<Record<Language, string>>>> = {
  agrees: { en: 'reconciled', de: 'abgestimmt' },
  explained: { en: 'explained by postings', de: 'durch Buchungen erklärt' },
  open: { en: 'under review', de: 'in Klärung' },
  unexplained: { en: 'not reconciled', de: 'nicht abgestimmt' },
}

/** What a line of the file is about. */
export function placeLabel(code: string, name: string, language: Language): string {
  if (code !== 'bank') return places[code]?.[language] ?? code
  if (name === '') return unnamedBank[language]
  const ending = name.slice(-4)
  return language === 'de' ? `Kundengeldkonto mit Endung ${ending}` : `Client money account ending ${ending}`
}
