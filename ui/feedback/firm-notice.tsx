import { IconBuildingBank } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './firm-notice.css'

export interface FirmNoticeText {
  title: string
  lines: readonly string[]
  /** The dates as a table: date and event. */
  dates: readonly { when: string; what: string }[]
}

/** A text up to this length is shown in full; of a longer one the first lines. */
const charactersInFull = 700
const linesOfLongText = 2

/**
 * The notice on the accounts page: dark outline, never red, cannot be closed before its date. `action` opens a long
 * text.
 */
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
          <p key={date.when} className="firm-notice-date muted">
            <b className="strong">{date.when}</b> <span>{date.what}</span>
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

/** The whole notice: on the login page's dark half, and in the dialog of READ THE NOTICE. */
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
