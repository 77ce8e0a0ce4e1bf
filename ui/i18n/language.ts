/** The reader's language: chosen before, else the browser's, else English. English words stand in the code itself. */
import { i18n, type Messages } from '@lingui/core'
import { type Language, languages } from '#rules/choices.ts'
import { compileMessage } from './message-compiler.ts'

/** Each by its own name. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const storageKey = 'language'

i18n.setMessagesCompiler(compileMessage)

/**
 * Starts in the right language; resolves when its words are there. `german` loads the app's one German chunk; `among` are
 * the languages that the firm speaks with the person who reads.
 */
export async function startLanguage(
  german: () => Promise<Messages>,
  among: readonly Language[] = languages,
): Promise<void> {
  loadGerman = german
  offered = among
  await activate(languageFor(among, localStorage.getItem(storageKey), navigator.languages))
}

let loadGerman: (() => Promise<Messages>) | null = null
let offered: readonly Language[] = languages

/** The languages to choose from: one is no choice. */
export function offeredLanguages(): readonly Language[] {
  return offered
}

/** Changes the language of the app and remembers it on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  await activate(language)
}

async function activate(language: Language): Promise<void> {
  const messages = language === 'de' && loadGerman ? await loadGerman() : {}
  i18n.load(language, messages)
  i18n.activate(language)
  document.documentElement.lang = language
}

/** What was chosen before, else the first of the browser's languages that is spoken, else English or the one there is. */
export function languageFor(among: readonly Language[], chosen: string | null, wanted: readonly string[]): Language {
  for (const tag of [...(chosen === null ? [] : [chosen]), ...wanted]) {
    const spoken = among.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (spoken) return spoken
  }
  return among.find((language) => language === 'en') ?? among[0] ?? 'en'
}
