/** Formats amounts and times for texts of the server: problems, mails, notices. */
import { msg, type Labels } from '#contract/message.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { decimalOf, type Money } from '#rules/money.ts'
import { standardReasonText } from '../office/standard-reasons.ts'
import { translate } from './translate.ts'

const noBreakSpace = '\u00a0'

/** Cached Intl formats by locale and options, because creating one takes far longer than using it. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached date format. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const made = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, made)
  return made
}

/** Returns a cached number format. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([locale, options])
  const made = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, made)
  return made
}

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** Formats an amount as "12,480.50 EUR" or "12.480,50 EUR": two decimals and the code, without a line break. */
export function amountText(amount: Money, language: Language): string {
  const { locale } = languageRows[language]
  const figure = numberFormat(locale, twoDecimals)
    .format(decimalOf(amount.minor) as `${number}`)
    .replace('-', '−')
  return `${figure}${noBreakSpace}${amount.currency}`
}

/**
 * Formats a time as "19 June 2026 at 10:44 BST" in a time zone, which may differ from the reader's. A line can
 * break only between day and hour.
 */
export function timeText(at: Date, language: Language, timeZone: string): string {
  const parts = dateFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(at)
  const hour = parts.findIndex(({ type }) => type === 'hour')
  const text = parts
    .map(({ type, value }, index) => (type === 'literal' && index !== hour - 1 ? withNoBreakSpaces(value) : value))
    .join('')
  // German has no name of its own for Greenwich Mean Time.
  return text.replace('GMT+0', 'GMT')
}

/** Formats a day as "19 June 2026" in a time zone, without a line break. */
export function dayText(at: Date, language: Language, timeZone: string): string {
  const format = dateFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
  return withNoBreakSpaces(format.format(at))
}

function withNoBreakSpaces(text: string): string {
  return text.replaceAll(' ', noBreakSpace)
}

/** Masks a number except its last four characters, for auditors. */
export function maskedNumber(number: string | null): string | null {
  return number === null ? null : `${'•'.repeat(Math.max(0, number.length - 4))}${number.slice(-4)}`
}

/** Returns the last four characters of an account number or IBAN. */
export function lastFour(number: string | null): string {
  return (number ?? '').replace(/\s/g, '').slice(-4)
}

/**
 * Returns a cell of an export that no spreadsheet evaluates as a formula, also with full-width characters
 * (requirements 30.3). A negative amount ("-5.00") stays unchanged, so that it can be added up.
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
  'payment-differs': msg`The payment provider reported a payment that does not match the deposit. We are checking it.`,
  'payment-disputed': msg`The payment provider reported that the payment was disputed or returned in part. We are checking it.`,
  'paid-late': msg`The payment arrived after the deposit had ended.`,
  'return-reversed': msg`The payment provider has reversed the return of the payment.`,
}
const rejectedLabel = msg`The request was declined. Contact us for more information.`

/** Returns the client's text for a rejection by an integration, whose own code and words are only for staff. */
export function platformErrorText(reason: string, language: Language): string {
  return translate(platformErrorLabels[reason] ?? rejectedLabel, language)
}

const platformErrorMark = 'refusal:'

/**
 * Returns what a record stores of a rejection by an integration: only the code, which can be shown in any language.
 */
export function platformErrorComment(reason: string): string {
  return `${platformErrorMark}${reason}`
}

/**
 * Returns a record's comment or reason for a reader: rejections and standard reasons in the reader's language, other
 * texts of staff unchanged.
 */
export function commentText(comment: string, language: Language): string {
  if (comment.startsWith(platformErrorMark)) return platformErrorText(comment.slice(platformErrorMark.length), language)
  return standardReasonText(comment, language) ?? comment
}

/** Returns a reason like `commentText`, or null if there is none. */
export function reasonText(reason: string | null, language: Language): string | null {
  return reason && commentText(reason, language)
}

/** Returns a stored record with its reasons and comment in the reader's language. */
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

/**
 * The fields of a record that contain a reason; `reasons` are those of a document's two sides, `facts` those of a
 * notice.
 */
const reasonFields: readonly string[] = ['reason', 'clientReason', 'reasons', 'comment', 'facts', 'front', 'back']

/** Formats a time as "2026/06/19 10:44:09" in a time zone, as histories show it (requirements 17.6). */
export function momentText(at: Date, timeZone: string): string {
  const parts = dateFormat('en-GB', {
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
