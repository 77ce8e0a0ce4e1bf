import { msg, type Labels } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import { mailLabels, mailPatterns } from '../integrations/mail/answer-labels.ts'
import { answerLabels, sentenceLabels, sentencePatterns } from '../integrations/trading-platform/answer-labels.ts'

/** The code of the rejection, with which a reason begins. */
const rejectionCode = /^(?:mt[45]|card|smtp):\S+ /
/** As the adapters word an answer with its code. */
const answered = /^The (?:platform|gateway) answered ((\S+).*)$/s
const sentences: Labels = { ...sentenceLabels, ...mailLabels }
/** A code without a text of ours: a number, or a single word. */
const otherCode = /^(?:\d+(?: .*)?|\S+)$/s

/**
 * Returns an attempt's error or an event's reason for staff: the answer of a platform or mail server in their language with its own words as
 * the source, the adapters' own sentences in their language, other texts unchanged. Clients never read it.
 */
export function answerText<Text extends string | null>(error: Text, language: Language): Text | string {
  if (error === null) return error
  const said = error.replace(rejectionCode, '')
  const [, words, code] = answered.exec(said) ?? []
  if (words === undefined || code === undefined) return sentenceText(said, language) ?? error
  const label = Object.hasOwn(answerLabels, code) ? answerLabels[code] : undefined
  if (label) {
    const text = translate(label, language)
    return translate(msg`{text} The platform answered “{words}”.`, language, { text, words })
  }
  return otherCode.test(words) ? translate(msg`The platform answered “{words}”.`, language, { words }) : error
}

function sentenceText(said: string, language: Language): string | undefined {
  const label = Object.hasOwn(sentences, said) ? sentences[said] : undefined
  if (label) return translate(label, language)
  for (const [pattern, message] of [...sentencePatterns, ...mailPatterns]) {
    const found = pattern.exec(said)
    if (found) return translate(message, language, found.groups)
  }
  return undefined
}

/** Returns what the virus scanner said of a file, for staff: its own name of the finding as the source. */
export function findingText(finding: string, language: Language): string {
  return translate(msg`The virus scanner reported “{words}”.`, language, { words: finding })
}
