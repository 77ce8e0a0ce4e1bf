import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { profile, updateEmploymentIncome } from '#contract/profile.ts'
import type { InputOf } from '#ui/call.ts'
import { useVerb } from '#ui/endpoint-query.ts'
import { useFormValues } from '#ui/form-values.ts'
import { tell } from '#ui/passing-notices.tsx'
import { useChoiceWord } from './choice-words.ts'
import { EmploymentFields, FinancialFields } from './income-fields.tsx'
import type { ProfileData } from './profile.tsx'
import { EditSection, ReadSection } from './section.tsx'

type Income = ProfileData['employmentIncome']

/** Employment & financial info: six fields, all required. */
export function EmploymentSection({ income }: { income: Income }) {
  const { t } = useLingui()
  const word = useChoiceWord()
  const [editing, setEditing] = useState(false)
  if (editing) return <IncomeForm income={income} onClose={() => setEditing(false)} />
  const shown = (choice: string | undefined) => (choice === undefined ? '–' : word(choice))
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={[
        { key: t`Industry`, value: shown(income?.industry) },
        { key: t`Position`, value: shown(income?.position) },
        { key: t`Source of funds`, value: shown(income?.fundSource) },
        { key: t`Annual salary in GBP`, value: shown(income?.annualSalary) },
        { key: t`Savings in GBP`, value: shown(income?.savings) },
        { key: t`Experience with financial products`, value: shown(income?.experience) },
      ]}
    />
  )
}

function IncomeForm({ income, onClose }: { income: Income; onClose: () => void }) {
  const { t } = useLingui()
  const form = useFormValues({
    industry: income?.industry ?? '',
    position: income?.position ?? '',
    fundSource: income?.fundSource ?? '',
    annualSalary: income?.annualSalary ?? '',
    savings: income?.savings ?? '',
    experience: income?.experience ?? '',
  })
  const save = useVerb(updateEmploymentIncome, {
    refreshes: [profile],
    onDone: () => {
      tell(t`Saved.`)
      onClose()
    },
    onFailure: form.refuse,
  })
  return (
    // The server checks each word against its list.
    <EditSection
      formRef={form.ref}
      onSave={() => save.mutate(form.values as InputOf<typeof updateEmploymentIncome>)}
      onCancel={onClose}
      pending={save.isPending}
      error={save.error}
    >
      <EmploymentFields form={form} />
      <FinancialFields form={form} />
    </EditSection>
  )
}
