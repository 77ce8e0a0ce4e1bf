import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { Table, type Column, type Sort } from '#ui/data/table.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { useActorLabel } from './actor-label.ts'
import { EventChecks } from './event-checks.tsx'
import { useEventTitle } from './event-labels.ts'
import { EventDifference, hasDifference } from './event-difference.tsx'
import { distinctEvents, type EventGroup, groupRepeated } from './event-groups.ts'
import { EventTime, EventTitle } from './event-time.tsx'
import './event-table.css'

interface EventTableProps<Event extends OfficeEvent> {
  events: readonly Event[]
  busy?: boolean
  instead?: ReactNode
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Repeated events in a row are one row; the audit log shows each. */
  grouped?: boolean
  /** Columns before the time, such as the number in the audit log. */
  first?: readonly Column<Event>[]
  /** The column after the event, such as the client; below the event on a phone, unless a client is the actor. */
  more?: Column<Event>
}

/** A dense table of events: time, event, actor, origin, and values before and after. */
export function EventTable<Event extends OfficeEvent>({
  events,
  busy,
  instead,
  grouped = false,
  first = [],
  more,
  ...sorting
}: EventTableProps<Event>) {
  const { t } = useLingui()
  const title = useEventTitle()
  const actor = useActorLabel()
  const groups = grouped ? groupRepeated(events, title) : events.map((event): EventGroup<Event> => [event])
  const groupsById = new Map(groups.map((group) => [group[0].id, group]))
  const groupOf = (event: Event): EventGroup<Event> => groupsById.get(event.id) ?? [event]
  // Each repeated event has its own reference.
  const referenceOf = (event: Event) => (groupOf(event).length === 1 ? event.reference : null)
  return (
    <div className="event-table">
      <Table
        caption={t`Events`}
        rows={groups.map(([newest]) => newest)}
        rowKey={(event) => event.id}
        {...(busy === undefined ? {} : { busy })}
        instead={instead}
        {...sorting}
        columns={[
          ...first,
          {
            head: t`Time`,
            sort: 'at',
            phone: 'time',
            cell: (event) => <EventTime group={groupOf(event)} form="exact" />,
          },
          {
            head: t`Event`,
            phone: 'title',
            cell: (event) => (
              <>
                <span className="strong">
                  <EventTitle group={groupOf(event)} title={title(event)} />
                </span>
                {event.reason && (
                  <p className="muted event-reason">
                    <UserText>{event.reason}</UserText>
                  </p>
                )}
                <EventChecks event={event} />
                {more && event.actor.kind !== 'client' && <p className="event-more">{more.cell(event)}</p>}
              </>
            ),
          },
          ...(more ? [more] : []),
          { head: t`Person`, phone: 'figure', cell: (event) => actor(event) },
          {
            head: t`Changes`,
            phone: 'status',
            cell: (event) => {
              const changed = distinctEvents(groupOf(event)).filter(hasDifference)
              return (
                <>
                  {(changed.length > 0 ? changed : [event]).map((one) => (
                    <EventDifference key={one.id} event={one} />
                  ))}
                  <EventOrigin first={first} event={event} reference={referenceOf(event)} />
                </>
              )
            },
          },
          { head: t`IP address`, cell: (event) => <span className="muted numbers">{event.address ?? '–'}</span> },
          {
            head: t`Reference`,
            wideOnly: true,
            cell: (event) => <span className="muted numbers">{referenceOf(event) ?? '–'}</span>,
          },
        ]}
      />
    </div>
  )
}

interface EventOriginProps<Event extends OfficeEvent> extends Pick<Required<EventTableProps<Event>>, 'first'> {
  event: Event
  reference: string | null
}

/** The facts that have their own columns if there is room: the number in the audit log, IP address and reference. */
function EventOrigin<Event extends OfficeEvent>({ first, event, reference }: EventOriginProps<Event>) {
  const { t } = useLingui()
  return (
    <p className="event-origin">
      {first.map((column, index) => (
        <span key={index}>
          {column.head} {column.cell(event)}
        </span>
      ))}
      {event.address !== null && (
        <span>
          {t`IP address`} {event.address}
        </span>
      )}
      {reference !== null && (
        <span className="event-reference">
          {t`Reference`} <Codes>{reference}</Codes>
        </span>
      )}
    </p>
  )
}
