import type { Language } from '#rules/choices.ts'

/** JSON inside a page: data that no browser runs, so the Content Security Policy has nothing to say of it. */
export function inlineJson(id: string, language: Language, data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${id}" lang="${language}">${json}</script>`
}
