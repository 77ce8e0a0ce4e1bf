/** "E-Mail" as lines keep it together: U+2060, the word joiner, is drawn with any font, unlike the unbreakable hyphen. */
export function withNoBreaks(german: string): string {
  return german.replaceAll('E-Mail', 'E-\u2060Mail')
}
