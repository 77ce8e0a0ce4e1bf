/**
 * A lazily loaded part of a page must import its own style sheets: a class whose rules are in another screen's style
 * sheet has no styles until that screen has been opened.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const imported = /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s)?['"]([^'"]+)['"]|@import "([^"]+)"/g
const importedLater = /import\(\s*['"]([^'"]+)['"]\s*\)/g
/** Returns the file that an import names; null for a package. */
function resolve(from: string, name: string): string | null {
  const file = name.startsWith('#') ? name.slice(1) : name.startsWith('.') ? join(dirname(from), name) : null
  return file !== null && existsSync(join(root, file)) ? file : null
}

function importsOf(file: string, pattern: RegExp): string[] {
  return [...read(file).matchAll(pattern)].flatMap(([, one, other]) => resolve(file, one ?? other ?? '') ?? [])
}

const closures = new Map<string, ReadonlySet<string>>()

/** Returns a file and everything that comes with it. */
function closureOf(file: string): ReadonlySet<string> {
  const known = closures.get(file)
  if (known) return known
  const all = new Set([file])
  for (const one of all) if (/\.(tsx?|css)$/.test(one)) for (const other of importsOf(one, imported)) all.add(other)
  closures.set(file, all)
  return all
}

/** Returns the style sheets that have a rule for a class alone. */
function sheetsByClass(app: string): Map<string, string[]> {
  const sheets = new Map<string, string[]>()
  for (const file of globSync(`{ui,${app}}/**/*.css`, { cwd: root })) {
    const selectors = read(file)
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .split(/[{},]/)
      .map((text) => text.trim())
    for (const name of selectors.flatMap((one) => /^\.([a-z][\w-]*)$/.exec(one)?.[1] ?? []))
      sheets.set(name, [...(sheets.get(name) ?? []), file])
  }
  return sheets
}

const classesOf = (file: string) =>
  [...read(file).matchAll(/className="([^"]+)"/g)].flatMap(([, names]) => (names ?? '').split(' '))

test.each(['portal', 'office'])('every lazily loaded part of the %s imports the style sheets of its classes', (app) => {
  const main = `${app}/main.tsx`
  const loaders = new Map<string, Set<string>>()
  const reached = new Set([main])
  for (const entry of reached)
    for (const file of closureOf(entry))
      if (file.endsWith('.tsx') || file.endsWith('.ts'))
        for (const part of importsOf(file, importedLater)) {
          loaders.set(part, (loaders.get(part) ?? new Set()).add(entry))
          reached.add(part)
        }
  /** Returns the files that are loaded whichever way a part was reached. */
  const presentAt = (part: string): ReadonlySet<string> => {
    const before = [...(loaders.get(part) ?? [])].filter((entry) => entry !== part).map(presentAt)
    const common = before.reduce(
      (all, more) => new Set([...all].filter((file) => more.has(file))),
      before[0] ?? new Set(),
    )
    return new Set([...closureOf(part), ...common])
  }
  const sheets = sheetsByClass(app)
  const missing = [...reached].flatMap((part) => {
    const present = presentAt(part)
    return [...closureOf(part)]
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) =>
        classesOf(file)
          .filter((name) => sheets.has(name) && !sheets.get(name)?.some((sheet) => present.has(sheet)))
          .map((name) => `${part}: .${name} of ${file} is in ${sheets.get(name)?.join(', ')}`),
      )
  })
  expect([...new Set(missing)]).toEqual([])
})
