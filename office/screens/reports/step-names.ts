import { useLingui } from '@lingui/react/macro'
import type { ReportStep } from '#contract/office/reports.ts'

/** Returns what deposits and withdrawals are summed by, in words. */
export function useStepNames(): Readonly<Record<ReportStep, string>> {
  const { t } = useLingui()
  return { day: t`By day`, week: t`By week`, month: t`By month` }
}
