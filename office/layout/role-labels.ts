import { useLingui } from '@lingui/react/macro'
import type { StaffRole } from '#rules/actors.ts'

/** The role of a staff member in the reader's language (requirements 1.5 to 1.9). */
export function useRoleLabels(): (role: StaffRole) => string {
  const { t } = useLingui()
  return (role) =>
    ({
      compliance: t`Compliance officer`,
      operations: t`Operations clerk`,
      finance: t`Finance supervisor`,
      administrator: t`Administrator`,
      auditor: t`Auditor`,
    })[role]
}
