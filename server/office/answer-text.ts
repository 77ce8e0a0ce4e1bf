import { msg } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import { answerLabels } from '../integrations/trading-platform/answer-labels.ts'

/** As the adapters word an answer with its code; a reason begins with the code of the rejection. */
const answered = /^(?:mt[45]:\S+ )?The (?:platform|gateway) answered ((\S+).*)$/s
/** A code without a text of ours: a number, or a single word. */
const otherCode = /^(?:\d+(?: .*)?|\S+)$/s

/**
 * Returns an attempt's error or an event's reason for staff: a platform's answer in their language with its own words as
 * the source, other texts unchanged. Clients never read it.
 */
export function answerText<Text extends string | null>(error: Text, language: Language): Text | string {
  const [, words, code] = (error === null ? null : answered.exec(error)) ?? []
  if (words === undefined || code === undefined) return error
  const label = Object.hasOwn(answerLabels, code) ? answerLabels[code] : undefined
  if (label) {
    const text = translate(label, language)
    return translate(msg`{text} The platform answered “{words}”.`, language, { text, words })
  }
  return otherCode.test(words) ? translate(msg`The platform answered “{words}”.`, language, { words }) : error
}
