import { useLingui } from '@lingui/react/macro'
import {
  closingOrderTypes,
  leverageAnswers,
  reactionsToLoss,
  requiredMargins,
  tradingExperiences,
} from '#rules/choices.ts'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import type { useFormValues } from '#ui/forms/form-state.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { choiceProps } from './income-fields.tsx'

interface Experience {
  experience: string
  requiredMargin: string
  closingOrderType: string
  leverage: string
  reactionToLoss: string
}

interface ExperienceFieldsProps<Values extends Experience> {
  form: ReturnType<typeof useFormValues<Values>>
}

/** Trading experience: five questions without right answers. */
export function ExperienceFields<Values extends Experience>({ form }: ExperienceFieldsProps<Values>) {
  const { t } = useLingui()
  const options = useChoiceOptions()
  return (
    <>
      <RadioCards
        {...choiceProps(form, 'experience')}
        label={t`Have you traded CFDs or forex before?`}
        tiles={options(tradingExperiences)}
        across={2}
        short
      />
      <RadioCards
        {...choiceProps(form, 'requiredMargin')}
        label={t`What share of a position would you use as margin?`}
        tiles={options(requiredMargins)}
        across={3}
        short
      />
      <RadioCards
        {...choiceProps(form, 'closingOrderType')}
        label={t`Which method do you prefer for closing a position?`}
        tiles={options(closingOrderTypes)}
        across={3}
      />
      <RadioCards
        {...choiceProps(form, 'leverage')}
        label={t`Which leverage suits you?`}
        hint={t`Option 1 is the most cautious, Option 3 the most aggressive.`}
        tiles={options(leverageAnswers)}
        across={3}
      />
      <RadioCards
        {...choiceProps(form, 'reactionToLoss')}
        label={t`How experienced are you in dealing with losses?`}
        tiles={options(reactionsToLoss)}
        across={3}
      />
    </>
  )
}
