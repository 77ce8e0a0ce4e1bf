import { roleLabels } from '#contract/office/role-labels.ts'
import type { StaffRole } from '#rules/actors.ts'
import { useLabels } from '#ui/i18n/labels.ts'

/** Returns a function that returns the label of a staff role (requirements 1.5 to 1.9). */
export function useRoleLabels(): (role: StaffRole) => string {
  return useLabels(roleLabels)
}
