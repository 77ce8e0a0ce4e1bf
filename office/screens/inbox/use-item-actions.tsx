import { useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { assignItem, type InboxEntry, snoozeItem } from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { call } from '#ui/api/call.ts'
import { listFormat } from '#ui/text/formats.ts'
import { lazyDialog } from '#ui/loading/lazy.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import { showFailure } from '../../records/show-failure.ts'
import { showUndoToast } from '../../records/undo-toast.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import { forEachItem, type Outcome } from './each-item.ts'

const AssignDialog = lazyDialog(async () => (await import('./dialogs.ts')).AssignDialog)
const SnoozeDialog = lazyDialog(async () => (await import('./dialogs.ts')).SnoozeDialog)

type Item = Pick<InboxEntry, 'id' | 'kind' | 'dueAt' | 'state' | 'summary' | 'client'>

interface CompletedAction {
  readonly item: Item
  readonly undo: () => Promise<unknown>
}

type Opened = 'assign' | 'snooze'

interface PendingAction {
  readonly act: () => Promise<void>
  /** The dialog that sent the action and is closed when it ends. */
  readonly from: Opened | undefined
}

/** The maximum number of rejected items that a toast names. */
const namedMax = 3

/** Actions on one or several items: assign, unassign, snooze; each with undo. */
export interface ItemActions {
  readonly assign: () => void
  readonly unassign: () => void
  readonly snooze: () => void
  readonly wake: () => void
  readonly pending: boolean
  readonly dialog: React.ReactNode
}

/** Returns the actions; undefined for readers who may not assign. `onDone` clears the selection. */
export function useItemActions(items: readonly Item[], onDone: () => void): ItemActions | undefined {
  const { t, i18n } = useLingui()
  const { staff } = useStaff()
  const may = useCanDo('assign')
  const queries = useQueryClient()
  const [open, setOpen] = useState<Opened | null>(null)
  const work = useMutation({
    networkMode: 'always',
    mutationFn: ({ act }: PendingAction) => act(),
    onError: showFailure,
    onSettled: (_data, _error, { from }) => {
      // Another dialog may have been opened while an action without one, such as an undo, was in progress.
      setOpen((shown) => (shown === from ? null : shown))
      void queries.invalidateQueries()
    },
  })
  const word = useItemLabels()
  const nameOf = (item: Item) => {
    const { kind } = word(item)
    return item.client ? `${item.client.name}, ${kind}` : kind
  }
  /** Returns a sentence with the items for which the action failed, and the reasons. */
  const refusal = (refused: Outcome<Item, unknown>['refused'], isUndo = false) => {
    const named = listFormat(i18n.locale).format(refused.slice(0, namedMax).map(({ item }) => nameOf(item)))
    const more = refused.length - namedMax
    const names = more > 0 ? t`${named} and ${plural(more, { one: '# more', other: '# more' })}` : named
    const reasons = [...new Set(refused.map(({ failure }) => failure.error))].join(' ')
    return isUndo ? t`Not undone: ${names}. ${reasons}` : t`Not done: ${names}. ${reasons}`
  }
  const undoAll = (steps: readonly CompletedAction[]) =>
    work.mutate({
      from: undefined,
      act: async () => {
        const { refused } = await forEachItem(steps, ({ undo }) => undo())
        if (refused.length === 0) showToast(() => t`Undone.`)
        else
          showToast(
            () =>
              refusal(
                refused.map(({ item: { item }, failure }) => ({ item, failure })),
                true,
              ),
            { kind: 'bad' },
          )
      },
    })
  /** Applies the action to each item, and offers to undo it for those that were done even if others were rejected. */
  const workOn = async (act: (item: Item) => Promise<() => Promise<unknown>>, text: (done: number) => string) => {
    const { done, refused } = await forEachItem(items, async (item): Promise<CompletedAction> => ({
      item,
      undo: await act(item),
    }))
    const [only] = refused
    if (only && done.length === 0 && items.length === 1) throw only.failure
    if (done.length === 0) showToast(() => refusal(refused), { kind: 'bad' })
    else if (refused.length === 0) showUndoToast(text(done.length), () => undoAll(done))
    else showUndoToast(`${text(done.length)} ${refusal(refused)}`, () => undoAll(done), 'bad')
    onDone()
  }
  const assignTo = (to: string, from?: Opened) => {
    let name = ''
    const mine = to === 'me' || to === staff.id
    const act = () =>
      workOn(
        async ({ id }) => {
          const { assignee, before } = await call(assignItem, { id, to })
          name = assignee?.name ?? ''
          return () => call(assignItem, { id, to: before?.id ?? unassigned, ...(before?.seen ? { seen: true } : {}) })
        },
        (done) => {
          const all = items.length
          if (done < all)
            return to === unassigned
              ? t`${done} of ${all} items unassigned.`
              : mine
                ? t`${done} of ${all} items assigned to you.`
                : t`${done} of ${all} items assigned to ${name}.`
          return to === unassigned ? t`Unassigned.` : mine ? t`Assigned to you.` : t`Assigned to ${name}.`
        },
      )
    work.mutate({ act, from })
  }
  const snoozeUntil = (until: Date | null, note: string, from?: Opened) => {
    const act = () =>
      workOn(
        async ({ id }) => {
          const replaced = await call(snoozeItem, { id, until: unixSeconds(until), note })
          const { before, note: noteBefore, back } = replaced
          return () =>
            call(snoozeItem, {
              id,
              until: unixSeconds(before),
              note: noteBefore,
              ...(back ? { back: unixSeconds(back) } : {}),
            })
        },
        (done) => {
          const all = items.length
          if (until === null) return t`Back in the inbox.`
          return done < all
            ? t`${done} of ${all} items snoozed.`
            : plural(all, { one: '# item snoozed.', other: '# items snoozed.' })
        },
      )
    work.mutate({ act, from })
  }
  const [first] = items
  if (!may || !first) return undefined
  return {
    assign: () => setOpen('assign'),
    unassign: () => assignTo(unassigned),
    snooze: () => setOpen('snooze'),
    wake: () => snoozeUntil(null, ''),
    pending: work.isPending,
    dialog:
      open === 'assign' ? (
        <AssignDialog
          kinds={[...new Set(items.map(({ kind }) => kind))]}
          count={items.length}
          onAssign={(to) => assignTo(to, open)}
          onClose={() => setOpen(null)}
        />
      ) : open === 'snooze' ? (
        <SnoozeDialog
          count={items.length}
          dueAt={items.reduce((least, { dueAt }) => (dueAt < least ? dueAt : least), first.dueAt)}
          onSnooze={(until, note) => snoozeUntil(until, note, open)}
          onClose={() => setOpen(null)}
        />
      ) : null,
  }
}

/** Returns an instant in seconds since 1970, as in all requests. */
function unixSeconds(at: Date | null): number | null {
  return at && Math.floor(at.getTime() / 1000)
}
