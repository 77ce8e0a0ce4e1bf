import { useLingui } from '@lingui/react/macro'
import { documentLabels } from '#contract/document-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'

/** Returns "Passport" for a kind of document; an unknown code is returned unchanged. */
export function useDocumentLabel(): (kind: string) => string {
  return useLabels(documentLabels)
}

/** Returns "Passport, utility bill" for several kinds, as a list within a sentence. */
export function useDocumentList(): (kinds: readonly string[]) => string {
  const { i18n } = useLingui()
  const word = useDocumentLabel()
  // Only English writes them in lower case.
  const inSentence = (one: string, place: number) => (place > 0 && i18n.locale === 'en' ? one.toLowerCase() : one)
  return (kinds) => kinds.map(word).map(inSentence).join(', ')
}
