import { useLingui } from '@lingui/react/macro'
import { annualSalaries, financialExperiences, fundSources, industries, positions, savings } from '#rules/choices.ts'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import type { useFormValues } from '#ui/forms/form-state.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Select } from '#ui/forms/select.tsx'

type Form<Values extends object> = ReturnType<typeof useFormValues<Values>>

interface Employment {
  industry: string
  position: string
  fundSource: string
}

/** The fields of employment information; the form's other values do not matter. */
export function EmploymentFields<Values extends Employment>({ form }: { form: Form<Values> }) {
  const { t } = useLingui()
  const options = useChoiceOptions()
  return (
    <>
      <Select
        {...form.text('industry')}
        label={t`Industry`}
        options={options(industries)}
        placeholder={t`Choose an option`}
        required
      />
      <RadioCards {...choiceProps(form, 'position')} label={t`Position`} tiles={options(positions)} across={2} />
      <RadioCards
        {...choiceProps(form, 'fundSource')}
        label={t`Where does the money you will trade with come from?`}
        tiles={options(fundSources)}
        across={2}
      />
    </>
  )
}

interface Financial {
  annualSalary: string
  savings: string
  experience: string
}

/** Financial information, in GBP. */
export function FinancialFields<Values extends Financial>({ form }: { form: Form<Values> }) {
  const { t } = useLingui()
  const options = useChoiceOptions()
  return (
    <>
      <Select
        {...form.text('annualSalary')}
        label={t`Annual salary in GBP`}
        options={options(annualSalaries)}
        placeholder={t`Choose an option`}
        required
      />
      <Select
        {...form.text('savings')}
        label={t`Savings in GBP`}
        options={options(savings)}
        placeholder={t`Choose an option`}
        required
      />
      <RadioCards
        {...choiceProps(form, 'experience')}
        label={t`Experience with financial products`}
        tiles={options(financialExperiences)}
        across={2}
      />
    </>
  )
}

/** Returns a choice of values, whatever the exact list is: the server checks the value. */
export function choiceProps<Values extends object>(form: Form<Values>, name: keyof Values & string) {
  return {
    name,
    value: String(form.values[name] ?? ''),
    error: form.errors[name],
    onValue: (value: string) => form.set({ [name]: value } as Partial<Values>),
  }
}
