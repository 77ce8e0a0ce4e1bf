import { useLingui } from '@lingui/react/macro'
import type { DocumentKind } from '#rules/document-kinds.ts'

/** "Passport" of a kind of document; of another code the code. */
export function useDocumentLabel(): (kind: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<DocumentKind, string>> = {
    passport: t`Passport`,
    id: t`Identity card`,
    drivers_licence: t`Driving licence`,
    bank_statement: t`Bank statement`,
    utility_bill: t`Utility bill`,
    government_letter: t`Government letter`,
    proofOfAddress: t`Proof of address`,
    source_of_wealth: t`Source of wealth`,
  }
  return (kind) => (Object.hasOwn(words, kind) ? words[kind as DocumentKind] : kind)
}

/** "Passport, utility bill" of several kinds, as a list within a line. */
export function useDocumentList(): (kinds: readonly string[]) => string {
  const { i18n } = useLingui()
  const word = useDocumentLabel()
  // German nouns keep their capitals.
  const inSentence = (one: string, place: number) => (place === 0 || i18n.locale === 'de' ? one : one.toLowerCase())
  return (kinds) => kinds.map(word).map(inSentence).join(', ')
}
