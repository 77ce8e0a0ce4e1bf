import { useLingui } from '@lingui/react/macro'
import { profile, updateEmploymentIncome, type ProfileData } from '#contract/profile.ts'
import type { InputOf } from '#ui/api/call.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ChoicesSection } from './choices-section.tsx'
import { EmploymentFields, FinancialFields } from './income-fields.tsx'

/** Employment & financial info: six fields, all required. */
export function EmploymentSection({ income }: { income: ProfileData['employmentIncome'] }) {
  const { t } = useLingui()
  const save = useEndpointMutation(updateEmploymentIncome, { refreshes: [profile] })
  return (
    <ChoicesSection
      names={{
        industry: t`Industry`,
        position: t`Position`,
        fundSource: t`Source of funds`,
        annualSalary: t`Annual salary in GBP`,
        savings: t`Savings in GBP`,
        experience: t`Experience with financial products`,
      }}
      kept={income}
      fields={(form) => (
        <>
          <EmploymentFields form={form} />
          <FinancialFields form={form} />
        </>
      )}
      // The server checks each word against its list.
      save={(chosen, told) => save.mutate(chosen as InputOf<typeof updateEmploymentIncome>, told)}
      pending={save.isPending}
      error={save.error}
    />
  )
}
