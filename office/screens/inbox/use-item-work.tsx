import { useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { assignItem, type InboxEntry, snoozeItem } from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { call } from '#ui/api/call.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { showFailure } from '../../records/show-failure.ts'
import { showUndoToast } from '../../records/undo-toast.tsx'
import { useMayDo, useStaff } from '../../session.ts'

const AssignDialog = lazyPart(async () => (await import('./dialogs.ts')).AssignDialog)
const SnoozeDialog = lazyPart(async () => (await import('./dialogs.ts')).SnoozeDialog)

type Item = Pick<InboxEntry, 'id' | 'kind' | 'dueAt'>

/** Actions on one or several items: assign, unassign, snooze; each with undo. */
export interface ItemWork {
  readonly assign: () => void
  readonly unassign: () => void
  readonly snooze: () => void
  readonly wake: () => void
  readonly pending: boolean
  readonly dialog: React.ReactNode
}

/** Returns the actions; undefined for readers who may not assign. `onDone` clears the selection. */
export function useItemWork(items: readonly Item[], onDone: () => void): ItemWork | undefined {
  const { t } = useLingui()
  const { staff } = useStaff()
  const may = useMayDo('assign')
  const queries = useQueryClient()
  const [open, setOpen] = useState<'assign' | 'snooze' | null>(null)
  const work = useMutation({
    networkMode: 'always',
    mutationFn: (act: () => Promise<void>) => act(),
    onSuccess: () => {
      setOpen(null)
      onDone()
    },
    onError: (thrown) => {
      setOpen(null)
      showFailure(thrown)
    },
    onSettled: () => void queries.invalidateQueries(),
  })
  const told = (text: string, undo: (() => Promise<unknown>)[]) =>
    showUndoToast(text, () =>
      work.mutate(async () => {
        for (const step of undo) await step()
        showToast(t`Undone.`)
      }),
    )
  const assignTo = (to: string) =>
    work.mutate(async () => {
      const undo = []
      let name = ''
      for (const { id } of items) {
        const { assignee, before } = await call(assignItem, { id, to })
        name = assignee?.name ?? ''
        undo.push(() => call(assignItem, { id, to: before?.id ?? unassigned, ...(before?.seen ? { seen: true } : {}) }))
      }
      const mine = to === 'me' || to === staff.id
      told(to === unassigned ? t`Unassigned.` : mine ? t`Assigned to you.` : t`Assigned to ${name}.`, undo)
    })
  const snoozeUntil = (until: Date | null, note: string) =>
    work.mutate(async () => {
      const undo = []
      for (const { id } of items) {
        const replaced = await call(snoozeItem, { id, until: onWire(until), note })
        const { before, note: noteBefore, back } = replaced
        undo.push(() =>
          call(snoozeItem, { id, until: onWire(before), note: noteBefore, ...(back ? { back: onWire(back) } : {}) }),
        )
      }
      const text =
        until === null
          ? t`Back in the inbox.`
          : plural(items.length, { one: '# item snoozed.', other: '# items snoozed.' })
      told(text, undo)
    })
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
        <AssignDialog kind={first.kind} count={items.length} onAssign={assignTo} onClose={() => setOpen(null)} />
      ) : open === 'snooze' ? (
        <SnoozeDialog
          count={items.length}
          dueAt={items.reduce((least, { dueAt }) => (dueAt < least ? dueAt : least), first.dueAt)}
          onSnooze={snoozeUntil}
          onClose={() => setOpen(null)}
        />
      ) : null,
  }
}

/** Returns an instant in seconds since 1970, as in all requests. */
function onWire(at: Date | null): number | null {
  return at && Math.floor(at.getTime() / 1000)
}
