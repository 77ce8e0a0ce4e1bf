import { Trans } from '@lingui/react/macro'
import { type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { Timeline } from '#ui/data/timeline.tsx'
import { DecisionChecks } from '../../decision/decision-checks.tsx'
import type { Acknowledging } from '../../decision/use-acknowledged.ts'
import { markOfEvent } from '../../records/event-mark.tsx'
import { useEventTitle } from '../../records/event-labels.ts'
import { FactorResetSection } from './factor-reset-section.tsx'
import { NotesSection } from './notes-section.tsx'
import { RiskSection } from './risk-section.tsx'
import { SecurityAnswer } from './security-answer.tsx'

const latestMax = 4

/** The checks of a client who is to be approved, risk, the security answer, notes, and what happened last. */
export function ClientSidebar({ client, acknowledging }: { client: OfficeClient; acknowledging: Acknowledging }) {
  const title = useEventTitle()
  const { data } = useEndpoint(getClientEvents, { id: client.id, size: latestMax })
  const { events } = client.counts
  return (
    <aside className="client-side">
      {client.state === 'pending' && (
        <DecisionChecks kind="client" record={client.id} checks={client.decisionChecks} acknowledging={acknowledging} />
      )}
      <RiskSection client={client} />
      <SecurityAnswer client={client} />
      <FactorResetSection client={client} />
      <NotesSection client={client} />
      <section>
        <h2>
          <Trans>Latest</Trans>
        </h2>
        <Timeline
          entries={(data?.rows ?? []).map((event) => ({
            mark: markOfEvent(event),
            title: title(event),
            time: <Time at={event.at} />,
          }))}
        />
        <p>
          <Link href={`${officePaths.client(client.id)}?tab=timeline`}>
            <Trans>All {events} events</Trans>
          </Link>
        </p>
      </section>
    </aside>
  )
}
