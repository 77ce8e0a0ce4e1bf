import type { ComponentType } from 'react'
import type { SettingSection } from '#contract/setting-sections.ts'
import { Fields } from './fields.tsx'
import { CountriesForm } from './forms/countries-form.tsx'
import { FirmForm } from './forms/firm-form.tsx'
import { LegalTextsForm } from './forms/legal-texts-form.tsx'
import { MethodsForm } from './forms/methods-form.tsx'
import { LimitsForm, ThresholdsForm, WireAccountsForm } from './forms/money-forms.tsx'
import { NoticeForm } from './forms/notice-form.tsx'
import { RatesForm } from './forms/rates-form.tsx'
import { RetentionForm } from './forms/retention-form.tsx'
import {
  ChecksForm,
  DueHoursForm,
  PayoutsForm,
  PlatformsForm,
  ProfessionalForm,
  RateLimitsForm,
  SecurityForm,
  WindDownForm,
} from './forms/operations-forms.tsx'

const forms: Readonly<Record<SettingSection, ComponentType>> = {
  notice: NoticeForm,
  windDown: WindDownForm,
  firm: FirmForm,
  limits: LimitsForm,
  methods: MethodsForm,
  wireAccounts: WireAccountsForm,
  rates: RatesForm,
  thresholds: ThresholdsForm,
  payouts: PayoutsForm,
  countries: CountriesForm,
  legalTexts: LegalTextsForm,
  professional: ProfessionalForm,
  platforms: PlatformsForm,
  security: SecurityForm,
  rateLimits: RateLimitsForm,
  checks: ChecksForm,
  dueHours: DueHoursForm,
  retention: RetentionForm,
}

/** Their parts unfold for the person who only reads, too: each locks its own fields. */
const unfolding: readonly SettingSection[] = ['legalTexts', 'methods']

export function SectionForm({ section }: { section: SettingSection }) {
  const Form = forms[section]
  if (unfolding.includes(section))
    return (
      <div className="stack">
        <Form />
      </div>
    )
  return (
    <Fields>
      <Form />
    </Fields>
  )
}
