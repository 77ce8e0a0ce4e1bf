import { useState } from 'react'
import type { InboxEntry } from '#contract/office/inbox.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** With `range`, selects everything between the last one and this one. */
  readonly toggle: (id: string, range?: boolean) => void
  readonly clear: () => void
}

/** Returns the selected items; items that have left the list are no longer selected. */
export function useSelection(items: readonly InboxEntry[]): Selection & { readonly items: readonly InboxEntry[] } {
  const [chosen, setChosen] = useState<{ ids: ReadonlySet<string>; last: string | null }>({
    ids: new Set(),
    last: null,
  })
  const selected = items.filter(({ id }) => chosen.ids.has(id))
  const toggle = (id: string, range = false) => {
    const place = items.findIndex((one) => one.id === id)
    const from = range ? items.findIndex((one) => one.id === chosen.last) : -1
    const ids = new Set(chosen.ids)
    if (from >= 0) {
      for (const one of items.slice(Math.min(from, place), Math.max(from, place) + 1)) ids.add(one.id)
    } else if (!ids.delete(id)) ids.add(id)
    setChosen({ ids, last: id })
  }
  return {
    ids: new Set(selected.map(({ id }) => id)),
    items: selected,
    toggle,
    clear: () => setChosen({ ids: new Set(), last: null }),
  }
}
