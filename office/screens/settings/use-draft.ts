/** A section's draft survives visits to other pages and a colleague's save: it is based on the value in force. */
import { useMemo, useSyncExternalStore } from 'react'
import { useStaff } from '../../session.ts'
import { type Json, jsonWith } from './draft.ts'
import { differencesOf } from '#rules/settings-changes.ts'
import { type StoredDraft, storedDrafts } from './draft-store.ts'
import { mergeDrafts } from './merge-drafts.ts'

/**
 * Returns the draft: the value in force with the own changes. `overtaken` says that another version came into force
 * since editing began.
 */
export function useStoredDraft({ section, value: saved, version }: { section: string; value: Json; version: number }) {
  const name = draftName(useStaff().staff.id, section)
  const kept = useSyncExternalStore(storedDrafts.subscribe, storedDrafts.all).get(name) ?? null
  const value = useMemo(() => mergeOntoStanding(saved, kept), [saved, kept])
  return {
    value,
    overtaken: kept !== null && kept.version !== version,
    set: (path: string, next: Json) => {
      const held = storedDrafts.all().get(name) ?? null
      const before = mergeOntoStanding(saved, held)
      const begun = held !== null && differencesOf(saved, before).length > 0 ? held.version : version
      const written = jsonWith(before, path, next)
      if (JSON.stringify(written) === JSON.stringify(saved)) storedDrafts.drop(name)
      else storedDrafts.keep(name, { version: begun, saved, value: written })
    },
    drop: () => storedDrafts.drop(name),
  }
}

/** Returns a function that tells whether a section has unsaved changes. */
export function useUnsaved(): (section: string) => boolean {
  const { staff } = useStaff()
  const drafts = useSyncExternalStore(storedDrafts.subscribe, storedDrafts.all)
  return (section) => {
    const kept = drafts.get(draftName(staff.id, section))
    return kept !== undefined && differencesOf(kept.saved, kept.value).length > 0
  }
}

/** Returns a key per person, so that drafts are never shown to or saved by another person. */
function draftName(staffId: string, section: string): string {
  return `${staffId} ${section}`
}

function mergeOntoStanding(saved: Json, kept: StoredDraft | null): Json {
  if (kept === null) return saved
  return kept.saved === saved ? kept.value : mergeDrafts(kept.saved, kept.value, saved)
}
