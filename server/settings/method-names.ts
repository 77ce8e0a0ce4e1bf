/** Names of payment methods: records store the English name, settings have both languages. */
import type { Setting } from '#contract/setting-sections.ts'
import type { Language } from '#rules/choices.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Returns a function that translates a stored name; the name of a method that the settings no longer have is unchanged.
 */
export async function methodNames(
  dependencies: Pick<Dependencies, 'settings'>,
  language: Language,
): Promise<(kept: string) => string> {
  return methodNamesIn(await dependencies.settings.get('methods'), language)
}

export function methodNamesIn(
  { deposit, withdrawal }: Setting<'methods'>,
  language: Language,
): (kept: string) => string {
  const names = new Map([...deposit, ...withdrawal].map(({ method }) => [method.en, method[language]]))
  return (kept) => names.get(kept) ?? kept
}
