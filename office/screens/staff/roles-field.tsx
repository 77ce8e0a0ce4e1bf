import { Trans } from '@lingui/react/macro'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { FieldGroup } from '#ui/forms/field.tsx'
import { useRoleLabels } from '../../layout/role-labels.ts'

interface RolesFieldProps {
  roles: readonly StaffRole[]
  onRoles: (roles: StaffRole[]) => void
  error?: string | undefined
}

/** One or more roles; an auditor must have no other. */
export function RolesField({ roles, onRoles, error }: RolesFieldProps) {
  const word = useRoleLabels()
  return (
    <FieldGroup
      label={<Trans>Roles</Trans>}
      hint={<Trans>Auditors have read-only access and cannot hold another role.</Trans>}
      error={error}
    >
      {() => (
        <div className="staff-roles">
          {staffRoles.map((role) => (
            <Checkbox
              key={role}
              checked={roles.includes(role)}
              onChange={(event) =>
                onRoles(staffRoles.filter((one) => (one === role ? event.target.checked : roles.includes(one))))
              }
            >
              {word(role)}
            </Checkbox>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
