/** Drafts of forms: unsent entries survive a reload in this tab; files are named by their ids on the server. */
import * as z from 'zod/mini'

const entries = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
const draft = z.object({ over: entries, typed: entries })

/** Returns whether entries differ from what is saved. */
export function hasChanges<Values extends object>(typed: Values, saved: Values): boolean {
  return (Object.keys(saved) as (keyof Values)[]).some((name) => typed[name] !== saved[name])
}

/** Returns the entries over `saved`; `saved` itself if there are none, or if something else has been saved since. */
export function readDraft<Values extends object>(name: string, saved: Values): Values {
  const kept = sessionStorage.getItem(name)
  const found = draft.safeParse(kept === null ? null : JSON.parse(kept))
  if (!found.success) return saved
  const { over, typed } = found.data
  const isOfSame = Object.entries(saved).every(
    ([key, value]) => over[key] === value && typeof typed[key] === typeof value,
  )
  return isOfSame ? (typed as Values) : saved
}

/** Stores the entries over `saved`; deletes the draft if they are equal. `secrets` are never stored. */
export function storeDraft<Values extends object>(
  name: string,
  saved: Values,
  typed: Values,
  secrets: readonly (keyof Values)[] = [],
): void {
  const kept = { ...typed, ...Object.fromEntries(secrets.map((secret) => [secret, saved[secret]])) }
  if (hasChanges(kept, saved)) sessionStorage.setItem(name, JSON.stringify({ over: saved, typed: kept }))
  else sessionStorage.removeItem(name)
}
