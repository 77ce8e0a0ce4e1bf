/**
 * Returns text in which "E-Mail" does not break: U+2060, the word joiner, works with any font, unlike the non-breaking
 * hyphen.
 */
export function withUnbrokenEmailWord(german: string): string {
  return german.replaceAll('E-Mail', 'E-\u2060Mail')
}

/** Returns text in which a range such as "2-5 days" or "2 bis 5 Tage" does not break inside the range. */
export function withUnbrokenRanges(text: string): string {
  return text.replace(/(\d)-(?=\d)/g, '$1\u2060-\u2060').replace(/(\d) (\p{L}+) (?=\d)/gu, '$1\u00A0$2\u00A0')
}

/** Returns text that does not break: a date within a sentence. */
export function withNoBreakSpaces(text: string): string {
  return text.replaceAll(' ', '\u00A0')
}
