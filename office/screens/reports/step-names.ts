import { useLingui } from '@lingui/react/macro'
import type { ReportStep } from '#contract/office/reports.ts'

/** Returns the labels of the periods by which deposits and withdrawals are summed. */
export function useStepNames(): Readonly<Record<ReportStep, string>> {
  const { t } = useLingui()
  return { day: t`By day`, week: t`By week`, month: t`By month` }
}
