import { regionNames } from '#ui/text/formats.ts'

/** Returns "Germany" for "DE", in the reader's language; an invalid code is returned unchanged. */
export function countryName(code: string, locale: string): string {
  try {
    return regionNames(locale).of(code) ?? code
  } catch {
    return code
  }
}
