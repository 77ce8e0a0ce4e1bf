/** Amounts and times as sentences of the server carry them: refusals, mails, notices. */
import { msg, type Labels } from '#contract/message.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { decimalOf, type Money } from '#rules/money.ts'
import { standardReasonText } from '../office/standard-reasons.ts'
import { translate } from './translate.ts'

const noBreakSpace = '\u00a0'

/** "12,480.50 EUR", "12.480,50 EUR": always two decimals, always a code, never broken across lines. */
export function amountText(amount: Money, language: Language): string {
  const format = new Intl.NumberFormat(languageRows[language].locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const figure = format.format(decimalOf(amount.minor) as `${number}`).replace('-', '−')
  return `${figure}${noBreakSpace}${amount.currency}`
}

/** "19 June 2026 at 10:44 BST" in a time zone, which its reader's own may not be. */
export function timeText(at: Date, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
}

/** "19 June 2026" in a time zone. */
export function dayText(at: Date, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(at)
}

/** A number of which the last four characters can be read: for those who only audit. */
export function maskedNumber(number: string | null): string | null {
  return number === null ? null : `${'•'.repeat(Math.max(0, number.length - 4))}${number.slice(-4)}`
}

/** The last four characters of an account number or IBAN. */
export function lastFour(number: string | null): string {
  return (number ?? '').replace(/\s/g, '').slice(-4)
}

/**
 * A cell of an export that no spreadsheet takes for a formula, whatever width its signs have (requirements 30.3). A negative
 * amount ("-5.00") is written as it is: a spreadsheet adds it up.
 */
export function safeCell(value: string): string {
  if (/^-\d+\.\d+$/.test(value)) return value
  return /^[=+\-@＝＋－＠\t\r]/.test(value) ? `'${value}` : value
}

const platformErrorLabels: Labels = {
  'not-enough-money': msg`There were not enough available funds in the account.`,
  'amount-too-large': msg`The amount is too large.`,
  'not-found': msg`The trading platform could not find the account.`,
  'trading-disabled': msg`The account is locked on the trading platform.`,
  'open-positions': msg`There are open positions in the account.`,
  destination: msg`We could not credit the other account. The money has been returned to the source account.`,
  declined: msg`The card was declined.`,
  cancelled: msg`The payment was cancelled.`,
  expired: msg`The payment time has expired.`,
}
const rejectedLabel = msg`The request was declined. Contact us for more information.`

/** What a client reads of an integration's refusal; its own code and words are for staff. */
export function platformErrorText(reason: string, language: Language): string {
  return translate(platformErrorLabels[reason] ?? rejectedLabel, language)
}

const platformErrorMark = 'refusal:'

/** What a record keeps of an integration's refusal: its code alone, to be read in any language later. */
export function platformErrorComment(reason: string): string {
  return `${platformErrorMark}${reason}`
}

/**
 * A record's comment or reason as a person reads it: an integration's refusal and a standard reason in the reader's language,
 * other words of staff as they stand.
 */
export function commentText(comment: string, language: Language): string {
  if (comment.startsWith(platformErrorMark)) return platformErrorText(comment.slice(platformErrorMark.length), language)
  return standardReasonText(comment, language) ?? comment
}

/** The same of a reason that there may not be. */
export function reasonText(reason: string | null, language: Language): string | null {
  return reason && commentText(reason, language)
}

/** A record as it is kept, with its reasons and its comment as a person reads them. */
export function localizeReasons(
  record: Readonly<Record<string, unknown>>,
  language: Language,
): Record<string, unknown> {
  const read = (value: unknown): unknown => {
    if (typeof value === 'string') return commentText(value, language)
    return value !== null && typeof value === 'object' ? localizeReasons({ ...value }, language) : value
  }
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, reasonFields.includes(name) ? read(value) : value]),
  )
}

/** Where a record keeps a reason; `reasons` are those of a document's two sides, `facts` those of a notice. */
const reasonFields: readonly string[] = ['reason', 'clientReason', 'reasons', 'comment', 'facts', 'front', 'back']

/** "2026/06/19 10:44:09" in a time zone, as histories show it (requirements 17.6). */
export function momentText(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}/${part('month')}/${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}
