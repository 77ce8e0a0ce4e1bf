import { IconKeyboard } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import {
  assignees,
  assignItem,
  getInboxItem,
  inboxCounts,
  type InboxEntry,
  listInbox,
  unassigned,
} from '#contract/office/inbox.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { workItemAreas, workItemKinds } from '#rules/work-items.ts'
import { withChange } from '#ui/navigation/url-state.ts'
import { IconButton } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { listKeys, useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Panes } from '#ui/layout/office-page.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { ExportButton, ListSearch } from '../../records/list-tools.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useMayDo, useStaff } from '../../session.ts'
import './inbox.css'
import { InboxList } from './inbox-list.tsx'
import { type Assign, InboxPreview } from './inbox-preview.tsx'
import { useInboxItems } from './inbox-items.ts'
import { type UseInboxFilter, useInboxFilter } from './use-inbox-filter.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

/** Everything that waits, what is due first; beside it enough of one item to decide whether to open it. */
export default function Inbox({ params }: ScreenProps) {
  const { t } = useLingui()
  const filter = useInboxFilter()
  const search = useSearch()
  const [, navigate] = useLocation()
  const [keysShown, setKeysShown] = useState(false)
  const inbox = useInboxItems(filter.given)
  const chosen = useChosen(inbox.items, params['id'])
  useWindowTitle(t`Inbox`)
  const show = (item: InboxEntry | undefined) => {
    if (!item) return
    navigate(addressOf(item, search), { replace: true })
    followFocus()
  }
  // Where the chosen one stood, once it is gone: the next one has moved up to there.
  const place = inbox.items.findIndex((item) => item.id === chosen?.id)
  const stood = useRef(0)
  if (place >= 0) stood.current = place
  const next = () => show(inbox.items[place < 0 ? stood.current : place + 1])
  const before = () => show(inbox.items[Math.max(0, stood.current - 1)])
  const open = (how?: 'a' | 'r') =>
    chosen && navigate(pathOfWorkItem(chosen.kind, chosen.record) + (how ? withDecide(chosen, how) : ''))
  const assign = useAssign(chosen)
  useItemKeyGuard(chosen?.id ?? null, listKeys)
  useShortcuts({
    j: next,
    k: before,
    ArrowDown: next,
    ArrowUp: before,
    Enter: () => open(),
    a: () => open('a'),
    r: () => open('r'),
    e: assign?.toggle,
    '?': () => setKeysShown(true),
  })
  return (
    <>
      <Panes
        chosen={params['id'] !== undefined}
        list={
          <>
            <Head filter={filter} count={inbox.total} onKeys={() => setKeysShown(true)} />
            <InboxList
              inbox={inbox}
              chosenId={chosen?.id ?? null}
              href={(item) => addressOf(item, search)}
              filter={filter}
            />
            <Keys onAll={() => setKeysShown(true)} />
          </>
        }
      >
        {(chosen || params['id']) && (
          <InboxPreview
            key={chosen?.id ?? params['id']}
            id={chosen?.id ?? params['id'] ?? ''}
            isChosen={params['id'] !== undefined}
            assign={assign}
            back={officePaths.inbox + (search ? `?${search}` : '')}
          />
        )}
      </Panes>
      {keysShown && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setKeysShown(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The item under its own address, so that back comes back to it. */
function addressOf(item: InboxEntry, search: string): string {
  return `${officePaths.inbox}/${item.id}${withChange(search, {})}`
}

const withDecide = (item: InboxEntry, how: string) =>
  pathOfWorkItem(item.kind, item.record).includes('?') ? `&decide=${how}` : `?decide=${how}`

/** From item to item by a key the focus goes along, where it is in the list: Enter opens what is chosen. */
function followFocus(): void {
  const list = document.activeElement?.closest('.inbox-groups')
  requestAnimationFrame(() => list?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true }))
}

/**
 * Returns the item of the address; without one the first, which stays the same while it waits, whatever comes before
 * it.
 */
function useChosen(items: readonly InboxEntry[], id: string | undefined): InboxEntry | undefined {
  const wide = useWide()
  const first = useRef<string>(undefined)
  const chosen =
    id === undefined
      ? wide
        ? (items.find((item) => item.id === first.current) ?? items[0])
        : undefined
      : items.find((item) => item.id === id)
  first.current = chosen?.id
  return chosen
}

/** Under 1024 px the list comes first and nothing is chosen on its own. */
function useWide(): boolean {
  const [query] = useState(() => matchMedia('(min-width: 1024px)'))
  return query.matches
}

function useAssign(item: InboxEntry | undefined): Assign | undefined {
  const { t } = useLingui()
  const { staff } = useStaff()
  const may = useMayDo('assign')
  const assign = useEndpointMutation(assignItem, {
    refreshes: [listInbox, inboxCounts, getInboxItem],
    onFailure: (failure) => showToast(failure.error, { kind: 'bad' }),
    onDone: ({ assignee }) => showToast(assignee ? t`Assigned to you.` : t`Unassigned.`),
  })
  if (!may || !item) return undefined
  const mine = item.assignee?.id === staff.id
  return { mine, pending: assign.isPending, toggle: () => assign.mutate({ id: item.id, to: mine ? unassigned : 'me' }) }
}

interface HeadProps {
  filter: UseInboxFilter
  count: number | undefined
  onKeys: () => void
}

function Head({ filter: { asked, given, ask }, count, onKeys }: HeadProps) {
  const { t } = useLingui()
  const record = useRecordLabel()
  const { reads } = useStaff()
  const decides = useMayDo('assign')
  const { data: counts } = useEndpoint(inboxCounts, {})
  return (
    <header className="inbox-head">
      <div className="row between">
        <h1>
          <Trans>Inbox</Trans> <span className="numbers">{count}</span>
        </h1>
        <IconButton name={t`Keyboard shortcuts`} onClick={onKeys}>
          <IconKeyboard aria-hidden="true" />
        </IconButton>
      </div>
      <div className="inbox-filters">
        <ListSearch words={asked.q} onWords={(q) => ask({ q })} label={t`Client or reference`} />
        <ExportButton list="inbox" asked={given} />
        {decides && (
          <button
            type="button"
            className="inbox-chip"
            aria-pressed={asked.mine}
            onClick={() => ask({ mine: !asked.mine })}
          >
            <Trans>My reviews</Trans>
            <b className="strong numbers">{counts?.toDecide}</b>
          </button>
        )}
        <BareSelect
          aria-label={t`Type`}
          value={asked.kind ?? ''}
          onChange={({ target }) => ask({ kind: workItemKinds.find((kind) => kind === target.value) ?? null })}
          options={[
            { value: '', label: t`All types` },
            ...workItemKinds
              .filter((kind) => reads.includes(workItemAreas[kind]))
              .map((kind) => ({ value: kind, label: record(kind) })),
          ]}
        />
        <BareSelect
          aria-label={t`Assigned to`}
          value={asked.assigned ?? ''}
          onChange={({ target: { value } }) => ask({ assigned: assignees.find((one) => one === value) ?? null })}
          options={[
            { value: '', label: t`Any assignee` },
            ...(decides ? [{ value: 'me', label: t`Assigned to me` }] : []),
            { value: unassigned, label: t`Unassigned` },
          ]}
        />
      </div>
    </header>
  )
}

function Keys({ onAll }: { onAll: () => void }) {
  const mayAssign = useMayDo('assign')
  return (
    <p className="inbox-keys">
      <kbd className="key">j</kbd>
      <kbd className="key">k</kbd>
      <Trans>move</Trans>
      <kbd className="key">↵</kbd>
      <Trans>open</Trans>
      {mayAssign && (
        <>
          <kbd className="key">e</kbd>
          <Trans>assign to me</Trans>
        </>
      )}
      <button type="button" className="text-button" onClick={onAll}>
        <kbd className="key">?</kbd>
        <Trans>all shortcuts</Trans>
      </button>
    </p>
  )
}
