/** What is written in the settings and not saved yet, on this page alone, until whoever wrote it logs out. */
import type { Json } from './draft.ts'

export interface Kept {
  /** Of the section when the writing began. */
  readonly version: number
  /** What was in force when it was last written on. */
  readonly standing: Json
  readonly value: Json
}

let drafts: ReadonlyMap<string, Kept> = new Map()
const listeners = new Set<() => void>()

function become(next: ReadonlyMap<string, Kept>): void {
  drafts = next
  for (const listener of listeners) listener()
}

export const keptDrafts = {
  all: () => drafts,
  keep: (name: string, kept: Kept) => become(new Map([...drafts, [name, kept]])),
  drop: (name: string) => become(new Map([...drafts].filter(([one]) => one !== name))),
  forget: () => become(new Map()),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
