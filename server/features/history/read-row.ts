/** Reads the fields of a history row that arrive as text in JSON: amounts, times and the labels of methods. */
import type { HistoryList } from '#contract/history.ts'
import type { Language } from '#rules/choices.ts'
import { commentText } from '../../i18n/format.ts'

/** The reader's language, and the method names in it by stored name. */
export interface HistoryLabels {
  readonly language: Language
  readonly method: (kept: string) => string
}

type FieldReader = (text: string, words: HistoryLabels) => unknown
const amount: FieldReader = (text) => BigInt(text)
const moment: FieldReader = (text) => new Date(text)
const method: FieldReader = (kept, words) => words.method(kept)

/** Converters of fields that arrive as text. Times are text if they come from JSON. */
const readers: Readonly<Record<HistoryList, readonly (readonly [field: string, read: FieldReader])[]>> = {
  deposits: [
    ['depositAmountSent', amount],
    ['depositAmountReceived', amount],
    ['depositFee', amount],
    ['depositRefunded', amount],
    ['depositChargedBack', amount],
    ['depositMethod', method],
  ],
  withdrawals: [
    ['withdrawalAmount', amount],
    ['withdrawalFee', amount],
    ['withdrawalMethod', method],
    ['timePaid', moment],
    ['timeReturned', moment],
  ],
  transfers: [
    ['transferAmount', amount],
    ['arrives', amount],
  ],
}
const commonReaders: readonly (readonly [field: string, read: FieldReader])[] = [
  ['timestamp', moment],
  ['timeApproved', moment],
  ['timeRejected', moment],
  ['comment', (kept, { language }) => commentText(kept, language)],
]

/** Converts a row in place to its form in the contract, with labels in the reader's language. */
export function readRow<Row extends object>(list: HistoryList, found: Row, words: HistoryLabels): Row {
  const fields = found as Record<string, unknown>
  convertFields(commonReaders, fields, words)
  convertFields(readers[list], fields, words)
  return found
}

function convertFields(fields: typeof commonReaders, found: Record<string, unknown>, words: HistoryLabels): void {
  for (const [name, readText] of fields) {
    const value = found[name]
    if (typeof value === 'string') found[name] = readText(value, words)
  }
}
