/**
 * Returns text in which "E-Mail" does not break: U+2060, the word joiner, works with any font, unlike the non-breaking
 * hyphen.
 */
export function withNoBreaks(german: string): string {
  return german.replaceAll('E-Mail', 'E-\u2060Mail')
}
