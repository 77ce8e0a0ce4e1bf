/** The words of the client money's file, as its page has them. A test holds them against the words of the screens. */
import type { clientMoneyStatus } from '#rules/client-money.ts'
import type { Language } from '#rules/choices.ts'

type Labels = Readonly<Record<string, Readonly<Record<Language, string>>>>

export const places: Labels = {
  'trading-accounts': { en: 'Trading accounts', de: 'Handelskonten' },
  'set-aside': { en: 'Set aside for withdrawals and transfers', de: 'Für Auszahlungen und Umbuchungen zurückgelegt' },
  'arrived-unmatched': { en: 'Arrived, not matched', de: 'Angekommen, nicht zugeordnet' },
  'payout-in-transit': { en: 'Payouts under way', de: 'Auszahlungen unterwegs' },
  'transfer-in-transit': { en: 'Transfers under way', de: 'Umbuchungen unterwegs' },
  provider: { en: 'Card provider, not settled', de: 'Kartenanbieter, nicht abgerechnet' },
  fees: { en: 'Fees that clients paid, less what banks kept', de: 'Gebühren der Kunden, abzüglich Bankspesen' },
  exchange: { en: 'Transfers between currencies', de: 'Umbuchungen zwischen Währungen' },
  'trading-result': { en: "Results of clients' trading", de: 'Handelsergebnisse der Kunden' },
  corrections: { en: 'Corrections', de: 'Korrekturen' },
  'firm-money': {
    en: 'The firm’s own money, paid in less taken out',
    de: 'Eigenes Geld der Firma, eingezahlt abzüglich entnommen',
  },
  total: { en: 'Total', de: 'Summe' },
}
const unnamedBank = { en: 'Bank, account not named', de: 'Bank, Konto nicht benannt' }

export const statuses: Readonly<Record<ReturnType<typeof clientMoneyStatus>, Readonly<Record<Language, string>>>> = {
  agrees: { en: 'agrees', de: 'stimmt überein' },
  explained: { en: 'explained by bookings', de: 'durch Buchungen erklärt' },
  open: { en: 'being looked into', de: 'in Klärung' },
  unexplained: { en: 'does not agree', de: 'stimmt nicht' },
}

/** What a line of the file is about. */
export function placeLabel(code: string, name: string, language: Language): string {
  if (code !== 'bank') return places[code]?.[language] ?? code
  if (name === '') return unnamedBank[language]
  const ending = name.slice(-4)
  return language === 'de' ? `Kundengeldkonto mit Ende ${ending}` : `Client money account ending ${ending}`
}
