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
  // German nouns keep their capitals.
  const inSentence = (one: string, place: number) => (place === 0 || i18n.locale === 'de' ? one : one.toLowerCase())
  return (kinds) => kinds.map(word).map(inSentence).join(', ')
}
