import type { Language } from './choices.ts'

/** Returns the language for a client: the client's own if the firm offers it, else the firm's first one. */
export function clientLanguage(languages: readonly Language[], preferred: Language): Language {
  return languages.includes(preferred) ? preferred : (languages[0] ?? preferred)
}
