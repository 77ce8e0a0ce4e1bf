import { useLingui } from '@lingui/react/macro'
import { documentLabels } from '#contract/document-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'

/** "Passport" of a kind of document; of another code the code. */
export function useDocumentLabel(): (kind: string) => string {
  return useLabels(documentLabels)
}

/** "Passport, utility bill" of several kinds, as a list within a line. */
export function useDocumentList(): (kinds: readonly string[]) => string {
  const { i18n } = useLingui()
  const word = useDocumentLabel()
  // English alone writes them in small letters.
  const inSentence = (one: string, place: number) => (place > 0 && i18n.locale === 'en' ? one.toLowerCase() : one)
  return (kinds) => kinds.map(word).map(inSentence).join(', ')
}
