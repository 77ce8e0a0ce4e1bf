import { useLingui } from '@lingui/react/macro'
import { languageRows, type Language } from '#rules/choices.ts'
import { chooseLanguage, offeredLanguages } from './language.ts'
import './language-switcher.css'

/** The choice of languages by their own names, for people without a profile. `onChosen` may store it elsewhere too. */
export function LanguageSwitcher({ onChosen }: { onChosen?: (language: Language) => void }) {
  const { t, i18n } = useLingui()
  const languages = offeredLanguages()
  if (languages.length < 2) return null
  return (
    <span className="row language-choice" role="group" aria-label={t`Language`}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          className="text-button"
          lang={language}
          aria-pressed={i18n.locale === language}
          onClick={() => {
            void chooseLanguage(language)
            onChosen?.(language)
          }}
        >
          {languageRows[language].name}
        </button>
      ))}
    </span>
  )
}
