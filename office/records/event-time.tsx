import { useLingui } from '@lingui/react/macro'
import { useContext } from 'react'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { dayText, Time, TimeZoneContext, timeText } from '#ui/text/time.tsx'
import type { EventGroup } from './event-groups.ts'

interface EventTimeProps {
  group: EventGroup<OfficeEvent>
  /** The form of a single event's time. */
  form?: 'words' | 'exact'
}

/** The time of an event; of repeated ones from the oldest to the newest, to the minute. */
export function EventTime({ group, form = 'words' }: EventTimeProps) {
  const { i18n } = useLingui()
  const timeZone = useContext(TimeZoneContext)
  const newest = group[0].at
  const oldest = group.at(-1)?.at ?? newest
  if (group.length === 1) return <Time at={newest} form={form} />
  const isSame = (words: typeof dayText) =>
    words(oldest, i18n.locale, undefined, timeZone) === words(newest, i18n.locale, undefined, timeZone)
  if (isSame(timeText)) return <Time at={newest} />
  return (
    <>
      <Time at={oldest} /> – <Time at={newest} form={isSame(dayText) ? 'clock' : 'words'} />
    </>
  )
}

/** The title of an event; of repeated ones with their number. */
export function EventTitle({ group, title }: Pick<EventTimeProps, 'group'> & { title: string }) {
  const { t } = useLingui()
  const count = group.length
  return count === 1 ? (
    title
  ) : (
    <>
      {title}
      {'\u00A0· '}
      <span className="unbroken">{t`${count} times`}</span>
    </>
  )
}
