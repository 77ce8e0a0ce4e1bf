/**
 * Stored standard reasons: an offered text that was not changed is stored by its key, so that it can be shown in any
 * language (ADR 80).
 */
import { neutralKeys, standardReasons, type ClientActKind } from '#contract/office/rejection-reasons.ts'
import type { Language } from '#rules/choices.ts'
import { inEachLanguage, translate } from '../i18n/translate.ts'

const mark = 'ready:'

const kept = new Map<string, string>(
  Object.entries(standardReasons).flatMap(([key, message]) =>
    Object.values(inEachLanguage(message)).map((text) => [text, `${mark}${key}`] as const),
  ),
)

/** Returns the key of an unchanged standard reason, otherwise the text. */
export function storedReason(text: string): string {
  return kept.get(text) ?? text
}

/** Returns a body with its reason for the client in the stored form. */
export function withStoredReason<Body extends { readonly reason: string }>(body: Body): Body {
  return { ...body, reason: storedReason(body.reason) }
}

/**
 * Returns the stored text for a client who is rejected, suspended or closed: the given one, or else the neutral one.
 */
export function clientReasonOf(kind: ClientActKind, given: string | undefined): string {
  return given === undefined ? `${mark}${neutralKeys[kind]}` : storedReason(given)
}

/**
 * Returns the stored text for the client of a rejected request: the one for the client if given, or else the reason, so
 * that it says what was wrong.
 */
export function requestReason(given: { readonly reason: string; readonly clientReason?: string | undefined }): string {
  return storedReason(given.clientReason ?? given.reason)
}

/** Returns the text of a standard reason that was stored by its key; null for any other. */
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
