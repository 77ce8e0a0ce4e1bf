/** "Germany" of "DE", in the reader's language; a code that is none stays as it is. */
export function countryName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale === 'en' ? 'en-GB' : locale], { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
