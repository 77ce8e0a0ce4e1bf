/** Formats of `Intl`, each made once: making one takes a hundred times as long as using it. */

type Made<Format> = Map<string, Format>

const numbers: Made<Intl.NumberFormat> = new Map()
const dates: Made<Intl.DateTimeFormat> = new Map()

/** As `new Intl.NumberFormat(locale, options)`. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, locale, options, () => new Intl.NumberFormat(locale, options))
}

/** As `new Intl.DateTimeFormat(locale, options)`. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, locale, options, () => new Intl.DateTimeFormat(locale, options))
}

/** Has `Intl` load its tables before the first figure is drawn, which on a slow phone takes longer than drawing the page. */
export function loadFormats(locale: string): void {
  setTimeout(() => new Intl.NumberFormat(locale).format(0))
  setTimeout(() => new Intl.DateTimeFormat(locale).format(0))
}

function kept<Format>(made: Made<Format>, locale: string, options: object, make: () => Format): Format {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = made.get(key) ?? make()
  made.set(key, format)
  return format
}
