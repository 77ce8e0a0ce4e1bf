import { useLingui } from '@lingui/react/macro'
import { roleLabels } from '#contract/office/role-labels.ts'
import type { StaffRole } from '#rules/actors.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { listFormat } from '#ui/text/formats.ts'

/** Returns a function that returns the label of a staff role (requirements 1.5 to 1.9). */
export function useRoleLabels(): (role: StaffRole) => string {
  return useLabels(roleLabels)
}

/** Returns a function that returns which role a decision needs, for a person without one of them. */
export function useRequiredRole(): (roles: readonly StaffRole[]) => string {
  const { t, i18n } = useLingui()
  const label = useRoleLabels()
  return (required) => {
    const roles = listFormat(i18n.locale, { type: 'disjunction' }).format(required.map(label))
    return t`Required role: ${roles}.`
  }
}
