/** Checks as people read them: title, result, facts and how to unblock, in their language, times in the firm's zone. */
import {
  checkSentences,
  checkTitles,
  checkLabels,
  holderRemedy,
  factNames,
  recoveryRemedy,
  checkRemedies,
} from '#contract/check-labels.ts'
import type { Setting } from '#contract/setting-sections.ts'
import type { CheckValue, JudgedCheck } from '#rules/checks/check.ts'
import type { Language } from '#rules/choices.ts'
import { amountText, dayText, timeText } from '../i18n/format.ts'
import { labelText, translate } from '../i18n/translate.ts'
import { methodNamesIn } from '../settings/method-names.ts'

export interface CheckReader {
  readonly language: Language
  readonly timeZone: string
  /** The firm's payment methods with their names. */
  readonly methods: Setting<'methods'>
}

export function titleOfCheck(name: JudgedCheck['name'], language: Language): string {
  return translate(checkTitles[name], language)
}

/** Returns the text of a check's result with its placeholders filled. */
export function sentenceOfCheck(
  { sentence, values }: Pick<JudgedCheck, 'sentence' | 'values'>,
  reader: CheckReader,
): string {
  const texts = Object.entries(values).map(([name, value]) => [name, valueText(value ?? null, reader)])
  const message = checkSentences[sentence as keyof typeof checkSentences]
  const filled = translate(message, reader.language, Object.fromEntries(texts))
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

/** Returns who can unblock it, and how. */
export function remedyText({ name, sentence }: JudgedCheck, language: Language): string {
  if (sentence === 'reference-unknown') return translate(recoveryRemedy, language)
  // How much is available is unknown then, so its own text would be wrong.
  if (sentence === 'not-read' && name === 'available') return translate(checkRemedies.balances, language)
  return translate(sentence === 'holder-required' ? holderRemedy : checkRemedies[name], language)
}

/** Returns the name of a fact; a key may have an id after a space, or the payment method that it is about. */
export function factName(name: string, { language, methods }: CheckReader): string {
  const [key = ''] = name.split(' ')
  if (key === 'method') return methodNamesIn(methods, language)(name.slice(key.length + 1))
  return Object.hasOwn(factNames, key) ? labelText(factNames, key, language) : name
}

export function valueText(value: CheckValue, reader: CheckReader): string {
  const { language, timeZone } = reader
  if (value === null) return '–'
  if ('list' in value) return value.list.map((one) => valueText(one, reader)).join(', ')
  if ('text' in value) return value.text
  if ('method' in value) return methodNamesIn(reader.methods, language)(value.method)
  if ('word' in value) return labelText(checkLabels, value.word, language)
  if ('day' in value) return dayText(new Date(`${value.day}T12:00:00Z`), language, 'UTC')
  if ('time' in value) return timeText(value.time, language, timeZone)
  if ('amount' in value) return amountText(value.amount, language)
  return String(value.count)
}
