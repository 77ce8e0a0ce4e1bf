/** What can be wrong with a line of a statement, after "Line 3 of the statement could not be read:". */
import { Problem, type Language } from '../../http/problem.ts'

const faults = {
  columns: {
    en: 'its columns are not those of the first line, or a quotation mark stands alone',
    de: 'Ihre Spalten sind nicht die der ersten Zeile, oder ein Anführungszeichen steht allein',
  },
  noLines: { en: 'no line stands under it', de: 'Unter ihr steht keine Zeile' },
  noDate: { en: 'it names no column for the date', de: 'Sie nennt keine Spalte für den Buchungstag' },
  noAmount: { en: 'it names no column for the amount', de: 'Sie nennt keine Spalte für den Betrag' },
  noPayer: { en: 'it names no column for the payer', de: 'Sie nennt keine Spalte für den Auftraggeber' },
  noRemittance: { en: 'it names no column for the reference', de: 'Sie nennt keine Spalte für den Verwendungszweck' },
  amount: {
    en: 'the amount is zero, or not a number with at most two decimals',
    de: 'Der Betrag ist null oder keine Zahl mit höchstens zwei Nachkommastellen',
  },
  amountDoubt: {
    en: 'the amount can be read in two ways, because its only mark may part thousands or decimals. Write it with two decimals',
    de: 'Der Betrag lässt sich auf zwei Arten lesen, denn sein einziges Zeichen kann Tausender oder Nachkommastellen trennen. Schreiben Sie ihn mit zwei Nachkommastellen',
  },
  dateDoubt: {
    en: 'the year has two digits, and the order of day, month and year is not clear. Write the year with four digits',
    de: 'Das Jahr hat zwei Ziffern, und die Reihenfolge von Tag, Monat und Jahr ist nicht klar. Schreiben Sie das Jahr mit vier Ziffern',
  },
  currency: { en: 'the currency is not that of the account', de: 'Die Währung ist nicht die des Kontos' },
  opening: {
    en: 'the opening balance is not a number, or another one than before',
    de: 'Der Anfangssaldo ist keine Zahl oder ein anderer als zuvor',
  },
  closing: {
    en: 'the closing balance is not a number, or another one than before',
    de: 'Der Schlusssaldo ist keine Zahl oder ein anderer als zuvor',
  },
  date: { en: 'the date is not a day, or lies ahead', de: 'Das Datum ist kein Tag oder liegt in der Zukunft' },
  text: {
    en: 'a text is longer than 500 characters, or has signs that cannot be shown',
    de: 'Ein Text ist länger als 500 Zeichen oder enthält Zeichen, die sich nicht zeigen lassen',
  },
  id: {
    en: 'the id is too long, or stands for another payment too',
    de: 'Die Kennung ist zu lang oder steht noch für eine andere Zahlung',
  },
} as const satisfies Record<string, Record<Language, string>>
export type Fault = keyof typeof faults

export function unreadable(line: number, fault: Fault, language: Language): Problem {
  return new Problem('statement-invalid', { values: { line, reason: faults[fault][language] }, field: 'csv' })
}
