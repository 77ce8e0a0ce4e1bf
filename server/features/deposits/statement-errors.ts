/** What can be wrong with a line of a statement, after "Line 3 of the statement could not be read:". */
import type { Language } from '#rules/choices.ts'
import { Problem } from '../../http/problem.ts'

const faults = {
  columns: {
    en: 'it has different columns from the first line, or an unmatched quotation mark',
    de: 'Ihre Spalten weichen von der ersten Zeile ab, oder ein Anführungszeichen fehlt',
  },
  noLines: { en: 'there are no transactions below it', de: 'Darunter stehen keine Umsätze' },
  noDate: { en: 'there is no date column', de: 'Die Spalte für den Buchungstag fehlt' },
  noAmount: { en: 'there is no amount column', de: 'Die Spalte für den Betrag fehlt' },
  noPayer: { en: 'there is no payer column', de: 'Die Spalte für den Auftraggeber fehlt' },
  noRemittance: { en: 'there is no payment reference column', de: 'Die Spalte für den Verwendungszweck fehlt' },
  amount: {
    en: 'the amount is zero or is not a number with up to two decimals',
    de: 'Der Betrag ist null oder keine Zahl mit höchstens zwei Nachkommastellen',
  },
  amountDoubt: {
    en: 'the separator in the amount can mean thousands or decimals. Enter the amount with two decimals',
    de: 'Das Trennzeichen im Betrag kann Tausender oder Nachkommastellen bedeuten. Geben Sie den Betrag mit zwei Nachkommastellen an',
  },
  dateDoubt: {
    en: 'the year has two digits and the date order is not clear. Enter the year with 4 digits',
    de: 'Das Jahr hat zwei Ziffern, und die Reihenfolge im Datum ist nicht eindeutig. Geben Sie das Jahr mit 4 Ziffern an',
  },
  currency: { en: 'the currency does not match the account', de: 'Die Währung stimmt nicht mit dem Konto überein' },
  opening: {
    en: 'the opening balance is not a number or differs from the previous one',
    de: 'Der Anfangssaldo ist keine Zahl oder weicht vom vorherigen ab',
  },
  closing: {
    en: 'the closing balance is not a number or differs from the previous one',
    de: 'Der Endsaldo ist keine Zahl oder weicht vom vorherigen ab',
  },
  date: { en: 'the date is not valid or is in the future', de: 'Das Datum ist ungültig oder liegt in der Zukunft' },
  text: {
    en: 'a text is longer than 500 characters or contains unsupported characters',
    de: 'Ein Text ist länger als 500 Zeichen oder enthält ungültige Zeichen',
  },
  id: {
    en: 'the ID is too long or is used by another payment',
    de: 'Die Kennung ist zu lang oder gehört zu einer anderen Zahlung',
  },
} as const satisfies Record<string, Record<Language, string>>
export type Fault = keyof typeof faults

export function unreadable(line: number, fault: Fault, language: Language): Problem {
  return new Problem('statement-invalid', { values: { line, reason: faults[fault][language] }, field: 'csv' })
}
