import { useState } from 'react'
import type { InboxEntry } from '#contract/office/inbox.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** With `range`, everything from the last one on. */
  readonly toggle: (id: string, range?: boolean) => void
  readonly clear: () => void
}

/** Which items are selected; what has left the list is selected no longer. */
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
