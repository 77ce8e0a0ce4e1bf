import { useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { localeOf } from '../text/formats.ts'

/**
 * What react-aria says on its own ("Dismiss", a list's size) is in the chosen language; without this it would follow the
 * browser's. It stands around each part that is made of react-aria, not around the app, whose first look does without.
 */
export function AriaLanguage({ children }: { children: ReactNode }) {
  const { i18n } = useLingui()
  return <I18nProvider locale={localeOf(i18n.locale)}>{children}</I18nProvider>
}
