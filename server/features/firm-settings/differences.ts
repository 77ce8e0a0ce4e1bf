/** Compares two values of a section path by path, for the page and the audit log. */
import { groupRowName } from '#rules/platform-groups.ts'

export interface Difference {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns the leaves of a value in its wire form: "lines.en.0" to its text. */
function collectLeaves(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (value === null || typeof value !== 'object') {
    into.set(path, value === null || value === undefined ? '' : String(value as string | number | boolean))
    return into
  }
  const row = groupRowName(value)
  if (row !== null) {
    into.set(`rows.${row}`, (value as { group: string }).group)
    return into
  }
  for (const [name, part] of Object.entries(value)) collectLeaves(part, path === '' ? name : `${path}.${name}`, into)
  return into
}

const byPath = new Intl.Collator('en', { numeric: true })

/**
 * Returns every leaf that was added, removed or changed, by path: the database orders the names of a stored value in
 * its own way, so the order of the values differs between the first change of a section and the next.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [from, to] = [collectLeaves(before, '', new Map()), collectLeaves(after, '', new Map())]
  const paths = new Set([...from.keys(), ...to.keys()])
  return [...paths]
    .filter((path) => from.get(path) !== to.get(path))
    .toSorted(byPath.compare)
    .map((path) => ({ path, before: from.get(path) ?? null, after: to.get(path) ?? null }))
}

/** Returns both sides for an event's details. */
export function detailsOf(section: string, changes: readonly Difference[]) {
  const side = (of: 'before' | 'after') => Object.fromEntries(changes.map((change) => [change.path, change[of]]))
  return { section, before: side('before'), after: side('after') }
}
