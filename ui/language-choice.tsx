import { useLingui } from '@lingui/react/macro'
import { chooseLanguage, type Language, languages } from './language.ts'
import './language-choice.css'

const names: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The languages by their own names, where nobody has a profile yet to choose one in. */
export function LanguageChoice() {
  const { t, i18n } = useLingui()
  return (
    <span className="row language-choice" role="group" aria-label={t`Language`}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          className="text-button"
          lang={language}
          aria-pressed={i18n.locale === language}
          onClick={() => void chooseLanguage(language)}
        >
          {names[language]}
        </button>
      ))}
    </span>
  )
}
