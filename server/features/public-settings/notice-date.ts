/** The dates of the firm notice as they are shown: "Before 5 July", "3pm on 5 July"; the year inside is not shown. */
import { msg } from '#contract/message.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { translate } from '../../i18n/translate.ts'

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/

/** `at` is "YYYY-MM-DD" or "YYYY-MM-DDTHH:mm" in the firm's zone; what is neither is shown as it stands. */
export function noticeDate(at: string, before: boolean, language: Language): string {
  const match = pattern.exec(at)
  if (!match) return at
  const [, , month, day, hour, minute = '00'] = match
  const date = dayText(Number(month), Number(day), language)
  if (hour === undefined) return before ? beforeText(date, language) : date
  const time = timeText(Number(hour), minute, language)
  const moment = translate(msg`{time} on {date}`, language, { time, date })
  return before ? beforeText(moment, language) : moment
}

function beforeText(text: string, language: Language): string {
  return translate(msg`Before {date}`, language, { date: text })
}

function dayText(month: number, day: number, language: Language): string {
  const date = new Date(Date.UTC(2000, month - 1, day))
  return new Intl.DateTimeFormat(languageRows[language].locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(date)
}

/** "3pm", "3:30pm", "15 Uhr", "15:30 Uhr". */
function timeText(hour: number, minute: string, language: Language): string {
  const full = minute === '00'
  if (language === 'de') return full ? `${hour} Uhr` : `${hour}:${minute} Uhr`
  return `${hour % 12 === 0 ? 12 : hour % 12}${full ? '' : `:${minute}`}${hour < 12 ? 'am' : 'pm'}`
}
