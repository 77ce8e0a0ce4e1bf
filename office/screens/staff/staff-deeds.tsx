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
import { useVerb } from '#ui/endpoint-query.ts'
import { fieldErrors } from '#ui/failure.ts'
import { tell } from '#ui/passing-notices.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { RolesField } from './roles-field.tsx'

export type StaffDeed = 'changeRoles' | 'inviteAgain' | 'resetFactor' | 'deactivate'

interface DeedProps {
  member: StaffMember
  onClose: () => void
}

const refreshes = [listStaff, listStaffChanges, getStaffMember]

export function StaffDeedDialog({ deed, ...rest }: DeedProps & { deed: StaffDeed }) {
  const dialogs: Readonly<Record<StaffDeed, (props: DeedProps) => ReactNode>> = {
    changeRoles: ChangeRoles,
    inviteAgain: InviteAgain,
    resetFactor: ForgetFactor,
    deactivate: Deactivate,
  }
  const Chosen = dialogs[deed]
  return <Chosen {...rest} />
}

function ChangeRoles({ member, onClose }: DeedProps) {
  const { t } = useLingui()
  const [roles, setRoles] = useState([...member.roles])
  const verb = useVerb(changeRoles, {
    refreshes,
    onDone: () => {
      tell(t`The change of roles waits for a second administrator.`)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={<Trans>Roles of {member.name}</Trans>}
      command={<Trans>Propose</Trans>}
      pending={verb.isPending}
      failure={verb.error}
      onClose={onClose}
      onConfirm={(reason) => verb.mutate({ id: member.id, version: member.version, roles, reason })}
    >
      <RolesField roles={roles} onRoles={setRoles} error={fieldErrors(verb.error)['roles']} />
      <p className="muted">
        <Trans>It waits for a second administrator. Open sessions end when it is in force.</Trans>
      </p>
    </ReasonDialog>
  )
}

function InviteAgain({ member, onClose }: DeedProps) {
  const { t } = useLingui()
  const verb = useVerb(inviteStaffAgain, {
    refreshes,
    onDone: () => {
      tell(t`A new invitation is on its way to ${member.email}.`)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={<Trans>Invite {member.name} again</Trans>}
      command={<Trans>Send invitation</Trans>}
      reason="optional"
      pending={verb.isPending}
      failure={verb.error}
      onClose={onClose}
      onConfirm={(note) => verb.mutate({ id: member.id, version: member.version, note })}
    >
      <p>
        <Trans>The earlier link stops working.</Trans>
      </p>
    </ReasonDialog>
  )
}

function ForgetFactor({ member, onClose }: DeedProps) {
  const { t } = useLingui()
  const verb = useVerb(resetFactor, {
    refreshes,
    onDone: () => {
      tell(t`The second factor of ${member.name} is forgotten.`)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={<Trans>Forget the second factor of {member.name}</Trans>}
      command={<Trans>Forget it</Trans>}
      kind="danger"
      pending={verb.isPending}
      failure={verb.error}
      onClose={onClose}
      onConfirm={(reason) => verb.mutate({ id: member.id, version: member.version, reason })}
    >
      <p>
        <Trans>Every session ends; the next sign-in sets up a new one. Make sure that you know who asks.</Trans>
      </p>
    </ReasonDialog>
  )
}

function Deactivate({ member, onClose }: DeedProps) {
  const { t } = useLingui()
  const verb = useVerb(deactivateStaff, {
    refreshes,
    onDone: () => {
      tell(t`${member.name} is deactivated.`)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={<Trans>Deactivate {member.name}</Trans>}
      command={<Trans>Deactivate</Trans>}
      kind="danger"
      pending={verb.isPending}
      failure={verb.error}
      onClose={onClose}
      onConfirm={(reason) => verb.mutate({ id: member.id, version: member.version, reason })}
    >
      <p>
        <Trans>Every session ends at once and the door closes. What the person decided stays in the log.</Trans>
      </p>
    </ReasonDialog>
  )
}
