import { useLingui } from '@lingui/react/macro'
import type { InboxEntry } from '#contract/office/inbox.ts'
import { useAbsenceLabel } from '../../records/absence.tsx'
import { useStaff } from '../../session.ts'

/** Returns a function that returns "Assigned to Paul Okafor, away until 3 December". */
export function useAssigneeLabel(): (assignee: NonNullable<InboxEntry['assignee']>) => string {
  const { t } = useLingui()
  const { staff } = useStaff()
  const absenceLabel = useAbsenceLabel()
  return ({ id, name, absence }) => {
    if (id === staff.id) return t`Assigned to you`
    const words = absence && absenceLabel(absence)
    return words ? t`Assigned to ${name}, ${words}` : t`Assigned to ${name}`
  }
}
