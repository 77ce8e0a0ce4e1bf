import { useLingui } from '@lingui/react/macro'
import { detectLanguage } from './detect-language.ts'

/** Shows what a person wrote, as it stands; marked where it is in another language than the page (WCAG 3.1.2). */
export function UserText({ children }: { children: string }) {
  const { i18n } = useLingui()
  const language = detectLanguage(children)
  return language === null || language === i18n.locale ? children : <span lang={language}>{children}</span>
}
