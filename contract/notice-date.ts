/** Dates of the firm's notice as shown: "Before 5 July", "3pm on 5 July", without the year. */
import { languageRows, type Language } from '#rules/choices.ts'
import { msg, type Message } from './message.ts'

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/

interface Texts {
  /** Returns a text in the language of the notice, with its values. */
  readonly translate: (text: Message, values: Readonly<Record<string, string>>) => string
  readonly dateFormat: (locale: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat
}

/**
 * Returns the parts of a notice date. `at` is "YYYY-MM-DD" or "YYYY-MM-DDTHH:mm" in the firm's zone; any other text is
 * shown unchanged.
 */
export function noticeDate(at: string, before: boolean, language: Language, { translate, dateFormat }: Texts): string {
  const match = pattern.exec(at)
  if (!match) return at
  const [, , month, day, hour, minute] = match
  // Formatted in a leap year, as the time in the firm's zone.
  const moment = new Date(Date.UTC(2000, Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0)))
  const form = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(languageRows[language].locale, { ...options, timeZone: 'UTC' }).format(moment)
  const date = form({ day: 'numeric', month: 'long' })
  const text = hour === undefined ? date : timeOn()
  return before ? translate(msg`Before {date}`, { date: text }) : text

  function timeOn(): string {
    // British notices write "3pm"; other languages use their default.
    const clock = language === 'en' ? ({ hourCycle: 'h12' } as const) : {}
    const written = (options: Intl.DateTimeFormatOptions) => form({ ...clock, ...options }).replace(/\s(?=[ap]m$)/, '')
    if (minute !== '00')
      return translate(msg`{time} on {date}`, { time: written({ hour: 'numeric', minute: '2-digit' }), date })
    const hours = written({ hour: 'numeric' }).replace(/^0(?=\d)/, '')
    return translate(msg`{hour} on {date}`, { hour: hours, date })
  }
}
