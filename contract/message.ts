/**
 * Translated texts: English in the code, translations in the directory's `locales/`. Server and contract run without a
 * build, so `msg` is a function here; the apps' builds and scripts/catalogues.ts read it as Lingui's macro.
 */

/** `id` identifies the translation: the text with its context, or what the macro makes of both. */
export interface Message {
  readonly id: string
  readonly message: string
}

/** Texts by code: a status, a kind, a field. */
export type Labels = Readonly<Record<string, Message>>

/**
 * Returns a text with `{name}` as placeholders, and `{days, plural, one {# day} other {# days}}` where the number can be
 * 1. A context distinguishes meanings that English expresses in one word and another language in two; a text with line
 * breaks is written as `msg({ message })`.
 */
export function msg(text: TemplateStringsArray | { readonly message: string; readonly context?: string }): Message {
  if (!('message' in text)) return { id: text[0] ?? '', message: text[0] ?? '' }
  return { id: messageId(text.message, text.context), message: text.message }
}

/** Returns the id by which the server finds a translation. */
export function messageId(message: string, context?: string | null): string {
  return context ? `${context}: ${message}` : message
}
