/** Names of the settings' sections. */
import { useLingui } from '@lingui/react/macro'
import type { SettingSection } from '#contract/setting-sections.ts'
import { codeAsText } from './work-item-labels.ts'

/** The order of the list: first what clients see, then payments, then operations of the firm. */
export const sectionOrder: readonly SettingSection[] = [
  'notice',
  'windDown',
  'firm',
  'help',
  'limits',
  'methods',
  'wireAccounts',
  'rates',
  'thresholds',
  'checks',
  'payouts',
  'countries',
  'legalTexts',
  'professional',
  'platforms',
  'platformGroups',
  'security',
  'rateLimits',
  'sla',
  'decisionsByPerson',
  'retention',
]

export function useSectionName(): (section: string) => string {
  const { t } = useLingui()
  const names: Readonly<Record<SettingSection | 'dueHours', string>> = {
    notice: t`Firm notice`,
    windDown: t`Wind-down`,
    firm: t`Branding`,
    help: t`Help`,
    limits: t`Limits`,
    methods: t`Payment methods`,
    wireAccounts: t`Client money accounts`,
    rates: t`Transfer rates`,
    thresholds: t`Dual approval`,
    payouts: t`Payout batches`,
    countries: t`Countries`,
    legalTexts: t`Legal texts`,
    professional: t`Professional status`,
    platforms: t`Platforms`,
    platformGroups: t`Platform groups`,
    security: t`Access`,
    rateLimits: t`Rate limits`,
    retention: t`Retention`,
    checks: t`Checks`,
    sla: t`SLA`,
    // Its name in the audit log before the due times were by kind (ADR 303).
    dueHours: t`SLA`,
    decisionsByPerson: t`Decisions by person`,
  }
  return (section) => (Object.hasOwn(names, section) ? names[section as keyof typeof names] : codeAsText(section))
}
