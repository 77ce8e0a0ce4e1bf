/** Merges the changes of two people to one section. */
import { type Json } from './draft.ts'
import { differencesOf } from '#rules/settings-changes.ts'

/**
 * Returns two changes of one value merged: the own changes on the value that another person put in force. Own changes
 * win conflicts; a list whose length changed is taken as a whole.
 */
export function mergeDrafts(before: Json, here: Json, there: Json): Json {
  const changedHere = differencesOf(before, here).length > 0
  if (!changedHere) return there
  if (differencesOf(before, there).length === 0) return here
  const [was, own, other] = [partsOf(before), partsOf(here), partsOf(there)]
  if (!was || !own || !other) return here
  if (!Array.isArray(here))
    return Object.fromEntries(
      [...new Set([...Object.keys(other), ...Object.keys(own)])].flatMap((name) => {
        const part = mergePart(was[name], own[name], other[name])
        return part === undefined ? [] : [[name, part]]
      }),
    )
  const sameLength = Object.keys(was).length === here.length && Object.keys(other).length === here.length
  return sameLength ? here.map((part, place) => mergeDrafts(was[place] ?? null, part, other[place] ?? null)) : here
}

type Parts = Readonly<Record<string, Json | undefined>>

function partsOf(value: Json): Parts | null {
  return value !== null && typeof value === 'object' ? (value as Parts) : null
}

/** Returns a property that was added or removed on one side as on that side. */
function mergePart(was: Json | undefined, own: Json | undefined, other: Json | undefined): Json | undefined {
  if (was !== undefined && own !== undefined && other !== undefined) return mergeDrafts(was, own, other)
  const isSame = own === undefined || was === undefined ? own === was : differencesOf(was, own).length === 0
  return isSame ? other : own
}
