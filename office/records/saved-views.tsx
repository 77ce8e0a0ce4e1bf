/** Views of a list: named filters, columns and order, one's own or shared by a colleague (requirements 24.6). */
import {
  IconBookmarkPlus,
  IconDeviceFloppy,
  IconDots,
  IconPencil,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useQueryClient } from '@tanstack/react-query'
import {
  listSavedViews,
  type SavedView,
  type ViewedList,
  viewParameters,
  changeView,
  removeView,
  saveView,
} from '#contract/office/saved-views.ts'
import { useEndpoint, refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { lazyDialog } from '#ui/loading/lazy.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Menu } from '#ui/overlays/menu.tsx'
import type { MenuEntry } from '#ui/overlays/menu-list.tsx'
import { call } from '#ui/api/call.ts'
import { useUndoableChange } from './use-undoable-work.ts'
import './saved-views.css'

const ViewDialog = lazyDialog(async () => (await import('./view-dialog.tsx')).ViewDialog)
const RemoveViewDialog = lazyDialog(async () => (await import('./remove-view-dialog.tsx')).RemoveViewDialog)

type Query = Readonly<Record<string, string>>

interface SavedViewsProps {
  list: ViewedList
  /** The path of the list without its filters. */
  path: string
  /** The current filters, if the URL does not contain all of them. */
  query?: Query
  /** Whether one of the list's built-in views is shown. */
  isOwn?: boolean
  /** Built-in views of the list, before the saved ones. */
  children?: ReactNode
}

const chipsMax = 5

/** The saved views as links, and the menu that saves, changes and deletes them. The URL contains the view. */
export function SavedViews({ list, path, query: given, isOwn, children }: SavedViewsProps) {
  const { t } = useLingui()
  const search = useSearch()
  const [, navigate] = useLocation()
  const { data } = useEndpoint(listSavedViews, { list })
  const [dialog, setDialog] = useState<'save' | 'change' | 'remove' | null>(null)
  const query = given ?? queryOf(search)
  const written = new URLSearchParams(search).get('view')
  const views = data?.views ?? []
  const open = views.find(({ id }) => id === written)
  const same = views.find((view) => isSameQuery(view.query, query))
  const current = open ?? same
  const isChanged = current !== undefined && !isSameQuery(current.query, query)
  const hrefOf = ({ id, query: kept }: Pick<SavedView, 'id' | 'query'>) =>
    `${path}?${new URLSearchParams({ ...kept, view: id })}`
  const work = useViewActions(list, (view) => navigate(view ? hrefOf(view) : path, { replace: true }))
  const others = views.slice(chipsMax)
  const entries: MenuEntry[] = [
    ...others.map((view) => ({
      key: view.id,
      label: <ViewName view={view} />,
      text: view.name,
      onAction: () => navigate(hrefOf(view)),
    })),
    {
      key: 'save',
      label: t`Save view…`,
      icon: <IconBookmarkPlus className="small" aria-hidden="true" />,
      onAction: () => setDialog('save'),
    },
    ...(current?.own
      ? [
          ...(isChanged
            ? [
                {
                  key: 'update',
                  label: t`Update “${current.name}” with these filters`,
                  icon: <IconDeviceFloppy className="small" aria-hidden="true" />,
                  onAction: () => work.change(current, { query }),
                },
              ]
            : []),
          {
            key: 'change',
            label: t`Rename or share “${current.name}”…`,
            icon: <IconPencil className="small" aria-hidden="true" />,
            onAction: () => setDialog('change'),
          },
          {
            key: 'remove',
            label: t`Delete “${current.name}”`,
            icon: <IconTrash className="small" aria-hidden="true" />,
            onAction: () => work.remove(current),
          },
        ]
      : []),
    ...(current?.mayRemove
      ? [
          {
            key: 'remove',
            label: t`Delete “${current.name}”…`,
            icon: <IconTrash className="small" aria-hidden="true" />,
            onAction: () => setDialog('remove'),
          },
        ]
      : []),
  ]
  const close = () => {
    setDialog(null)
    work.reset()
  }
  return (
    <nav className="views" aria-label={t`Saved views`}>
      {children}
      {views.slice(0, chipsMax).map((view) => (
        <Link
          key={view.id}
          href={hrefOf(view)}
          className="chip"
          aria-current={view === current ? 'true' : undefined}
          data-changed={view === current && isChanged ? '' : undefined}
        >
          <ViewName view={view} />
          {view.count !== null && <b className="strong numbers">{view.count}</b>}
        </Link>
      ))}
      <Menu
        name={t`Views`}
        look={views.length === 0 && !children ? 'button outline small' : 'chip'}
        shortcut="v"
        face={
          data && views.length === 0 && !children ? (
            <>
              <IconBookmarkPlus className="small" aria-hidden="true" />
              {t`Views`}
            </>
          ) : (
            <IconDots className="small" aria-hidden="true" />
          )
        }
        entries={entries}
      />
      {children && data && !isOwn && !current && (
        <button type="button" className="chip" onClick={() => setDialog('save')}>
          <IconBookmarkPlus className="small" aria-hidden="true" />
          {t`Save view…`}
        </button>
      )}
      {dialog === 'save' && (
        <ViewDialog
          view={null}
          pending={work.isPending}
          failure={work.failure}
          onSave={(fields) => work.save({ ...fields, query }, close)}
          onClose={close}
        />
      )}
      {dialog === 'change' && current && (
        <ViewDialog
          view={current}
          pending={work.isPending}
          failure={work.failure}
          onSave={(fields) => work.change(current, fields, close)}
          onClose={close}
        />
      )}
      {dialog === 'remove' && current && (
        <RemoveViewDialog view={current} onDone={() => navigate(path, { replace: true })} onClose={close} />
      )}
    </nav>
  )
}

function ViewName({ view }: { view: SavedView }) {
  const { t } = useLingui()
  return (
    <span className="row">
      {view.shared && (
        <IconUsersGroup
          className="small"
          role="img"
          aria-label={view.own ? t`Shared with the team` : t`Shared by ${view.owner.name}`}
        />
      )}
      {view.name}
    </span>
  )
}

/** Returns the part of a URL that a view stores. */
function queryOf(search: string): Query {
  return Object.fromEntries(
    [...new URLSearchParams(search)].filter(([name, value]) => viewParameters.includes(name) && value !== ''),
  )
}

function isSameQuery(one: Query, other: Query): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

type ViewFields = Pick<SavedView, 'name' | 'query' | 'shared'>

/** Saves, changes and deletes views, each with undo. `show` opens a view, or the list without one. */
function useViewActions(list: ViewedList, show: (view: Pick<SavedView, 'id' | 'query'> | null) => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { run, offerUndo, ...state } = useUndoableChange([listSavedViews])
  return {
    ...state,
    save: (fields: ViewFields, onDone: () => void) =>
      run(async () => {
        const { id } = await call(saveView, { list, ...fields })
        await refreshEndpoints(queries, [listSavedViews])
        show({ id, query: fields.query })
        offerUndo(t`View saved.`, async () => {
          await call(removeView, { id })
          show(null)
        })
      }, onDone),
    change: (view: SavedView, change: Partial<ViewFields>, onDone?: () => void) =>
      run(async () => {
        const { id, name, query, shared } = view
        const { before } = await call(changeView, { id, name, query, shared, ...change })
        if (change.query) show({ id, query: change.query })
        offerUndo(change.query ? t`Filters of the view saved.` : t`View changed.`, async () => {
          await call(changeView, { id, ...before })
          show({ id, query: before.query })
        })
      }, onDone),
    remove: (view: SavedView) =>
      run(async () => {
        const { id, name, query, shared } = view
        await call(removeView, { id })
        show(null)
        offerUndo(t`View deleted.`, async () => {
          const again = await call(saveView, { list, name, query, shared })
          await refreshEndpoints(queries, [listSavedViews])
          show({ id: again.id, query })
        })
      }),
  }
}
