import { setupI18n, type I18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { use } from 'react'
import type { Message } from '#contract/message.ts'
import { type Language, loadMessages } from '#ui/i18n/language.ts'
import { compileMessage } from '#ui/i18n/message-compiler.ts'

const loading = new Map<Language, Promise<I18n>>()

/** Returns texts in a client's language, independent of the reader's. Suspends until its catalogue is loaded. */
export function useTextsIn(
  language: Language,
): (message: Message, values?: Readonly<Record<string, string>>) => string {
  const { i18n } = useLingui()
  const clientI18n = language === i18n.locale ? i18n : use(i18nIn(language))
  return (message, values = {}) => clientI18n._({ ...message, values })
}

function i18nIn(language: Language): Promise<I18n> {
  const begun = loading.get(language) ?? load(language)
  loading.set(language, begun)
  return begun
}

async function load(language: Language): Promise<I18n> {
  try {
    const i18n = setupI18n({ locale: language, messages: { [language]: await loadMessages(language) } })
    return i18n.setMessagesCompiler(compileMessage)
  } catch (error) {
    loading.delete(language)
    throw error
  }
}
