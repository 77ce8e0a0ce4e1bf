import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment } from 'react'
import { reportFrequencyLabels } from '#contract/office/report-schedules.ts'
import { reportLabels } from '#contract/office/reports.ts'
import { getStaffMember, listStaff, type StaffMember } from '#contract/office/staff.ts'
import { endAbsence } from '#contract/office/absences.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Time } from '#ui/text/time.tsx'
import { Timeline } from '#ui/data/timeline.tsx'
import { IconPoint } from '@tabler/icons-react'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import { useActorLabel } from '../../records/actor-label.ts'
import { useEventTitle } from '../../records/event-labels.ts'
import { useConfirmation } from '../../records/confirmation.ts'
import { showFailure } from '../../records/show-failure.ts'
import { StaffState } from './staff-state.tsx'
import { type StaffActionName, StaffActionDialog } from './staff-actions.tsx'

/** One staff member: the actions, never on one's own permissions, and the latest events. */
export function StaffDrawer({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const { t } = useLingui()
  const look = useConfirmation<StaffActionName>()
  const roleWord = useRoleLabels()
  const title = useEventTitle()
  const actor = useActorLabel()
  const { data } = useEndpoint(getStaffMember, { id: member.id })
  if (look.open) return <StaffActionDialog action={look.open} member={member} onClose={look.leave} />
  const refusal = (verb: string) => member.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const buttons: readonly { action: StaffActionName; label: string; kind: 'outline' | 'danger' }[] = [
    { action: 'changeRoles', label: t`Change roles…`, kind: 'outline' },
    { action: 'inviteAgain', label: t`Invite again…`, kind: 'outline' },
    { action: 'setAbsence', label: member.absence ? t`Change absence…` : t`Set absence…`, kind: 'outline' },
    { action: 'resetFactor', label: t`Reset 2FA…`, kind: 'outline' },
    { action: 'deactivate', label: t`Deactivate…`, kind: 'danger' },
  ]
  const shown = buttons.filter(({ action: one }) => !['wrong-state', 'wrong-role'].includes(refusal(one)?.code ?? ''))
  return (
    <Drawer title={member.name} onClose={onClose}>
      <div className="stack-6">
        <DescriptionList
          rows={[
            { key: <Trans>Email</Trans>, value: member.email },
            { key: <Trans>Status</Trans>, value: <StaffState state={member.state} /> },
            { key: <Trans>Roles</Trans>, value: member.roles.map(roleWord).join(', ') },
            member.absence && { key: <Trans>Absence</Trans>, value: <AbsenceLine absence={member.absence} /> },
            {
              key: <Trans>Two-factor authentication (2FA)</Trans>,
              value: member.secondFactor ? t`Set up` : t`Not yet`,
            },
            { key: <Trans>Last sign-in</Trans>, value: <Time at={member.lastSignInAt} /> },
            { key: <Trans>Active sessions</Trans>, value: member.openSessions },
            { key: <Trans>Invited by</Trans>, value: member.invitedBy?.name ?? '–' },
            member.pausedReports.length > 0 && {
              key: <Trans>Paused reports</Trans>,
              value: <PausedReports paused={member.pausedReports} />,
            },
          ]}
        />
        {member.self ? (
          <Alert title={<Trans>This is your account</Trans>}>
            <p>
              <Trans>
                You cannot change your own roles. Ask another administrator. Change your password and your absence under
                My security.
              </Trans>
            </p>
          </Alert>
        ) : (
          <div className="row wrap">
            {shown.map(({ action: one, label, kind }) => (
              <Fragment key={one}>
                <Button
                  ref={look.opener(one)}
                  kind={kind}
                  disabledReason={refusal(one)?.text}
                  onClick={() => look.ask(one)}
                >
                  {label}
                </Button>
                {one === 'setAbsence' && member.absence && refusal(one) === null && <EndAbsence member={member} />}
              </Fragment>
            ))}
          </div>
        )}
        {data && data.timeline.length > 0 && (
          <section className="stack-2">
            <h3>{t`Latest`}</h3>
            <Timeline
              entries={data.timeline.slice(0, 12).map((event) => ({
                mark: <IconPoint className="small muted" aria-hidden="true" />,
                title: title(event),
                text:
                  [event.actor.isOperator ? actor(event) : event.actor.name, event.reason].filter(Boolean).join(': ') ||
                  undefined,
                time: <Time at={event.at} />,
              }))}
            />
          </section>
        )}
      </div>
    </Drawer>
  )
}

function EndAbsence({ member: { id, name, absence } }: { member: StaffMember }) {
  const { t } = useLingui()
  const end = useEndpointMutation(endAbsence, {
    refreshes: [listStaff, getStaffMember],
    onDone: () => showToast(() => t`The absence of ${name} has ended.`),
    onFailure: showFailure,
  })
  return <Button pending={end.isPending} onClick={() => end.mutate({ id, before: absence })}>{t`End absence`}</Button>
}

/** The scheduled reports that are paused, and what would resume them. */
function PausedReports({ paused }: { paused: StaffMember['pausedReports'] }) {
  const { t, i18n } = useLingui()
  const name = useLabels(reportLabels)
  const often = useLabels(reportFrequencyLabels)
  const words = paused.map(
    ({ report, frequency }) => `${name(report)} (${often(frequency).toLocaleLowerCase(i18n.locale)})`,
  )
  return (
    <>
      <span className="tone-wait">{words.join(', ')}</span>
      <p className="muted">{t`No access. The emails resume when the person has access again.`}</p>
    </>
  )
}
