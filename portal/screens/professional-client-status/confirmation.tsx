import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { useFirm } from '#ui/layout/firm.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { retailLeverage } from '#rules/constants.ts'
import { leverageText } from '#ui/text/code-format.ts'
import { openContactForm } from '../../layout/panel.ts'
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
  const ended = application?.ended === true
  return (
    <div className="form stack-6">
      <Outcome status={ended ? 'ended' : (application?.status ?? 'pending')} />
      {application && !ended && (
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
        <Alert kind={ended ? 'plain' : 'bad'}>
          <UserText>{application.reason}</UserText>
        </Alert>
      )}
      <div className="row wrap">
        {rejected && <Button onClick={onAgain}>{t`Apply again`}</Button>}
        {application?.status === 'approved' && (
          <Button onClick={() => openContactForm('')}>{t`Send us a message`}</Button>
        )}
        <ButtonLink href={portalPaths.home} kind="primary">{t`BACK TO DASHBOARD`}</ButtonLink>
      </div>
    </div>
  )
}

function Outcome({ status }: { status: 'pending' | 'approved' | 'rejected' | 'ended' }) {
  const firm = useFirm()?.name ?? ''
  const leverage = leverageText(retailLeverage)
  if (status === 'ended')
    return (
      <StepHeader level={2} title={<Trans>You are a retail client again</Trans>}>
        <Trans>All retail client protections and the leverage of {leverage} apply again.</Trans>
      </StepHeader>
    )
  if (status === 'rejected') return <StepHeader level={2} title={<Trans>Your application was rejected</Trans>} />
  if (status === 'approved')
    return (
      <StepHeader level={2} title={<Trans>You are a professional client</Trans>}>
        <Trans>
          You can request higher leverage in the settings of each of your professional accounts. To become a retail
          client again, send us a message.
        </Trans>
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
