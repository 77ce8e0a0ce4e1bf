import { useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { localeOf } from '../text/formats.ts'

/**
 * Sets the language of react-aria's own texts ("Dismiss", the size of a list), which would otherwise follow the
 * browser's. It wraps each component that uses react-aria, not the app, whose first load does without it.
 */
export function AriaLanguage({ children }: { children: ReactNode }) {
  const { i18n } = useLingui()
  return <I18nProvider locale={localeOf(i18n.locale)}>{children}</I18nProvider>
}
