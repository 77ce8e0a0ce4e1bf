import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
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
import { ActionDialog } from '../../records/action-dialog.tsx'
import { RolesField } from './roles-field.tsx'

export type StaffActionName = 'changeRoles' | 'inviteAgain' | 'resetFactor' | 'deactivate'

interface ActionProps {
  member: StaffMember
  onClose: () => void
}

const refreshes = [listStaff, listStaffChanges, getStaffMember]

export function StaffActionDialog({ action, ...rest }: ActionProps & { action: StaffActionName }) {
  const dialogs: Readonly<Record<StaffActionName, (props: ActionProps) => ReactNode>> = {
    changeRoles: ChangeRoles,
    inviteAgain: InviteAgain,
    resetFactor: ResetFactor,
    deactivate: Deactivate,
  }
  const Chosen = dialogs[action]
  return <Chosen {...rest} />
}

function ChangeRoles({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  const [roles, setRoles] = useState([...member.roles])
  return (
    <ActionDialog
      endpoint={changeRoles}
      input={(reason) => ({ id: member.id, version: member.version, roles, reason })}
      refreshes={refreshes}
      done={t`The change of roles waits for a second administrator.`}
      fields={['roles']}
      title={<Trans>Roles of {member.name}</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RolesField roles={roles} onRoles={setRoles} error={errors['roles']} />
          <p className="muted">
            <Trans>It waits for a second administrator. Open sessions end when it is in force.</Trans>
          </p>
        </>
      )}
    </ActionDialog>
  )
}

function InviteAgain({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  const waits = member.state === 'deactivated' && member.roles.includes('administrator')
  return (
    <ActionDialog
      endpoint={inviteStaffAgain}
      input={(note) => ({ id: member.id, version: member.version, note })}
      refreshes={refreshes}
      done={
        waits
          ? t`A second administrator agrees before the invitation leaves.`
          : t`A new invitation is on its way to ${member.email}.`
      }
      title={<Trans>Invite {member.name} again</Trans>}
      command={<Trans>Send invitation</Trans>}
      reason="optional"
      onClose={onClose}
    >
      <p>
        <Trans>The earlier link stops working.</Trans>
      </p>
    </ActionDialog>
  )
}

function ResetFactor({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={resetFactor}
      input={(reason) => ({ id: member.id, version: member.version, reason })}
      refreshes={refreshes}
      done={t`The second factor of ${member.name} is forgotten.`}
      title={<Trans>Forget the second factor of {member.name}</Trans>}
      command={<Trans>Forget it</Trans>}
      kind="danger"
      onClose={onClose}
    >
      <p>
        <Trans>Every session ends; the next sign-in sets up a new one. Make sure that you know who asks.</Trans>
      </p>
    </ActionDialog>
  )
}

function Deactivate({ member, onClose }: ActionProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={deactivateStaff}
      input={(reason) => ({ id: member.id, version: member.version, reason })}
      refreshes={refreshes}
      done={t`${member.name} is deactivated.`}
      title={<Trans>Deactivate {member.name}</Trans>}
      command={<Trans>Deactivate</Trans>}
      kind="danger"
      onClose={onClose}
    >
      <p>
        <Trans>Every session ends at once and the door closes. What the person decided stays in the log.</Trans>
      </p>
    </ActionDialog>
  )
}
