import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  approveProfessional,
  requestMoreProfessional,
  rejectProfessional,
  reverseProfessional,
  type ProfessionalApplication,
} from '#contract/office/professional.ts'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import { call } from '#ui/api/call.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { type Decision, rejection } from '../../decision/decision.tsx'

/** Returns whether an account whose category a decision would change has no platform group to move to. */
function isGroupMissing({ state, accounts }: ProfessionalApplication, chosen: readonly string[]): boolean {
  return accounts.some(({ id, groupMissing }) => groupMissing && (!isOpenApplication(state) || chosen.includes(id)))
}

/** Returns whether an application can still be approved or rejected. */
export function isOpenApplication(state: ProfessionalApplication['state']): boolean {
  return state === 'pending' || state === 'more_asked'
}

/** Explains who can add a missing group. */
function GroupMissing({ application: { state } }: { application: ProfessionalApplication }) {
  if (isOpenApplication(state))
    return (
      <Trans>
        No professional platform group is set for a selected account. Clear the account, or have an administrator add
        the group in the settings, under Platform groups.
      </Trans>
    )
  return (
    <Trans>
      No retail platform group is set for an account of this client. Ask an administrator to add one in the settings,
      under Platform groups.
    </Trans>
  )
}

/** Returns the decisions on an application; an approval names the accounts, and its reason is logged. */
export function useApplicationDecisions(application: ProfessionalApplication, accounts: readonly string[]): Decision[] {
  const { t } = useLingui()
  const { id, version, client, passed, enough, tests } = application
  const contradicted = tests.filter(({ claimed, verdict }) => claimed && verdict === 'differs').length
  const reasons = rejectionReasons.professional ?? []
  const notYet = isGroupMissing(application, accounts) ? { notYet: <GroupMissing application={application} /> } : {}
  return [
    {
      ...rejection('professional', t`Reject the application of ${client.name}`, (texts) =>
        call(rejectProfessional, { id, version, ...texts }),
      ),
      reasons: reasons.filter(({ key }) => key !== 'professional-evidence'),
    },
    {
      action: 'askMore',
      label: <Trans>Request more information</Trans>,
      kind: 'outline',
      key: 'p',
      title: t`Request more information from ${client.name}`,
      words: 'client',
      reasons: reasons.filter(({ key }) => key === 'professional-evidence'),
      review: (
        <p className="muted">
          {t`The client can change the answers and submit the form again. The application stays pending until then.`}
        </p>
      ),
      send: (reason) => call(requestMoreProfessional, { id, version, reason }),
    },
    {
      action: 'approve',
      label: <Trans>Categorise as professional</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Categorise ${client.name} as professional`,
      words: 'log',
      ...notYet,
      review: (
        <>
          {!enough && (
            <Alert kind="wait">
              <Trans>Only {passed} of 3 criteria met. 2 are required. Explain your decision in the reason.</Trans>
            </Alert>
          )}
          {contradicted > 0 && (
            <Alert kind="wait">
              <Plural
                value={contradicted}
                one="The profile contradicts # answer. Explain your decision in the reason."
                other="The profile contradicts # answers. Explain your decision in the reason."
              />
            </Alert>
          )}
          <p>
            <Plural
              value={accounts.length}
              _0="The client’s accounts keep their category."
              one="# account is also categorised as professional."
              other="# accounts are also categorised as professional."
            />
          </p>
        </>
      ),
      send: (reason) => call(approveProfessional, { id, version, reason, accounts: [...accounts] }),
    },
    {
      action: 'reverse',
      label: <Trans>Recategorise as retail</Trans>,
      kind: 'danger',
      title: t`Recategorise ${client.name} as retail`,
      words: 'client',
      ...notYet,
      send: (reason) => call(reverseProfessional, { id, version, reason }),
    },
  ]
}
