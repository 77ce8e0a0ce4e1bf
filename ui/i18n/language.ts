/**
 * The reader's language: the stored choice, else the browser's, else English. English messages are in the code itself.
 */
import { i18n, type Messages } from '@lingui/core'
import { languageRows, languages, type Language } from '#rules/choices.ts'
import { compileMessage } from './message-compiler.ts'

const storageKey = 'language'

i18n.setMessagesCompiler(compileMessage)

export { type Language }

/** A file `locales/<language>.po` of an app as the build serves it. */
export interface Catalogue {
  readonly messages: Messages
}
type Catalogues = Readonly<Record<string, () => Promise<Catalogue>>>

/**
 * Starts in the right language; resolves when its messages are loaded. `among` are the languages that the firm offers
 * to the reader.
 */
export async function startLanguage(found: Catalogues, among: readonly Language[] = languages): Promise<void> {
  catalogues = found
  offered = among
  await activate(languageFor(among, localStorage.getItem(storageKey), navigator.languages))
}

let catalogues: Catalogues = {}
let offered: readonly Language[] = languages

/** Returns the languages to choose from. A single one leaves no choice. */
export function offeredLanguages(): readonly Language[] {
  return offered
}

/** Changes the language of the app and stores it on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  await activate(language)
}

async function activate(language: Language): Promise<void> {
  i18n.load(language, await loadMessages(language))
  i18n.activate(language)
  document.documentElement.lang = language
  document.documentElement.dir = languageRows[language].direction
}

/** Returns the app's translations; none for English, the source language. */
export async function loadMessages(language: Language): Promise<Messages> {
  const catalogue = await catalogues[`./locales/${language}.po`]?.()
  return catalogue?.messages ?? {}
}

/**
 * Returns the stored choice, else the first of the browser's languages that is offered, else English or the only one
 * offered.
 */
export function languageFor(among: readonly Language[], chosen: string | null, wanted: readonly string[]): Language {
  for (const tag of [...(chosen === null ? [] : [chosen]), ...wanted]) {
    const spoken = among.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (spoken) return spoken
  }
  return among.find((language) => language === 'en') ?? among[0] ?? 'en'
}

/** Returns the name of a language in another: "German", "Deutsch". */
export function languageName(language: Language, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? languageRows[language].name
}
