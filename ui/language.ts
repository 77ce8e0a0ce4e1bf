/** The reader's language: chosen before, else the browser's, else English. English words stand in the code itself. */
import { i18n, type Messages } from '@lingui/core'
import { compileMessage } from './message-compiler.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const storageKey = 'language'

i18n.setMessagesCompiler(compileMessage)

/** Starts in the right language; resolves when its words are there. `german` loads the app's one German chunk. */
export async function startLanguage(german: () => Promise<Messages>): Promise<void> {
  loadGerman = german
  await activate(chosen() ?? preferred(navigator.languages))
}

let loadGerman: (() => Promise<Messages>) | null = null

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

function chosen(): Language | null {
  const stored = localStorage.getItem(storageKey)
  return languages.find((language) => language === stored) ?? null
}

/** The first of the browser's languages that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const spoken = languages.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (spoken) return spoken
  }
  return 'en'
}
