import { Trans } from '@lingui/react/macro'
import { Timeline } from '#ui/data/timeline.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { useActorLabel } from '../records/actor-label.ts'
import { EventChecks } from '../records/event-checks.tsx'
import { type EventGroup, groupRepeated } from '../records/event-groups.ts'
import { markOfEvent } from '../records/event-mark.tsx'
import { useEventTitle } from '../records/event-labels.ts'
import { EventTime, EventTitle } from '../records/event-time.tsx'
import { Quoted } from '../records/quoted.tsx'
import { DueBy } from './due-labels.tsx'
import type { OfficeRecord } from './decision.tsx'
import './decision.css'

/** The history of a record, newest first, below what it waits for. Times are in the firm's time zone. */
export function RecordTimeline({ record }: { record: Pick<OfficeRecord, 'timeline' | 'item' | 'client' | 'state'> }) {
  const title = useEventTitle()
  const waits = record.item && {
    title: <PendingStep state={record.state} />,
    time: <DueBy at={record.item.dueAt} />,
  }
  const titleAndText = (event: OfficeEvent) => [title(event), ...Object.values(staffTextOf(event))].join(' ')
  const past = groupRepeated(record.timeline, titleAndText).map((group) => entryOf(group, title(group[0]), record))
  return <Timeline entries={[...(waits ? [waits] : []), ...past]} />
}

function entryOf(group: EventGroup<OfficeEvent>, title: string, { client }: Pick<OfficeRecord, 'client'>) {
  const [event] = group
  return {
    mark: markOfEvent(event),
    title: <EventTitle group={group} title={title} />,
    text: (
      <>
        {event.actor.name ?? (event.actor.kind === 'client' ? client?.name : null) ?? <Actor event={event} />}
        {event.reason && (
          <>
            {' · '}
            <Quoted>{event.reason}</Quoted>
          </>
        )}
        <StaffText event={event} />
        {typeof event.after?.['clientReason'] === 'string' && (
          <span className="timeline-told">
            <Trans>
              Text for the client: “<UserText>{event.after['clientReason']}</UserText>”
            </Trans>
          </span>
        )}
        <EventChecks event={event} />
      </>
    ),
    time: (
      <>
        <EventTime group={group} />
        {event.address && <> · {event.address}</>}
      </>
    ),
  }
}

/** Returns a comment or the note of a snooze, and the person to whom an item was assigned. */
function staffTextOf({ after }: Pick<OfficeEvent, 'after'>) {
  const text = (name: string) => (typeof after?.[name] === 'string' ? after[name] : null)
  return { comment: text('comment') ?? (text('until') === null ? null : text('note')), assignee: text('assignee') }
}

function StaffText({ event }: { event: OfficeEvent }) {
  const { comment, assignee } = staffTextOf(event)
  return (
    <>
      {assignee !== null && <> → {assignee}</>}
      {comment !== null && (
        <span className="timeline-told">
          <Quoted>{comment}</Quoted>
        </span>
      )}
    </>
  )
}

function PendingStep({ state }: Pick<OfficeRecord, 'state'>) {
  if (state === 'second_approval') return <Trans>Awaiting second approval</Trans>
  // Decided: only the bank has not sent it yet.
  if (state === 'approved') return <Trans>Ready for payout</Trans>
  return <Trans>Awaiting a decision</Trans>
}

function Actor({ event }: { event: OfficeEvent }) {
  const label = useActorLabel()
  const { kind } = event.actor
  if (kind === 'client') return <Trans>The client</Trans>
  if (kind === 'staff') return <Trans>A colleague</Trans>
  return label(event)
}
