import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { setAbsence } from '#contract/office/absences.ts'
import {
  changeRoles,
  deactivateStaff,
  getStaffMember,
  inviteStaffAgain,
  listStaff,
  listStaffChanges,
  resetFactor,
  type StaffMember,
} from '#contract/office/staff.ts'
import { AbsenceDialog } from '../../records/absence-dialog.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { RolesField } from './roles-field.tsx'

export type StaffActionName = 'changeRoles' | 'inviteAgain' | 'setAbsence' | 'resetFactor' | 'deactivate'

interface ActionProps {
  member: StaffMember
  onClose: () => void
}

const refreshes = [listStaff, listStaffChanges, getStaffMember]

export function StaffActionDialog({ action, ...rest }: ActionProps & { action: StaffActionName }) {
  const dialogs: Readonly<Record<StaffActionName, (props: ActionProps) => ReactNode>> = {
    changeRoles: ChangeRolesDialog,
    inviteAgain: InviteAgainDialog,
    setAbsence: SetAbsenceDialog,
    resetFactor: ResetFactorDialog,
    deactivate: DeactivateDialog,
  }
  const Chosen = dialogs[action]
  return <Chosen {...rest} />
}

function ChangeRolesDialog({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  const [roles, setRoles] = useState([...member.roles])
  return (
    <ActionDialog
      endpoint={changeRoles}
      input={(reason) => ({ id: member.id, version: member.version, roles, reason })}
      refreshes={refreshes}
      done={t`The role change needs a second administrator’s approval.`}
      fields={['roles']}
      title={<Trans>Propose roles of {member.name}</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RolesField roles={roles} onRoles={setRoles} error={errors['roles']} />
          <p className="muted">{t`A second administrator must approve the change. Open sessions end when it takes effect.`}</p>
        </>
      )}
    </ActionDialog>
  )
}

function InviteAgainDialog({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  const waits = member.state === 'deactivated'
  return (
    <ActionDialog
      endpoint={inviteStaffAgain}
      input={(note) => ({ id: member.id, version: member.version, note })}
      refreshes={refreshes}
      done={
        waits
          ? t`A second administrator must approve the invitation before it is sent.`
          : t`We have sent a new invitation to ${member.email}.`
      }
      title={waits ? <Trans>Propose to invite {member.name} again</Trans> : <Trans>Invite {member.name} again</Trans>}
      command={waits ? <Trans>Propose</Trans> : <Trans>Invite again</Trans>}
      reason="optional"
      onClose={onClose}
    >
      <p>
        {waits
          ? t`A second administrator must approve the invitation before it is sent.`
          : t`The previous link stops working.`}
      </p>
    </ActionDialog>
  )
}

function SetAbsenceDialog({ member: { id, name, absence }, onClose }: ActionProps) {
  return (
    <AbsenceDialog
      endpoint={setAbsence}
      input={(days) => ({ id, ...days })}
      refreshes={refreshes}
      title={<Trans>Save absence of {name}</Trans>}
      absence={absence}
      onClose={onClose}
    />
  )
}

function ResetFactorDialog({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={resetFactor}
      input={(reason) => ({ id: member.id, version: member.version, reason })}
      refreshes={refreshes}
      done={t`The 2FA of ${member.name} has been reset.`}
      title={<Trans>Reset the 2FA of {member.name}</Trans>}
      command={<Trans>Reset 2FA</Trans>}
      kind="danger"
      onClose={onClose}
    >
      <p>{t`All sessions end. The person sets up 2FA again at the next sign-in. Verify their identity first.`}</p>
    </ActionDialog>
  )
}

function DeactivateDialog({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={deactivateStaff}
      input={(reason) => ({ id: member.id, version: member.version, reason })}
      refreshes={refreshes}
      done={t`${member.name} has been deactivated.`}
      title={<Trans>Deactivate {member.name}</Trans>}
      command={<Trans>Deactivate</Trans>}
      kind="danger"
      onClose={onClose}
    >
      <p>{t`All sessions end immediately and access is removed. Past decisions stay in the audit log.`}</p>
    </ActionDialog>
  )
}
