import { IconCalendarOff, IconEye } from '@tabler/icons-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { InboxEntry } from '#contract/office/inbox.ts'
import { listFormat } from '#ui/text/formats.ts'
import { Link } from '#ui/navigation/link.tsx'
import { initialsOf } from '#ui/text/initials.ts'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { useDueLabels, useSpanLabels } from '../../decision/due-labels.tsx'
import { useAbsenceLabel } from '../../records/absence.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import { useStaff } from '../../session.ts'
import { useAssigneeLabel } from './assignee-label.ts'
import { isBackFromSnooze } from './inbox-items.ts'
import { type ItemEnd, useItemEndText } from './item-end.ts'

interface InboxItemProps {
  item: InboxEntry
  chosen: boolean
  end: ItemEnd | undefined
  href: string
}

/** An item of the list in two lines: its client and type, its due time, its age and its assignee. */
export function InboxItem({ item, chosen, end, href }: InboxItemProps) {
  const { t, i18n } = useLingui()
  const words = useItemLabels()
  const dueWords = useDueLabels()
  const spanWords = useSpanLabels()
  const endWords = useItemEndText()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (chosen) link.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const due = dueWords(item.dueAt)
  const age = spanWords(Date.now() - item.createdAt.getTime())
  const { kind, stage, facts } = words(item)
  const isDecided = item.group === 'decided'
  const work = [kind, isDecided ? null : stage].filter(Boolean).join(' · ')
  const all = listFormat(i18n.locale).format(item.viewers.map(({ name }) => name))
  return (
    <Link ref={link} href={href} replace className="inbox-item" aria-current={chosen ? 'true' : undefined}>
      <span className="inbox-line">
        <b>{item.client?.name ?? work}</b>
        {!end && isDecided && <small className="strong">{t`Decided`}</small>}
        {!end && !isDecided && <small className={due.late ? 'strong tone-bad' : undefined}>{due.text}</small>}
      </span>
      <span className="inbox-line">
        {end ? (
          <span className="strong">{endWords(end) ?? t`No longer pending.`}</span>
        ) : (
          <span>
            {item.client && work}
            {facts && (
              <span className="muted">
                {item.client ? ' · ' : ''}
                <Codes>{facts}</Codes>
              </span>
            )}
          </span>
        )}
        <small className="muted">
          {item.viewers.length > 0 && (
            <IconEye
              className="small inbox-viewer"
              role="img"
              aria-label={plural(item.viewers.length, {
                one: `${all} is viewing this`,
                other: `${all} are viewing this`,
              })}
            />
          )}
          {item.snoozedUntil !== null &&
            (isBackFromSnooze(item) ? <Trans>back from snooze</Trans> : <Time at={item.snoozedUntil} />)}
          {item.assignee && <AssigneeMark assignee={item.assignee} />}
          <Trans>{age} old</Trans>
        </small>
      </span>
    </Link>
  )
}

function AssigneeMark({ assignee }: { assignee: NonNullable<InboxEntry['assignee']> }) {
  const { staff } = useStaff()
  const label = useAssigneeLabel()
  const { id, name, absence } = assignee
  return (
    <>
      {absence && (absence.isNow || absence.isDueBefore) && <AbsenceMark absence={absence} />}
      <abbr className={id === staff.id ? 'inbox-holder mine' : 'inbox-holder'} title={label(assignee)}>
        {initialsOf(name)}
      </abbr>
    </>
  )
}

function AbsenceMark({ absence }: { absence: NonNullable<NonNullable<InboxEntry['assignee']>['absence']> }) {
  const { t } = useLingui()
  const words = useAbsenceLabel()(absence)
  const { isDueBefore } = absence
  return (
    <IconCalendarOff
      className={isDueBefore ? 'small tone-wait' : 'small'}
      role="img"
      aria-label={isDueBefore ? t`${words}, due before they are back` : words}
    />
  )
}
