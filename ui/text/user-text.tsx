import { useLingui } from '@lingui/react/macro'
import { writtenIn } from './detect-language.ts'

/** What a person wrote, as it stands; marked where it is in another language than the page (WCAG 3.1.2). */
export function Written({ children }: { children: string }) {
  const { i18n } = useLingui()
  const language = writtenIn(children)
  return language === null || language === i18n.locale ? children : <span lang={language}>{children}</span>
}
