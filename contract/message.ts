/**
 * Texts that are translated: English in the code, its translations in `locales/` of the directory. Server and contract run
 * as they are written, so `msg` is a function here; the apps' builds and scripts/catalogues.ts read it as Lingui's macro.
 */

/** `id` finds the translation: the text with its context, or what the macro makes of both. */
export interface Message {
  readonly id: string
  readonly message: string
}

/** By code: a status, a kind, a field. */
export type Labels = Readonly<Record<string, Message>>

/**
 * Returns a text with `{name}` where values go. A context tells apart what English says in one word and another language in two;
 * a text with line breaks is written as `msg({ message })`.
 */
export function msg(text: TemplateStringsArray | { readonly message: string; readonly context?: string }): Message {
  if (!('message' in text)) return { id: text[0] ?? '', message: text[0] ?? '' }
  return { id: messageId(text.message, text.context), message: text.message }
}

/** Returns what the server finds a translation by. */
export function messageId(message: string, context?: string | null): string {
  return context ? `${context}: ${message}` : message
}
