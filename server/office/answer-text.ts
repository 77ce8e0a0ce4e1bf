import { msg, type Labels, type Message } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import type { UnreadableAccount } from '../integrations/trading-platform/unreadable-records.ts'
import type { Unreadable } from '../integrations/trading-platform/trade-history.ts'
import type { UnreadableParts } from '../ledger/unreadable-accounts.ts'
import { everyEmailRejected, mailLabels, mailPatterns } from '../integrations/mail/answer-labels.ts'
import { answerLabels, sentenceLabels, sentencePatterns } from '../integrations/trading-platform/answer-labels.ts'

/** The code of the rejection, with which a reason begins. */
const rejectionCode = /^(?:mt[45]|card|smtp):\S+ /
/** The adapters' wording of an answer with its code. */
const answered = /^The (?:platform|gateway) answered ((\S+).*)$/s
const sentences: Labels = { ...sentenceLabels, ...mailLabels }
/** A code without a text of ours: a number, or a single word. */
const otherCode = /^(?:\d+(?: .*)?|\S+)$/s

/**
 * Returns an attempt's error or an event's reason for staff: the answer of a platform or mail server in their language
 * with its own words as the source, the adapters' own sentences in their language, other texts unchanged. Clients never
 * read it.
 */
export function answerText<Text extends string | null>(error: Text, language: Language): Text | string {
  if (error === null) return error
  if (error.startsWith(`${everyEmailRejected} `))
    return outageText(error.slice(everyEmailRejected.length + 1), language)
  const sentence = error.replace(rejectionCode, '')
  const [, words, code] = answered.exec(sentence) ?? []
  if (words === undefined || code === undefined) return translatedSentence(sentence, language) ?? error
  const label = Object.hasOwn(answerLabels, code) ? answerLabels[code] : undefined
  if (label) {
    const text = translate(label, language)
    return translate(msg`{text} The platform answered “{words}”.`, language, { text, words })
  }
  return otherCode.test(words) ? translate(msg`The platform answered “{words}”.`, language, { words }) : error
}

/** Returns the text about a mail server that rejects every email, with the rejection of this one. */
function outageText(error: string, language: Language): string {
  return `${translatedSentence(everyEmailRejected, language)} ${answerText(error, language)}`
}

function translatedSentence(sentence: string, language: Language): string | undefined {
  const label = Object.hasOwn(sentences, sentence) ? sentences[sentence] : undefined
  if (label) return translate(label, language)
  for (const [pattern, message] of [...sentencePatterns, ...mailPatterns]) {
    const found = pattern.exec(sentence)
    if (found) return translate(message, language, found.groups)
  }
  return undefined
}

/** Returns the virus scanner's finding for staff, with the scanner's own name of it as the source. */
export function findingText(finding: string, language: Language): string {
  return translate(msg`The virus scanner reported “{words}”.`, language, { words: finding })
}

/** The unreadable deals of an account: the first one, and their number (ADR 328). */
export interface UnreadableDeals {
  /** Null if its own number, account or time is the unreadable field. */
  readonly deal: string | null
  readonly field: string
  readonly reason: Unreadable['reason']
  /** Shortened; null if the platform did not send the field. */
  readonly value: string | null
  readonly count: number
  /** Since when, as ISO 8601. */
  readonly at: string
}

const fieldLabels = {
  missing: msg`{field} is missing in the platform’s response.`,
  amount: msg`{field} is not an amount (“{value}”).`,
  number: msg`{field} is not a number (“{value}”).`,
  time: msg`{field} is not a time (“{value}”).`,
  action: msg`{field} is unknown (“{value}”).`,
  value: msg`{field} is not valid (“{value}”).`,
  currency: msg`The currency of the group “{value}” is not offered.`,
  group: msg`The currency of the group “{value}” cannot be read.`,
  permission: msg`Our login may not read the group “{value}”.`,
} as const satisfies Record<UnreadableAccount['reason'], Message>

function fieldText({ field, reason, value }: UnreadableAccount, language: Language): string {
  return translate(fieldLabels[reason], language, { field, value: value ?? '' })
}

/** Returns the text about an account's unreadable deals, for staff. */
export function unreadableText({ deal, count, ...field }: UnreadableDeals, language: Language): string {
  const what = fieldText(field, language)
  const first = translate(msg`Deal {deal}: {what}`, language, { deal: deal ?? '?', what })
  if (count === 1) return first
  return `${first} ${translate(msg`Deals of this account that cannot be read: {count}.`, language, { count })}`
}

const unclearLabel = msg`Deal {deal}: the comment cannot be read. The deal may be one of our operations.`
const unnumberedLabel = msg`Number and comment of a deal cannot be read. The deal may be one of our operations. It must be corrected on the platform.`

/** Returns the text about the unreadable parts of an account, for staff. */
export function unreadableAccountText({ record, deal }: UnreadableParts, language: Language): string {
  const unclear = deal && translate(deal.deal === '' ? unnumberedLabel : unclearLabel, language, { deal: deal.deal })
  return [...(record ? [fieldText(record, language)] : []), ...(unclear ? [unclear] : [])].join(' ')
}
