import type { I18n } from '@lingui/core'
import { I18nProvider, useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { I18nProvider as AriaI18nProvider } from 'react-aria-components/I18nProvider'

/** Both sources of words speak the chosen language: our own, and what react-aria says by itself ("Dismiss", lists' sizes). */
export function LanguageProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <AriaLanguage>{children}</AriaLanguage>
    </I18nProvider>
  )
}

const ariaLocales: Readonly<Record<string, string>> = { en: 'en-GB', de: 'de-DE' }

/** Without it react-aria would follow the browser's language. */
function AriaLanguage({ children }: { children: ReactNode }) {
  const { i18n } = useLingui()
  return <AriaI18nProvider locale={ariaLocales[i18n.locale] ?? i18n.locale}>{children}</AriaI18nProvider>
}
