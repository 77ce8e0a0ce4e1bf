import { regionNames } from '#ui/text/formats.ts'

/** "Germany" of "DE", in the reader's language; a code that is none stays as it is. */
export function countryName(code: string, locale: string): string {
  try {
    return regionNames(locale).of(code) ?? code
  } catch {
    return code
  }
}
