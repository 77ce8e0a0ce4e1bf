import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { createElement, useState } from 'react'
import { useLocation } from 'wouter'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { timeText } from '#ui/text/time.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Codes } from '#ui/text/codes.tsx'
import { Due } from '../../decision/due-labels.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import { iconOfWorkItem } from '../../records/work-item-labels.ts'
import { useStaff } from '../../session.ts'
import type { Overview } from '#contract/office/overview.ts'

type Needed = NonNullable<Overview['needsYou']>
type Item = Needed['items'][number]

const enterAlone: readonly string[] = ['Enter']

interface NeedsYouProps {
  needed: Needed | null | undefined
  /** When the items were read. */
  at: Date | undefined
  queues: Overview['queues'] | undefined
  /** How often the reader has refreshed the page manually. */
  looks: number
}

/** Items that this person can decide, those due first first; Enter opens the next one. */
export function NeedsYou({ needed, at, queues, looks }: NeedsYouProps) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<string | null>(null)
  const items = needed?.items ?? []
  const place = items.findIndex(({ id }) => id === chosen)
  const next = items[place] ?? items[0]
  const choose = (by: 1 | -1) => {
    const to = items[place < 0 ? (by > 0 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, place + by))]
    if (to) setChosen(to.id)
  }
  const open = () => next && navigate(pathOfWorkItem(next.kind, next.record))
  useItemKeyGuard(next?.id ?? null, enterAlone)
  useShortcuts({ j: () => choose(1), k: () => choose(-1), Enter: open })
  const fresh = useNewItems(needed, at, looks)
  return (
    <section className="sheet overview-needs">
      <header>
        <h2>
          {t`Needs your attention`} <span className="overview-count numbers">{needed?.total}</span>
        </h2>
        {next && <Button kind="primary" keyHint="↵" onClick={open}>{t`Open next`}</Button>}
      </header>
      <p role="status" className={fresh > 0 ? 'overview-new' : 'unseen'}>
        {fresh > 0 && <Plural value={fresh} one="# new item" other="# new items" />}
      </p>
      {needed ? (
        items.length > 0 ? (
          <ul>
            {items.map((item) => (
              <NeededItem key={item.id} item={item} isChosen={item.id === chosen} />
            ))}
          </ul>
        ) : (
          <NothingDue needed={needed} queues={queues} />
        )
      ) : (
        <div className="overview-wait">
          <Skeleton width="60%" />
        </div>
      )}
      {needed && needed.total > items.length && (
        <p className="overview-more">
          <Link className="lone-link" href={`${officePaths.inbox}?mine=true`}>
            <Plural value={needed.total} one="# item" other="All # items" />
          </Link>
        </p>
      )}
    </section>
  )
}

function NeededItem({ item, isChosen }: { item: Item; isChosen: boolean }) {
  const labels = useItemLabels()(item)
  return (
    <li>
      <Link href={pathOfWorkItem(item.kind, item.record)} aria-current={isChosen ? 'true' : undefined}>
        {createElement(iconOfWorkItem(item.kind), { className: 'small', 'aria-hidden': 'true' })}
        <span className="overview-item">
          <b>{[labels.kind, labels.stage].filter(Boolean).join(' · ')}</b>
          <span>
            <Codes>{[item.client?.name, labels.facts].filter(Boolean).join(' · ')}</Codes>
          </span>
        </span>
        <Due at={item.dueAt} />
      </Link>
    </li>
  )
}

/** Shows that nothing is due now, and when the next item will be. */
function NothingDue({ needed, queues }: { needed: Needed; queues: Overview['queues'] | undefined }) {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const open = queues?.some((queue) => queue.open > 0)
  const words = (at: Date) => timeText(at, i18n.locale, undefined, firm.timeZone)
  return (
    <p className="overview-wait muted">
      <Trans>No items to review.</Trans>{' '}
      {needed.nextSnoozed ? (
        <Trans>A snoozed item returns {words(needed.nextSnoozed)}.</Trans>
      ) : (
        needed.nextDue && <Trans>The next item is due {words(needed.nextDue)}.</Trans>
      )}{' '}
      {open && <Link href={`${officePaths.inbox}?mine=false`}>{t`Open inbox`}</Link>}
    </p>
  )
}

interface Reading {
  readonly needed: Needed
  readonly at: Date
}

interface Seen extends Reading {
  readonly looks: number
  /** The items that are new since the reader last refreshed. */
  readonly fresh: ReadonlySet<string>
}

/**
 * Returns how many of the shown items are new since the part was first shown, empty or not, or since the reader last
 * refreshed it manually.
 */
function useNewItems(needed: Needed | null | undefined, at: Date | undefined, looks: number): number {
  const [seen, setSeen] = useState<Seen | null>(null)
  if (!needed || !at) return 0
  if (seen?.looks !== looks || seen.needed !== needed)
    setSeen({
      needed,
      at,
      looks,
      fresh: new Set(seen?.looks === looks ? [...seen.fresh, ...newItemsSince(seen, needed)] : []),
    })
  return seen === null ? 0 : needed.items.filter(({ id }) => seen.fresh.has(id)).length
}

/**
 * Returns the items that are new since the previous reading. The list shows only the first ones: an item after the last
 * one shown may merely have moved up, unless it was created or returned from its snooze since.
 */
function newItemsSince(before: Reading, { items }: Needed): string[] {
  const known = new Set(before.needed.items.map(({ id }) => id))
  const last = before.needed.items.at(-1)
  const isComplete = before.needed.total <= before.needed.items.length
  const came = (item: Item) =>
    isComplete || last === undefined || isBefore(item, last) || (item.snoozedUntil ?? item.createdAt) > before.at
  return items.filter((item) => !known.has(item.id) && came(item)).map(({ id }) => id)
}

/** Returns whether an item is above another in the order of the list. */
function isBefore(one: Item, other: Item): boolean {
  const [due, otherDue] = [one.dueAt.getTime(), other.dueAt.getTime()]
  return due === otherDue ? one.id < other.id : due < otherDue
}
