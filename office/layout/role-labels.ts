import { roleLabels } from '#contract/office/role-labels.ts'
import type { StaffRole } from '#rules/actors.ts'
import { useLabels } from '#ui/i18n/labels.ts'

/** Returns the role of a staff member in the reader's language (requirements 1.5 to 1.9). */
export function useRoleLabels(): (role: StaffRole) => string {
  return useLabels(roleLabels)
}
