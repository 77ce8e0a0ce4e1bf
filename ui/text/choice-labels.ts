/** Labels of the choice lists of requirements 17; requests contain their English words. */
import { useLingui } from '@lingui/react/macro'
import { numberFormat } from './formats.ts'

/**
 * Returns a function for labels, as in `const word = useChoiceLabel()`; a choice without a label is returned unchanged.
 */
export function useChoiceLabel(): (choice: string) => string {
  const { t, i18n } = useLingui()
  const words: Record<string, string> = {
    'Mr.': t`Mr.`,
    'Mrs.': t`Mrs.`,
    Miss: t`Miss`,
    'Dr.': t`Dr.`,
    Employment: t`Employment`,
    Inheritance: t`Inheritance`,
    'Savings and investment': t`Savings and investment`,
    Other: t`Other`,
    Accounting: t`Accounting`,
    Banking: t`Banking`,
    Finance: t`Finance`,
    'Business consultancy': t`Business consultancy`,
    Insurance: t`Insurance`,
    Director: t`Director`,
    Manager: t`Manager`,
    'Entry level': t`Entry level`,
    None: t`None`,
    'Less than 1 year': t`Less than 1 year`,
    '1 to 5 years': t`1 to 5 years`,
    'More than 5 years': t`More than 5 years`,
    yes: t`Yes`,
    no: t`No`,
    Hedge: t`Hedge`,
    Partial: t`Partial`,
    'Stop loss': t`Stop loss`,
    'Option 1': t`Option 1`,
    'Option 2': t`Option 2`,
    'Option 3': t`Option 3`,
    Beginner: t`Beginner`,
    Intermediate: t`Intermediate`,
    Advanced: t`Advanced`,
  }
  const over = (figure: string) => t`over ${figure}`
  const under = (figure: string) => t`under ${figure}`
  return (choice) => {
    if (/^0\.\d+$/.test(choice)) return numberFormat(i18n.locale, { minimumFractionDigits: 2 }).format(Number(choice))
    const band = /^(over |under )?([\d,]+)(?:-([\d,]+))?$/.exec(choice)
    if (!band) return words[choice] ?? choice
    const figure = (text: string | undefined) =>
      numberFormat(i18n.locale).format(Number((text ?? '').replaceAll(',', '')))
    if (band[1]) return band[1] === 'over ' ? over(figure(band[2])) : under(figure(band[2]))
    return `${figure(band[2])}–${figure(band[3])}`
  }
}

/** Returns the lists as options of a Select and as tiles. */
export function useChoiceOptions(): <const T extends readonly string[]>(
  choices: T,
) => { value: T[number]; label: string }[] {
  const word = useChoiceLabel()
  return (choices) => choices.map((value) => ({ value, label: word(value) }))
}
