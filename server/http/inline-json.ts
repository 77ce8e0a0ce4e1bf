import type { Language } from '#rules/choices.ts'

/**
 * Returns JSON as a data block of a page. Browsers do not execute it, so the Content Security Policy needs no
 * exception.
 */
export function inlineJson(id: string, language: Language, data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}" lang="${language}">${json}</script>`
}
