import { profileLabels } from '#contract/profile-labels.ts'
import { titles } from '#rules/choices.ts'
import type { StepFieldName } from '#rules/profile-fields.ts'
import type { useFormValues } from '#ui/forms/form-state.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import { choiceProps } from './income-fields.tsx'

interface NameFieldsProps<Values extends Record<StepFieldName<'1.1'>, string>> {
  form: ReturnType<typeof useFormValues<Values>>
}

/** The name fields that the registration begins with. */
export function NameFields<Values extends Record<StepFieldName<'1.1'>, string>>({ form }: NameFieldsProps<Values>) {
  const label = useLabels(profileLabels)
  const options = useChoiceOptions()
  return (
    <>
      <RadioCards {...choiceProps(form, 'title')} label={label('title')} tiles={options(titles)} across={2} short />
      <div className="columns-2">
        <TextField {...form.text('name')} label={label('name')} autoComplete="given-name" />
        <TextField {...form.text('surname')} label={label('surname')} autoComplete="family-name" />
      </div>
    </>
  )
}
