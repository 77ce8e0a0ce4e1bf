import { useLingui } from '@lingui/react/macro'
import { titles } from '#rules/choices.ts'
import type { StepFieldName } from '#rules/profile-fields.ts'
import type { useFormValues } from '#ui/forms/form-values.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import { tiles } from './income-fields.tsx'

/** Who somebody is, as the registration asks first. */
export function NameFields<Values extends Record<StepFieldName<'1.1'>, string>>({
  form,
}: {
  form: ReturnType<typeof useFormValues<Values>>
}) {
  const { t } = useLingui()
  const options = useChoiceOptions()
  return (
    <>
      <RadioCards {...tiles(form, 'title')} label={t`Title`} tiles={options(titles)} across={2} short />
      <div className="columns-2">
        <TextField {...form.text('name')} label={t`First name`} autoComplete="given-name" />
        <TextField {...form.text('surname')} label={t`Surname`} autoComplete="family-name" />
      </div>
    </>
  )
}
