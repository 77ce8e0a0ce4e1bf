import type { OfficeEvent } from '#contract/office/decisions.ts'

/** Equal events in a row, newest first. */
export type EventGroup<Event extends OfficeEvent> = readonly [newest: Event, ...Event[]]

/**
 * Groups consecutive equal events: the same title by the same person from the same address. A change of state, a
 * decision and an event with a reason are not grouped.
 */
export function groupRepeated<Event extends OfficeEvent>(
  events: readonly Event[],
  title: (event: Event) => string,
): EventGroup<Event>[] {
  const groups: [Event, ...Event[]][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last && isRepeated(last[0], event, title)) last.push(event)
    else groups.push([event])
  }
  return groups
}

/** Returns the events of a group, oldest first, with consecutive equal changes once. */
export function distinctEvents<Event extends OfficeEvent>(group: EventGroup<Event>): Event[] {
  const changeOf = ({ before, after }: Event) => JSON.stringify([before, after])
  const inOrder = group.toReversed()
  return inOrder.filter((event, at) => {
    const earlier = inOrder[at - 1]
    return !earlier || changeOf(earlier) !== changeOf(event)
  })
}

function isRepeated<Event extends OfficeEvent>(newer: Event, older: Event, title: (event: Event) => string): boolean {
  return (
    [newer, older].every(({ from, to, reason, checks }) => from === to && reason === null && checks === undefined) &&
    newer.kind === older.kind &&
    newer.verb === older.verb &&
    newer.actor.kind === older.actor.kind &&
    newer.actor.id === older.actor.id &&
    newer.actor.isOperator === older.actor.isOperator &&
    newer.address === older.address &&
    title(newer) === title(older)
  )
}
