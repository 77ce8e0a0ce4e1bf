import { Trans } from '@lingui/react/macro'
import type { ProfessionalApplication } from '#contract/office/professional.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { RecordSection } from '../../decision/client-facts.tsx'

/** Earlier applications of the same client, with what became of them. */
export function EarlierApplications({ earlier }: Pick<ProfessionalApplication, 'earlier'>) {
  return (
    <RecordSection title={<Trans>Previous applications</Trans>}>
      <ul className="earlier-applications">
        {earlier.map(({ id, state, submittedAt, reason }) => (
          <li key={id}>
            <Link href={officePaths.professionalApplication(id)}>
              <Time at={submittedAt} form="day" />
            </Link>{' '}
            <StatusBadge state={state} />
            {reason !== null && reason !== '' && (
              <span className="muted">
                {' '}
                “<UserText>{reason}</UserText>”
              </span>
            )}
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}
