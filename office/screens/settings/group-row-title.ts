/** What a row of platform groups fits, as a person reads it. */
import { useLingui } from '@lingui/react/macro'
import { countryName } from '../../decision/country-name.ts'
import { textAt, type Json } from './draft.ts'

/** "Standard · EUR · Retail · Germany" */
export function useGroupRowTitle(): (row: Json) => string {
  const { t, i18n } = useLingui()
  return (row) => {
    const country = textAt(row, 'country')
    const status = textAt(row, 'status') === 'professional' ? t`Professional` : t`Retail`
    const facts = [textAt(row, 'type'), textAt(row, 'currency'), status]
    return [...facts, ...(country === '' ? [] : [countryName(country, i18n.locale)])].join(' · ')
  }
}
