/** Errors of a statement's line, shown after "Line 3 of the statement could not be read:". */
import { msg, type Message } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { Problem } from '../../http/problem.ts'
import { translate } from '../../i18n/translate.ts'

const faults = {
  columns: msg`it has different columns from the first line, or an unmatched quotation mark`,
  noLines: msg`there are no transactions below it`,
  noDate: msg`there is no date column`,
  noAmount: msg`there is no amount column`,
  noPayer: msg`there is no payer column`,
  noRemittance: msg`there is no payment reference column`,
  amount: msg`the amount is zero or is not a number with up to two decimals`,
  amountDoubt: msg`the separator in the amount can mean thousands or decimals. Enter the amount with two decimals`,
  dateDoubt: msg`the year has two digits and the date order is not clear. Enter the year with 4 digits`,
  currency: msg`the currency does not match the account`,
  opening: msg`the opening balance is not a number or differs from the previous one`,
  closing: msg`the closing balance is not a number or differs from the previous one`,
  date: msg`the date is not valid or is in the future`,
  text: msg`a text is longer than 500 characters or contains unsupported characters`,
  id: msg`the ID is too long or is used by another payment`,
} as const satisfies Record<string, Message>
export type Fault = keyof typeof faults

export function statementProblem(line: number, fault: Fault, language: Language): Problem {
  return new Problem('statement-invalid', {
    values: { line, reason: translate(faults[fault], language) },
    field: 'csv',
  })
}
