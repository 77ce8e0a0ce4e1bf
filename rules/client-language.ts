import type { Language } from './choices.ts'

/**
 * Returns what a firm says to a client in: the client's own language where the firm speaks it, else the firm's first
 * one.
 */
export function clientLanguage(languages: readonly Language[], theirs: Language): Language {
  return languages.includes(theirs) ? theirs : (languages[0] ?? theirs)
}
