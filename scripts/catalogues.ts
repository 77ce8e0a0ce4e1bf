/**
 * The catalogues of all languages except English. `node scripts/catalogues.ts` adds new strings to them and removes
 * those that are no longer used; `node scripts/catalogues.ts portal` does so only for that directory; with `--check` it
 * only reports strings that are missing, unused, translated in two ways or with other values, and fails if there are
 * any.
 */
import { dirname, join, relative } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { languages, type Language } from '#rules/choices.ts'
import { readUsage } from './usage.mjs'

readUsage('catalogues')

const root = dirname(import.meta.dirname)
const translated = languages.filter((language) => language !== 'en')
const directories = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const all = await getCatalogs(getConfig({ cwd: root }))
const catalogues = all.filter(isChosen)

if (!process.argv.includes('--check'))
  for (const catalogue of catalogues)
    await catalogue.make({ locale: [...translated], clean: true, overwrite: false, orderBy: 'message' })
const jointCatalogues = [
  ['portal', 'ui', 'contract'],
  ['office', 'ui', 'contract'],
  ['server', 'contract'],
]
const faults: string[] = []
for (const language of translated) {
  faults.push(...(await findFaults(language)))
  for (const directories of jointCatalogues) faults.push(...(await findClashes(directories, language)))
}
if (faults.length > 0) console.error(faults.join('\n'))
process.exitCode = faults.length > 0 ? 1 : 0

function isChosen(catalogue: { path: string }): boolean {
  return directories.length === 0 || directories.some((name) => dirname(catalogue.path) === join(root, name, 'locales'))
}

/**
 * Returns one line for each string without a translation, and for each that only the catalogue has. The samples of a
 * firm's own texts may stay English: no firm needs them translated.
 */
async function findFaults(language: Language): Promise<string[]> {
  const found: string[] = []
  for (const catalogue of catalogues) {
    const file = relative(root, catalogue.getFilename(language))
    const used = (await catalogue.collect()) ?? {}
    const written = (await catalogue.read(language)) ?? {}
    for (const [id, { message, origin = [] }] of Object.entries(used)) {
      const isSample = origin.every(([path]) => path.startsWith('server/settings/'))
      if (!written[id]?.translation && !isSample) found.push(`${file}: not translated: "${message ?? id}"`)
    }
    for (const [id, { message = id, translation = '' }] of Object.entries(written)) {
      if (used[id] === undefined) found.push(`${file}: not used: "${message}"`)
      if (translation !== '' && placeholderNames(message) !== placeholderNames(translation))
        found.push(`${file}: placeholders differ from the English text: "${message}"`)
    }
  }
  return found
}

/** Returns the names of a message's values. */
function placeholderNames(message: string): string {
  return [...new Set(message.match(/\{\w+(?=[,}])/g))].toSorted().join(' ')
}

/**
 * Checks catalogues that are read as one: the same English with two translations needs a `context`, or one of the two.
 */
async function findClashes(directories: readonly string[], language: Language): Promise<string[]> {
  const found: string[] = []
  const first = new Map<string, { file: string; translation: string }>()
  for (const catalogue of all) {
    const file = relative(root, catalogue.getFilename(language))
    if (!directories.some((directory) => file.startsWith(`${directory}/`))) continue
    for (const [id, { message, translation = '' }] of Object.entries((await catalogue.read(language)) ?? {})) {
      const other = first.get(id)
      if (!other) first.set(id, { file, translation })
      else if (other.translation !== translation)
        found.push(`${file}: "${message ?? id}" is "${translation}" here and "${other.translation}" in ${other.file}`)
    }
  }
  return found
}
