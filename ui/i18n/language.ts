/**
 * The reader's language: the stored choice, else the browser's, else English. English messages are in the code itself.
 */
import { i18n, type Messages } from '@lingui/core'
import { languageRows, languages, type Language } from '#rules/choices.ts'
import { compileMessage } from './message-compiler.ts'

const storageKey = 'language'

i18n.setMessagesCompiler(compileMessage)

export { type Language }

interface Texts {
  readonly messages: Messages
}
/** A file `locales/<language>.po` of an app as the build serves it. */
export interface Catalogue extends Texts {
  /** Loaders of the messages of lazily loaded parts; absent if `messages` is complete. */
  readonly parts?: Readonly<Record<string, () => Promise<readonly Texts[]>>>
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
  wantedLanguage = language
  i18n.load(language, await fetchTexts(language, () => fetchedParts))
  i18n.activate(language)
  document.documentElement.lang = language
  document.documentElement.dir = languageRows[language].direction
}

let wantedLanguage: Language | null = null
/** Parts whose code has been requested: a change of language loads their messages too. */
const fetchedParts = new Set<string>()
/** Loaded messages by language. Lingui keeps the same object, so later additions need no new rendering. */
const fetchedTexts = new Map<Language, Messages>()

/** Loads the messages of a part with its code. The build wraps each `import()` in this (`catalogue-build.ts`). */
export async function withTexts<Code>(part: string, code: Promise<Code>): Promise<Code> {
  fetchedParts.add(part)
  // Before the first language is activated, nothing is loaded here: startLanguage loads these messages too.
  const [found] = await Promise.all([code, wantedLanguage && fetchTexts(wantedLanguage, () => [part])])
  return found
}

/** Returns the app's translations of all parts; none for English, the source language. */
export async function loadMessages(language: Language): Promise<Messages> {
  return fetchTexts(language, ({ parts = {} }) => Object.keys(parts))
}

async function fetchTexts(language: Language, partsOf: (of: Catalogue) => Iterable<string>): Promise<Messages> {
  const texts = fetchedTexts.get(language) ?? {}
  fetchedTexts.set(language, texts)
  const catalogue = await catalogues[`./locales/${language}.po`]?.()
  if (!catalogue) return texts
  const later = await Promise.all(
    [...partsOf(catalogue)].map(async (part) => (await catalogue.parts?.[part]?.()) ?? []),
  )
  return Object.assign(texts, ...[catalogue, ...later.flat()].map(({ messages }) => messages))
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
