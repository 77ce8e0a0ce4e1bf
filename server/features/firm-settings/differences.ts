/** Compares two values of a section path by path, for the page and the audit log. */
import { type Difference, differencesOf } from '#rules/settings-changes.ts'

const byPath = new Intl.Collator('en', { numeric: true })

/**
 * Returns the differences by path: the database orders the names of a stored value in its own way, so the order of the
 * values differs between the first change of a section and the next.
 */
export function orderedDifferences(before: unknown, after: unknown): Difference[] {
  return differencesOf(before, after).toSorted((one, other) => byPath.compare(one.path, other.path))
}

/** Returns both sides for an event's details. */
export function detailsOf(section: string, changes: readonly Difference[]) {
  const side = (of: 'before' | 'after') => Object.fromEntries(changes.map((change) => [change.path, change[of]]))
  return { section, before: side('before'), after: side('after') }
}
