/** The dates of the firm notice as clients read them: "Before 5 July", "3pm on 5 July"; the year is not shown. */
import { languageRows, type Language } from '#rules/choices.ts'

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/

export function noticeDate(at: string, before: boolean, language: Language): string {
  const match = pattern.exec(at)
  if (!match) return at
  const [, , month, day, hour, minute = '00'] = match
  const date = new Intl.DateTimeFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(Date.UTC(2000, Number(month) - 1, Number(day))))
  const moment =
    hour === undefined
      ? date
      : language === 'de'
        ? `${date}, ${clock(hour, minute, language)}`
        : `${clock(hour, minute, language)} on ${date}`
  if (!before) return moment
  return language === 'de' ? `Vor dem ${moment}` : `Before ${moment}`
}

/** "3pm", "3:30pm", "15 Uhr", "15:30 Uhr". */
function clock(hour: string, minute: string, language: Language): string {
  const [hours, full] = [Number(hour), minute === '00']
  if (language === 'de') return full ? `${hours} Uhr` : `${hours}:${minute} Uhr`
  return `${hours % 12 === 0 ? 12 : hours % 12}${full ? '' : `:${minute}`}${hours < 12 ? 'am' : 'pm'}`
}
