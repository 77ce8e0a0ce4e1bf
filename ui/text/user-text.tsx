import { useLingui } from '@lingui/react/macro'
import { detectLanguage } from './detect-language.ts'

/** A text as its author wrote it; marked if its language differs from the page's (WCAG 3.1.2). */
export function UserText({ children }: { children: string }) {
  const { i18n } = useLingui()
  const language = detectLanguage(children)
  return language === null || language === i18n.locale ? children : <span lang={language}>{children}</span>
}
