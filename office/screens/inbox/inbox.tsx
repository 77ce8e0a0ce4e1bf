import { IconX } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type InboxEntry, viewItem } from '#contract/office/inbox.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { changeQuery } from '#ui/navigation/url-state.ts'
import { Button, IconButton } from '#ui/forms/button.tsx'
import { listKeys, useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Panes } from '#ui/layout/office-page.tsx'
import { useWide } from '#ui/layout/use-wide.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { showShortcuts } from '../../layout/keys.tsx'
import { useCanDo } from '../../session.ts'
import '../../decision/decision.css'
import './inbox.css'
import { InboxHead } from './inbox-head.tsx'
import { InboxList } from './inbox-list.tsx'
import { InboxPreview } from './inbox-preview.tsx'
import { useInboxItems } from './inbox-items.ts'
import { type ItemEnd, useItemEnd } from './item-end.ts'
import { useInboxFilter } from './use-inbox-filter.ts'
import { type ItemActions, useItemActions } from './use-item-actions.tsx'
import { type Selection, useSelection } from './use-selection.ts'

/** All pending items, those due first first, beside a preview of one of them. */
export default function Inbox({ params }: ScreenProps) {
  const { t } = useLingui()
  const filter = useInboxFilter()
  const search = useSearch()
  const [, navigate] = useLocation()
  const read = useInboxItems(filter.given)
  const { chosen, end, items } = useSelectedItem(read.items, params['id'], JSON.stringify(filter.given))
  const inbox = { ...read, items }
  // A completed item no longer counts, but keeps its position.
  const total = inbox.total !== undefined && end ? inbox.total + 1 : inbox.total
  useWindowTitle(t`Inbox`)
  const show = (item: InboxEntry | undefined) => {
    if (!item) return
    navigate(addressOf(item, search), { replace: true })
    focusSelectedItem()
  }
  // The position of the selected item when it has left: the next one has moved up to it.
  const place = items.findIndex((item) => item.id === chosen?.id)
  const last = useRef(0)
  if (place >= 0) last.current = place
  const next = () => show(items[place < 0 ? last.current : place + 1])
  const before = () => show(items[Math.max(0, last.current - 1)])
  const selection = useSelection(inbox.items)
  const maySelect = useCanDo('assign')
  const isSelecting = selection.items.length > 0
  const isOver = end !== undefined || chosen?.group === 'decided'
  const open = chosen && !isOver ? [chosen] : []
  const work = useItemActions(isSelecting ? selection.items : open, () => {
    selection.clear()
    read.unseen?.show()
  })
  const openItem = (how?: 'a' | 'r') => {
    if (how && isSelecting) return void showToast(() => t`Items are decided one at a time. Clear the selection first.`)
    if (chosen && !(how && isOver)) {
      markDecidedRead(chosen)
      navigate(pathOfWorkItem(chosen.kind, chosen.record) + (how ? decideQuery(chosen, how) : ''))
    }
  }
  useItemKeyGuard(chosen?.id ?? null, listKeys)
  useShortcuts({
    j: next,
    k: before,
    ArrowDown: next,
    ArrowUp: before,
    Enter: () => openItem(),
    a: () => openItem('a'),
    r: () => openItem('r'),
    e: work?.assign,
    E: work?.unassign,
    s: work?.snooze,
    x: work && chosen && !isOver ? () => selection.toggle(chosen.id) : undefined,
    Escape: isSelecting ? selection.clear : undefined,
  })
  return (
    <>
      <Panes
        chosen={params['id'] !== undefined}
        list={
          <>
            <InboxHead
              filter={filter}
              count={inbox.total}
              snoozed={inbox.groups?.snoozed.count ?? 0}
              colleague={inbox.items[0]?.assignee?.name}
              onKeys={showShortcuts}
            />
            <InboxList
              inbox={inbox}
              chosenId={chosen?.id ?? null}
              end={end}
              href={(item) => addressOf(item, search)}
              filter={filter}
              selection={maySelect ? selection : undefined}
            />
            {work && isSelecting ? (
              <SelectionBar count={selection.items.length} work={work} selection={selection} />
            ) : (
              <ShortcutHints onAll={showShortcuts} />
            )}
          </>
        }
      >
        {(chosen || params['id']) && (
          <InboxPreview
            key={chosen?.id ?? params['id']}
            id={chosen?.id ?? params['id'] ?? ''}
            isChosen={params['id'] !== undefined}
            onOpen={() => chosen && markDecidedRead(chosen)}
            work={isSelecting || isOver ? undefined : work}
            back={officePaths.inbox + (search ? `?${search}` : '')}
            place={place >= 0 && total !== undefined ? { number: place + 1, of: total } : undefined}
          />
        )}
      </Panes>
      {work?.dialog}
    </>
  )
}

/** Returns the item's own URL, so that the browser's Back returns to it. */
function addressOf(item: InboxEntry, search: string): string {
  return `${officePaths.inbox}/${item.id}${changeQuery(search, {})}`
}

/** The page of a decided record reports no viewer, so that its comment counts as read once it is opened from here. */
function markDecidedRead({ id, group }: InboxEntry): void {
  if (group === 'decided') void call(viewItem, { id, here: true }, { background: true }).catch(ignoreFailure)
}

/** The mention stays in the list. */
const ignoreFailure = () => undefined

const decideQuery = (item: InboxEntry, how: string) =>
  pathOfWorkItem(item.kind, item.record).includes('?') ? `&decide=${how}` : `?decide=${how}`

/** Moves the focus with the selection if it is in the list: Enter opens the selected item. */
function focusSelectedItem(): void {
  const list = document.activeElement?.closest('.inbox-groups')
  requestAnimationFrame(() => list?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true }))
}

interface SelectedItem {
  readonly chosen: InboxEntry | undefined
  /** Its outcome, if it has left the inbox. */
  readonly end: ItemEnd | undefined
  readonly items: readonly InboxEntry[]
}

/**
 * Returns the item of the URL; without one the first, which stays selected when others are added before it. An item
 * decided by a colleague keeps its position until the reader moves on.
 */
function useSelectedItem(items: readonly InboxEntry[], id: string | undefined, filter: string): SelectedItem {
  // On a narrow window the list comes first, and nothing is selected automatically.
  const wide = useWide()
  const last = useRef<{ item: InboxEntry; place: number; filter: string; isAsked: boolean }>(undefined)
  const before =
    last.current?.filter === filter && last.current.isAsked === (id !== undefined) ? last.current : undefined
  const wanted = id ?? (wide ? (before?.item.id ?? items[0]?.id) : undefined)
  const place = items.findIndex((item) => item.id === wanted)
  const found = items[place]
  if (found) last.current = { item: found, place, filter, isAsked: id !== undefined }
  const closed = !found && before?.item.id === wanted ? before : undefined
  const end = useItemEnd(closed?.item.id)
  if (closed && end) return { chosen: closed.item, end, items: items.toSpliced(closed.place, 0, closed.item) }
  if (closed && end === undefined) return { chosen: closed.item, end, items }
  const [first] = items
  const chosen = found ?? (id === undefined && wide ? first : undefined)
  if (chosen && !found) last.current = { item: chosen, place: 0, filter, isAsked: false }
  return { chosen, end: undefined, items }
}

function SelectionBar({ count, work, selection }: { count: number; work: ItemActions; selection: Selection }) {
  const { t } = useLingui()
  return (
    <div className="inbox-selection" role="toolbar" aria-label={t`Selected items`}>
      <b role="status">
        <Plural value={count} one="# selected" other="# selected" />
      </b>
      <Button size="small" keyHint="e" pending={work.pending} onClick={work.assign}>
        <Trans>Assign</Trans>…
      </Button>
      <Button size="small" keyHint="s" pending={work.pending} onClick={work.snooze}>
        <Trans>Snooze</Trans>…
      </Button>
      <IconButton name={t`Clear selection`} onClick={selection.clear}>
        <IconX aria-hidden="true" />
      </IconButton>
      <p className="muted">{t`Items are decided one at a time.`}</p>
    </div>
  )
}

function ShortcutHints({ onAll }: { onAll: () => void }) {
  const mayAssign = useCanDo('assign')
  return (
    <p className="inbox-keys">
      <span className="inbox-hints">
        <span>
          <kbd className="key">j</kbd> <kbd className="key">k</kbd> <Trans>move</Trans>
        </span>
        <span>
          <kbd className="key">↵</kbd> <Trans>open</Trans>
        </span>
        {mayAssign && (
          <>
            <span>
              <kbd className="key">e</kbd> <Trans>assign</Trans>
            </span>
            <span>
              <kbd className="key">s</kbd> <Trans>snooze</Trans>
            </span>
          </>
        )}
      </span>
      <button type="button" className="text-button" onClick={onAll}>
        <kbd className="key">?</kbd>
        <Trans>all shortcuts</Trans>
      </button>
    </p>
  )
}
