import { IconAlertTriangle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment } from 'react'
import type { SettingSection } from '#contract/setting-sections.ts'
import { languages, type Language } from '#rules/choices.ts'
import { languageName } from '#ui/i18n/language.ts'
import '#ui/data/tabs.css'
import { type Json, useDraft } from './draft.ts'

const inBothLanguages: readonly SettingSection[] = ['help', 'notice', 'methods', 'legalTexts', 'security']

interface LanguageTabsProps {
  section: SettingSection
  language: Language
  onLanguage: (language: Language) => void
}

/** The language that is being edited; shows the number of empty texts in the other one. */
export function LanguageTabs({ section, language, onLanguage }: LanguageTabsProps) {
  const { t, i18n } = useLingui()
  const { value } = useDraft()
  if (!inBothLanguages.includes(section)) return null
  const tab = (one: Language, name: string) => {
    const missing = missingIn(value, one)
    return (
      <button type="button" className="capitals" aria-pressed={language === one} onClick={() => onLanguage(one)}>
        {name}
        {missing > 0 && (
          <span className="tone-wait">
            {' '}
            <IconAlertTriangle className="small" aria-hidden="true" /> {missing}
            <span className="unseen">
              {' '}
              <Trans>missing</Trans>
            </span>
          </span>
        )}
      </button>
    )
  }
  return (
    <div className="tabs language-tabs" role="group" aria-label={t`Language of the texts`}>
      {languages.map((one) => (
        <Fragment key={one}>{tab(one, languageName(one, i18n.locale))}</Fragment>
      ))}
    </div>
  )
}

/** Returns how many texts of a language are empty. */
function missingIn(value: Json, language: Language): number {
  if (value === null || typeof value !== 'object') return 0
  const own = languages.every((one) => one in value) ? (value as Record<Language, Json>) : null
  const text = own?.[language]
  if (typeof text === 'string') return text.trim() === '' ? 1 : 0
  if (own && Array.isArray(text)) {
    const longest = Math.max(...Object.values(own).map((lines) => (Array.isArray(lines) ? lines.length : 0)))
    return longest - text.length + text.filter((one) => typeof one === 'string' && one.trim() === '').length
  }
  return Object.values(value).reduce<number>((sum, part) => sum + missingIn(part, language), 0)
}
