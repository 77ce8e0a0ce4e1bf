/** Unsaved drafts of the settings, kept in memory until their author logs out. */
import type { Json } from './draft.ts'

export interface StoredDraft {
  /** The version of the section when editing began. */
  readonly version: number
  /** The value in force at the last edit. */
  readonly saved: Json
  readonly value: Json
}

let drafts: ReadonlyMap<string, StoredDraft> = new Map()
const listeners = new Set<() => void>()

function setDrafts(next: ReadonlyMap<string, StoredDraft>): void {
  drafts = next
  for (const listener of listeners) listener()
}

export const storedDrafts = {
  all: () => drafts,
  keep: (name: string, kept: StoredDraft) => setDrafts(new Map([...drafts, [name, kept]])),
  drop: (name: string) => setDrafts(new Map([...drafts].filter(([one]) => one !== name))),
  forget: () => setDrafts(new Map()),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
