/** Formats of `Intl` in the reader's language, cached: creating one takes a hundred times as long as using it. */
import { isLanguage, languageRows } from '#rules/choices.ts'

type FormatCache<Format> = Map<string, Format>

const numbers: FormatCache<Intl.NumberFormat> = new Map()
const dates: FormatCache<Intl.DateTimeFormat> = new Map()
const regions: FormatCache<Intl.DisplayNames> = new Map()
const lists: FormatCache<Intl.ListFormat> = new Map()

/** Returns the locale for dates and figures of a language: "en-GB" for "en". */
export function localeOf(language: string): string {
  return isLanguage(language) ? languageRows[language].locale : language
}

/** Returns a figure with its unit, isolated as left-to-right text within right-to-left text. */
export function isolateFigure(figure: string, language: string): string {
  const direction: string = isLanguage(language) ? languageRows[language].direction : 'ltr'
  return direction === 'rtl' ? `\u2066${figure}\u2069` : figure
}

/** Returns a cached `new Intl.NumberFormat(locale, options)`, for a language or a locale. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return cachedFormat(numbers, language, options, () => new Intl.NumberFormat(localeOf(language), options))
}

const compactFigure = { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' } as const
const wholeFigure = { maximumFractionDigits: 2 } as const

/** Returns a figure of a chart's scale, whole or short ("20k"), with the minus sign of our other figures. */
export function scaleFigure(value: number, language: string, length: 'whole' | 'short'): string {
  return numberFormat(language, length === 'short' ? compactFigure : wholeFigure)
    .formatToParts(value)
    .map((part) => (part.type === 'minusSign' ? '−' : part.value))
    .join('')
}

/** Returns a cached `new Intl.DateTimeFormat(locale, options)`, for a language or a locale. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat {
  return cachedFormat(dates, language, options, () => new Intl.DateTimeFormat(localeOf(language), options))
}

/** Returns a cached `new Intl.ListFormat(locale, options)`, for a language or a locale. */
export function listFormat(language: string, options: Intl.ListFormatOptions = {}): Intl.ListFormat {
  return cachedFormat(lists, language, options, () => new Intl.ListFormat(localeOf(language), options))
}

/** Returns the names of countries in a language. */
export function regionNames(language: string): Intl.DisplayNames {
  const options = { type: 'region' } as const
  return cachedFormat(regions, language, options, () => new Intl.DisplayNames(localeOf(language), options))
}

/**
 * Makes `Intl` load its tables before the first figure is rendered, which takes longer than rendering on a slow phone.
 */
export function loadFormats(language: string): void {
  setTimeout(() => numberFormat(language).format(0))
  setTimeout(() => dateFormat(language).format(0))
}

function cachedFormat<Format>(made: FormatCache<Format>, locale: string, options: object, make: () => Format): Format {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = made.get(key) ?? make()
  made.set(key, format)
  return format
}
