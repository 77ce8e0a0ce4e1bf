import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { useFirm } from '#ui/layout/firm.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { StepHeader } from '#ui/layout/wizard.tsx'
import { UserText } from '#ui/text/user-text.tsx'

interface ConfirmationProps {
  application: ResponseOf<typeof getProfessionalClientsApplication>['application']
  onAgain: () => void
}

/** Step 6: the application has been submitted, with the next steps; after the decision, its outcome. */
export function Confirmation({ application, onAgain }: ConfirmationProps) {
  const { t } = useLingui()
  const rejected = application?.status === 'rejected'
  return (
    <div className="form stack-6">
      <Outcome status={application?.status ?? 'pending'} />
      {application && (
        <p className="row wrap">
          <StatusBadge record="professional" state={application.status} />
          <span className="muted size-14">
            <Trans>
              Submitted on <Time at={application.submittedAt} />
            </Trans>
          </span>
        </p>
      )}
      {rejected && application.reason && (
        <Alert kind="bad">
          <UserText>{application.reason}</UserText>
        </Alert>
      )}
      <div className="row wrap">
        {rejected && <Button onClick={onAgain}>{t`Apply again`}</Button>}
        <ButtonLink href={portalPaths.home} kind="primary">{t`BACK TO DASHBOARD`}</ButtonLink>
      </div>
    </div>
  )
}

function Outcome({ status }: { status: 'pending' | 'approved' | 'rejected' }) {
  const firm = useFirm()?.name ?? ''
  if (status === 'rejected') return <StepHeader level={2} title={<Trans>Your application was rejected</Trans>} />
  if (status === 'approved')
    return (
      <StepHeader level={2} title={<Trans>You are a professional client</Trans>}>
        <Trans>You can request higher leverage in the settings of each of your professional accounts.</Trans>
      </StepHeader>
    )
  return (
    <StepHeader level={2} title={<Trans>PROFESSIONAL CLIENT STATUS SUBMITTED</Trans>}>
      <Trans>
        {firm} will be in touch if more information is needed. You will get an email and a notification with the
        decision.
      </Trans>
    </StepHeader>
  )
}
