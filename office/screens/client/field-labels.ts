/** Labels of a profile's fields and their values. */
import { useLingui } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { isolateFigure } from '#ui/text/formats.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'
import { codeAsText } from '../../records/work-item-labels.ts'

export function useFieldLabel(): (field: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    financialExperience: t`Financial experience`,
    tradingExperience: t`Trading experience`,
    savings: t`Savings, GBP`,
    industry: t`Industry`,
    position: t`Position`,
    fundSource: t`Source of funds`,
    annualSalary: t`Salary, GBP`,
    leverage: t`Answer on leverage`,
    reactionToLoss: t`Reaction to loss`,
    requiredMargin: t`Answer on margin`,
    closingOrderType: t`Answer on closing positions`,
  }
  return useLabels(profileLabels, (field) => words[field] ?? codeAsText(field))
}

/** Fields with a value of a list; all others are free text. */
const choiceFields: readonly string[] = [
  'title',
  'financialExperience',
  'tradingExperience',
  'savings',
  'industry',
  'position',
  'fundSource',
  'annualSalary',
  'leverage',
  'reactionToLoss',
  'requiredMargin',
  'closingOrderType',
]

/** Returns a function that formats a value: country names, dates, labels of choices, a dash for an empty value. */
export function useValueText(): (field: string, value: string | null) => string {
  const { i18n } = useLingui()
  const choiceWord = useChoiceLabel()
  return (field, value) => {
    if (value === null || value === '') return '–'
    if (field === 'country' || field === 'nationality') return countryName(value, i18n.locale)
    if (field === 'birthDate') return calendarDayText(value, i18n.locale)
    if (field === 'mobilePhone') return isolateFigure(value, i18n.locale)
    return choiceFields.includes(field) ? choiceWord(value) : value
  }
}
