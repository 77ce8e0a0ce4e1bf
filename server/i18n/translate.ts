/** Texts of the server and of the contract in a person's language, from `locales/<language>.po` of both directories. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsePo } from 'pofile-ts'
import { messageId, type Labels, type Message } from '#contract/message.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import { statusKey } from '#contract/status-labels.ts'
import { languageRows, languages, type Language } from '#rules/choices.ts'

const root = join(import.meta.dirname, '../..')

/** English is the source language and has no catalogue. */
const catalogues = new Map<Language, ReadonlyMap<string, string>>(
  languages
    .filter((language) => language !== 'en')
    .map((language) => [
      language,
      new Map([...readCatalogue('contract', language), ...readCatalogue('server', language)]),
    ]),
)

const pluralPlace = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g

/**
 * Returns the text in a language, or in English if it is not translated. `{name}` places are filled; those without a
 * value stay. `{count, plural, one {# day} other {# days}}` becomes the form that the number has in the language.
 */
export function translate(
  message: Message,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = catalogues.get(language)?.get(message.id) ?? message.message
  return text
    .replace(pluralPlace, (_, name: string, one: string, other: string) =>
      (isOne(Number(values[name]), language) ? one : other).replaceAll('#', `{${name}}`),
    )
    .replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

function isOne(number: number, language: Language): boolean {
  return new Intl.PluralRules(languageRows[language].locale).select(number) === 'one'
}

/** Returns the label of a code; a code without a label stays unchanged. */
export function labelText(labels: Labels, code: string, language: Language): string {
  const label = Object.hasOwn(labels, code) ? labels[code] : undefined
  return label ? translate(label, language) : code
}

/** Returns the label of a record's state. `record` is the name of its state machine, or empty if several are meant. */
export function stateText(record: string, state: string, language: Language): string {
  return labelText(stateLabels, statusKey(stateLabels, record, state), language)
}

/** Returns a label for use within a sentence: in lower case in English. */
export function inSentence(label: string, language: Language): string {
  return language === 'en' ? label.toLowerCase() : label
}

/** Returns the text by language, for values that are stored or chosen per language. */
export function inEachLanguage(message: Message): Record<Language, string> {
  const texts = languages.map((language) => [language, translate(message, language)] as const)
  return Object.fromEntries(texts) as Record<Language, string>
}

/** Reads a catalogue without soft hyphens, which are for screens only. */
function readCatalogue(directory: string, language: Language): [id: string, text: string][] {
  const { items } = parsePo(readFileSync(join(root, directory, 'locales', `${language}.po`), 'utf8'))
  return items.flatMap(({ msgid, msgctxt, msgstr: [text] }) =>
    text ? [[messageId(msgid, msgctxt), text.replaceAll('\u00ad', '')]] : [],
  )
}
