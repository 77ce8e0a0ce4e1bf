/** Commands of the palette: each opens its form or page and sends nothing. */
import {
  IconCalendarOff,
  IconFileImport,
  IconFileZip,
  IconInbox,
  IconKeyboard,
  IconLock,
  IconReplace,
  IconStack2,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { FoundClient } from '#contract/office/search.ts'
import { officePaths } from '#contract/office-paths.ts'
import { permissions, rolesFor, type Permission } from '#rules/permissions.ts'
import { clientMachine } from '#rules/clients.ts'
import { currencies } from '#rules/money.ts'
import { type StaffRole, staffRoles } from '#rules/actors.ts'
import { useStaff } from '../../session.ts'
import { goKeys } from '../go-keys.ts'
import { useRoleLabels } from '../role-labels.ts'
import type { PaletteItem } from './palette-items.ts'

/** A command of the palette; its `client` is the one of the form. */
interface Action extends Pick<PaletteItem, 'title' | 'href' | 'keys' | 'icon' | 'client'> {
  readonly note?: string
  readonly roles: readonly StaffRole[]
}

const rolesOf = (permission: Permission): readonly StaffRole[] => permissions[permission]

/** Returns general commands, and those for a found client. One without permission names the role that has it. */
export function useActionItems(): (client: FoundClient | null) => PaletteItem[] {
  const { t } = useLingui()
  const { staff } = useStaff()
  const roleLabel = useRoleLabels()
  const onlyFor = (roles: readonly StaffRole[]) => {
    // Administrators have the permissions of the other deciding roles; the first role is the one primarily responsible.
    const name = roleLabel(roles[0] ?? 'administrator')
    return t`${name} only`
  }
  const general: readonly Action[] = [
    {
      title: t`Open my reviews`,
      note: t`Inbox`,
      href: goKeys.n,
      keys: ['g', 'n'],
      icon: IconInbox,
      roles: rolesOf('assign'),
    },
    {
      title: t`Set my absence…`,
      href: `${officePaths.mySecurity}?open=absence`,
      icon: IconCalendarOff,
      roles: staffRoles,
    },
    ...currencies.map((currency) => ({
      title: t`Create payout batch in ${currency}…`,
      href: officePaths.newPayoutBatch(currency),
      icon: IconStack2,
      roles: rolesOf('createPayoutBatch'),
    })),
    {
      title: t`Import bank statement…`,
      note: t`CSV file`,
      href: `${officePaths.imports}?open=import`,
      icon: IconFileImport,
      roles: rolesOf('importStatement'),
    },
    {
      title: t`Enter payment manually…`,
      href: `${officePaths.imports}?open=type`,
      icon: IconKeyboard,
      roles: rolesOf('typeLine'),
    },
    {
      title: t`Request correction…`,
      href: `${officePaths.corrections}?open=request`,
      icon: IconReplace,
      roles: rolesOf('askCorrection'),
    },
    {
      title: t`Invite client…`,
      href: `${officePaths.clients}?open=invite`,
      icon: IconUserPlus,
      roles: rolesOf('inviteClient'),
    },
    {
      title: t`Invite staff member…`,
      href: `${officePaths.staff}?open=invite`,
      icon: IconUsersGroup,
      roles: rolesOf('inviteStaff'),
    },
  ]
  const ofClient = ({ id, name, status }: FoundClient): readonly Action[] => [
    ...(status === 'approved'
      ? [
          {
            title: t`Suspend ${name}…`,
            note: t`reason required`,
            href: `${officePaths.client(id)}?open=suspend`,
            icon: IconLock,
            roles: rolesFor(clientMachine, 'suspend'),
            client: id,
          },
        ]
      : []),
    {
      title: t`Evidence bundle for ${name}…`,
      note: t`a ZIP file with all documents and decisions`,
      href: `${officePaths.client(id)}?open=evidence`,
      icon: IconFileZip,
      roles: rolesOf('exportEvidence'),
      client: id,
    },
  ]
  return (client) =>
    [...(client ? ofClient(client) : []), ...general].map(({ roles, client: about, ...action }) => ({
      key: action.href,
      group: 'actions' as const,
      note: '',
      ...action,
      ...(about === undefined ? {} : { client: about }),
      ...(roles.some((role) => staff.roles.includes(role)) ? {} : { closed: onlyFor(roles) }),
    }))
}
