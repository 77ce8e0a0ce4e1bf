import { IconAlertTriangleFilled, IconInbox, IconRefresh, IconCalendarOff, IconEye } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { type InboxEntry, itemGroups } from '#contract/office/inbox.ts'
import { away } from '#contract/office/inbox-filter.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Time } from '#ui/text/time.tsx'
import { type InboxItems, isBackFromSnooze } from './inbox-items.ts'
import { type ItemEnd, useItemEndText } from './item-end.ts'
import type { Selection } from './use-selection.ts'
import { useItemLabels } from '../../records/item-labels.ts'
import type { InboxFilterState, UseInboxFilter } from './use-inbox-filter.ts'
import { plural } from '@lingui/core/macro'
import { listFormat } from '#ui/text/formats.ts'
import { Link } from '#ui/navigation/link.tsx'
import { initialsOf } from '#ui/text/initials.ts'
import { Codes } from '#ui/text/codes.tsx'
import { useDueLabels, useSpanLabels } from '../../decision/due-labels.tsx'
import { useAbsenceLabel } from '../../records/absence.tsx'
import { useStaff } from '../../session.ts'
import { useAssigneeLabel } from './assignee-label.ts'

interface InboxListProps {
  inbox: InboxItems
  chosenId: string | null
  /** The outcome of the selected item, which keeps its position until the next move. */
  end: ItemEnd | undefined
  href: (item: InboxEntry) => string
  filter: UseInboxFilter
  selection: Selection | undefined
}

/** The list in groups: overdue, due today, later; two lines per item, with the due time above the age. */
export function InboxList({ inbox, chosenId, end, href, filter, selection }: InboxListProps) {
  const { t } = useLingui()
  const { items, groups } = inbox
  if (inbox.error && items.length === 0) return <ErrorPanel failure={inbox.error} onRetry={inbox.again} />
  if (inbox.isPending) return <ListSkeleton />
  if (items.length === 0) return <NoItems filter={filter} />
  const asleep = filter.asked.snoozed ? 0 : (groups?.snoozed.overdue ?? 0)
  const names = { overdue: t`Overdue`, today: t`Due today`, later: t`Later`, decided: t`Decided` }
  return (
    <div className="inbox-groups">
      <NewItemsNotice inbox={inbox} />
      {itemGroups.map((group) => {
        const own = items.filter((item) => item.group === group)
        if (own.length === 0) return null
        return (
          <section key={group} aria-label={names[group]}>
            <h2 className={group === 'overdue' ? 'inbox-group late' : 'inbox-group'}>
              <span>
                {group === 'overdue' && <IconAlertTriangleFilled className="small" aria-hidden="true" />}
                {names[group]}
              </span>
              <span className="numbers">
                {group === 'overdue' && asleep > 0 && (
                  <>
                    <Trans>{asleep} snoozed</Trans> ·{' '}
                  </>
                )}
                {groups?.[group]}
              </span>
            </h2>
            <ul>
              {own.map((item) => (
                <li key={item.id} className="inbox-row" data-selected={selection?.ids.has(item.id) ? '' : undefined}>
                  {selection && group !== 'decided' && <SelectionBox item={item} selection={selection} />}
                  <InboxItem
                    item={item}
                    chosen={item.id === chosenId}
                    end={item.id === chosenId ? end : undefined}
                    href={href(item)}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {inbox.more && <More onMore={inbox.more} />}
    </div>
  )
}

const skeletonRows = 8

function ListSkeleton() {
  return (
    <div className="inbox-groups" aria-busy="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        <div key={place} className="inbox-row inbox-skeleton">
          <Skeleton width={140 + ((place * 37) % 60)} />
          <Skeleton width={210 + ((place * 53) % 90)} height={12} />
        </div>
      ))}
    </div>
  )
}

/** Above the list: new items during an interruption, or since when the list could not be loaded. */
function NewItemsNotice({ inbox: { unseen, unreadSince, again } }: { inbox: InboxItems }) {
  const { t } = useLingui()
  if (unseen) {
    const { added, changed, show } = unseen
    return (
      <p className="inbox-news" role="status">
        <IconRefresh className="small" aria-hidden="true" />
        <span className="numbers">
          {added > 0 && <Plural value={added} one="# new" other="# new" />}
          {added > 0 && changed > 0 && ', '}
          {changed > 0 && <Plural value={changed} one="# changed" other="# changed" />}.
        </span>
        <button type="button" className="text-button" onClick={show}>{t`Show`}</button>
      </p>
    )
  }
  if (!unreadSince) return null
  return (
    <p className="inbox-news late" role="alert">
      <IconAlertTriangleFilled className="small" aria-hidden="true" />
      <span>
        <Trans>
          Not updated since <Time at={unreadSince} />.
        </Trans>
      </span>
      <button type="button" className="text-button" onClick={again}>{t`Try again`}</button>
    </p>
  )
}

function SelectionBox({ item, selection }: { item: InboxEntry; selection: Selection }) {
  const { t } = useLingui()
  const { kind } = useItemLabels()(item)
  const name = item.client?.name ?? kind
  return (
    <label className="inbox-box">
      <input
        type="checkbox"
        aria-label={t`Select ${name}, ${kind}`}
        checked={selection.ids.has(item.id)}
        onChange={({ nativeEvent }) =>
          selection.toggle(item.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
      />
    </label>
  )
}

function NoItems({ filter: { asked, given, clear } }: { filter: UseInboxFilter }) {
  const { t } = useLingui()
  const onlyMine = asked.mine && Object.keys(given).length === 1
  const title = onlyMine
    ? t`No items for you to decide.`
    : clear
      ? t`No items match these filters.`
      : t`No pending items.`
  return (
    <div className="inbox-groups inbox-empty">
      <EmptyState
        level="h2"
        icon={<IconInbox aria-hidden="true" />}
        title={title}
        action={clear && <button type="button" className="text-button" onClick={clear}>{t`Show all items`}</button>}
      >
        <EmptyViewText filter={asked} />
      </EmptyState>
    </div>
  )
}

/** The empty state of a view: what will appear in it. */
function EmptyViewText({ filter }: { filter: InboxFilterState }) {
  if (filter.q !== '') return <Trans>Search by client name, reference or amount.</Trans>
  if (filter.snoozed) return <Trans>Snoozed items appear here until they return.</Trans>
  if (filter.newlyAssigned)
    return <Trans>Items that a colleague assigns to you will appear here until you open them.</Trans>
  if (filter.mentioned) return <Trans>Comments that mention you will appear here.</Trans>
  if (filter.overdue) return <Trans>Items that are past their due time will appear here.</Trans>
  if (filter.assigned === away)
    return <Trans>Items that are assigned to a colleague who is away will appear here.</Trans>
  if (filter.assigned === 'me') return <Trans>Items that are assigned to you will appear here.</Trans>
  return <Trans>New requests will appear here.</Trans>
}

/** Loads more shortly before the end of the list. */
function More({ onMore }: { onMore: () => void }) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return
    const list = place.current.closest('.inbox-groups')
    // On phones the whole page scrolls.
    const root = list && getComputedStyle(list).overflowY === 'auto' ? list : null
    const near = new IntersectionObserver(([seen]) => seen?.isIntersecting && onMore(), { root, rootMargin: '300px' })
    near.observe(place.current)
    return () => near.disconnect()
  }, [onMore])
  return (
    <div ref={place} className="inbox-more">
      <Button size="small" onClick={onMore}>{t`Show more`}</Button>
    </div>
  )
}

interface InboxItemProps {
  item: InboxEntry
  chosen: boolean
  end: ItemEnd | undefined
  href: string
}

/** An item of the list in two lines: its client and type, its due time, its age and its assignee. */
function InboxItem({ item, chosen, end, href }: InboxItemProps) {
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
