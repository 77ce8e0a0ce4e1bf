import { IconBuildingBank } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './firm-notice.css'

export interface FirmNoticeText {
  title: string
  lines: readonly string[]
  /** The dates as a table: when, and what happens then. */
  dates: readonly { when: string; what: string }[]
}

/** A text up to this length stands on the page in full; of a longer one its first lines do. */
const charactersInFull = 700
const linesOfLongText = 2

/** On the accounts page: outlined in ink, never red, never closable before its date. `action` opens a long text. */
export function FirmNotice({ notice, action }: { notice: FirmNoticeText; action?: ReactNode }) {
  const isLong = notice.lines.join(' ').length > charactersInFull
  return (
    <section className="firm-notice" aria-label={notice.title}>
      <span className="firm-notice-mark">
        <IconBuildingBank aria-hidden="true" />
      </span>
      <div className="grow">
        <h2 className="title-3">{notice.title}</h2>
        {notice.dates.map((date) => (
          <p key={date.when} className="muted">
            <b className="strong">{date.when}</b> {date.what}
          </p>
        ))}
        {(isLong ? notice.lines.slice(0, linesOfLongText) : notice.lines).map((line) => (
          <p key={line} className="firm-notice-line measure">
            {line}
          </p>
        ))}
      </div>
      {isLong && action}
    </section>
  )
}

/** The whole notice: on the login page's ink half, and in the dialog that READ THE NOTICE opens. */
export function FirmNoticeDates({ notice }: { notice: FirmNoticeText }) {
  return (
    <dl className="firm-notice-dates">
      {notice.dates.map((date) => (
        <div key={date.when}>
          <dt>{date.when}</dt>
          <dd>{date.what}</dd>
        </div>
      ))}
    </dl>
  )
}
