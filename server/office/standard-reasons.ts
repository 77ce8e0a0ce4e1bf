/** Standard reasons as they are kept: a text that was offered and not changed by its key, to be read in any language (ADR 80). */
import { neutralKeys, standardReasons, type ClientActKind } from '#contract/office/rejection-reasons.ts'
import type { Language } from '#rules/choices.ts'
import { inEachLanguage, translate } from '../i18n/translate.ts'

const mark = 'ready:'

const kept = new Map<string, string>(
  Object.entries(standardReasons).flatMap(([key, message]) =>
    Object.values(inEachLanguage(message)).map((text) => [text, `${mark}${key}`] as const),
  ),
)

/** Returns the key of a standard reason that stands word for word as it was offered, else the text. */
export function keptReason(text: string): string {
  return kept.get(text) ?? text
}

/** Returns a body with its reason, which the client reads, as it is kept. */
export function withKeptReason<Body extends { readonly reason: string }>(body: Body): Body {
  return { ...body, reason: keptReason(body.reason) }
}

/**
 * Returns what is kept of the text that a client reads who is rejected, suspended or closed: the given one, else the
 * neutral one.
 */
export function clientReasonOf(kind: ClientActKind, given: string | undefined): string {
  return given === undefined ? `${mark}${neutralKeys[kind]}` : keptReason(given)
}

/**
 * Returns what is kept of the text that the client reads of a rejected request: their own, else the reason, so that it
 * names what was wrong.
 */
export function requestReason(given: { readonly reason: string; readonly clientReason?: string | undefined }): string {
  return keptReason(given.clientReason ?? given.reason)
}

/** Returns the text of a standard reason that was kept by its key; null for any other. */
export function standardReasonText(stored: string, language: Language): string | null {
  const key = stored.startsWith(mark) ? stored.slice(mark.length) : ''
  return Object.hasOwn(standardReasons, key)
    ? translate(standardReasons[key as keyof typeof standardReasons], language)
    : null
}

/** Returns the stored keys of the standard reasons that contain a text in any language, for a search. */
export function standardReasonsWith(text: string): string[] {
  const wanted = text.toLowerCase()
  return [...kept].flatMap(([each, key]) => (each.toLowerCase().includes(wanted) ? [key] : []))
}
