import { useState } from 'react'
import type { Overview } from '#contract/office/overview.ts'

type Needed = NonNullable<Overview['needsYou']>
type Item = Needed['items'][number]

interface Reading {
  readonly needed: Needed
  readonly at: Date
}

interface Seen extends Reading {
  readonly looks: number
  /** The items that came since the reader last looked. */
  readonly fresh: ReadonlySet<string>
}

/**
 * Returns how many of the shown items came since the reader last looked: when the part was first shown, empty or not, or
 * when they last asked for it to be read again.
 */
export function useNewItems(needed: Needed | null | undefined, at: Date | undefined, looks: number): number {
  const [seen, setSeen] = useState<Seen | null>(null)
  if (!needed || !at) return 0
  if (seen?.looks !== looks || seen.needed !== needed)
    setSeen({
      needed,
      at,
      looks,
      fresh: new Set(seen?.looks === looks ? [...seen.fresh, ...cameAfter(seen, needed)] : []),
    })
  return seen === null ? 0 : needed.items.filter(({ id }) => seen.fresh.has(id)).length
}

/**
 * Returns the items that were not among those of the reading before. The list shows only the first ones of them: an item
 * after the last one shown may have moved up, unless it opened or returned from its snooze since.
 */
function cameAfter(before: Reading, { items }: Needed): string[] {
  const known = new Set(before.needed.items.map(({ id }) => id))
  const last = before.needed.items.at(-1)
  const isWhole = before.needed.total <= before.needed.items.length
  const came = (item: Item) =>
    isWhole || last === undefined || isBefore(item, last) || (item.snoozedUntil ?? item.createdAt) > before.at
  return items.filter((item) => !known.has(item.id) && came(item)).map(({ id }) => id)
}

/** Returns whether an item is above another in the order of the list. */
function isBefore(one: Item, other: Item): boolean {
  const [due, otherDue] = [one.dueAt.getTime(), other.dueAt.getTime()]
  return due === otherDue ? one.id < other.id : due < otherDue
}
