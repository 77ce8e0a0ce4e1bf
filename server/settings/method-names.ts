/** Names of payment methods: records keep the English name, settings know both languages. */
import type { Language } from '#rules/choices.ts'
import type { Dependencies } from '../dependencies.ts'

/** Reads the name that a record keeps in a language; a method that the settings no longer have stays as it was kept. */
export async function methodNames(
  dependencies: Pick<Dependencies, 'settings'>,
  language: Language,
): Promise<(kept: string) => string> {
  const { deposit, withdrawal } = await dependencies.settings.get('methods')
  const names = new Map([...deposit, ...withdrawal].map(({ method }) => [method.en, method[language]]))
  return (kept) => names.get(kept) ?? kept
}
