/**
 * Two pseudo-languages, added to a copy of the product according to docs/guides/add-a-language.md: a row each and a
 * file in each catalogue. Their texts are the English ones with accents, 40 % longer and in brackets: a text without
 * accents is in no catalogue, and a place without room for them has no room for a long language. `xb` is written from
 * right to left.
 */
import { execFile, fork } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { parsePo, stringifyPo } from 'pofile-ts'
import { usablePort } from '#scripts/simulators.ts'
import { wholeCatalogue } from '#ui/i18n/catalogue-build.ts'
import { serverEnv } from './product.ts'

const root = dirname(import.meta.dirname)
const directories = ['portal', 'office', 'ui', 'server', 'contract']
const pseudoLanguageRows = {
  xa: { name: 'Longer', locale: 'en-GB', direction: 'ltr' },
  xb: { name: 'Mirrored', locale: 'he-IL', direction: 'rtl' },
}
/** The names of the pseudo-languages. */
export const pseudoLanguages = Object.values(pseudoLanguageRows).map(({ name }) => name)
const rowsAsCode = JSON.stringify(pseudoLanguageRows).slice(1, -1)

export interface PseudoProduct {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a second server of the running product, with its data, that supports both languages. */
export async function startInPseudoLanguages(): Promise<PseudoProduct> {
  const copy = makeCopy(['rules', 'contract', 'server', 'scripts', 'package.json', 'dist'])
  const stopped = () => rmSync(copy, { recursive: true, force: true })
  try {
    for (const app of ['portal', 'office']) await addLanguagesToBuild(copy, app)
    const port = String(await usablePort(0))
    const url = `http://localhost:${port}`
    const child = fork(join(copy, 'scripts/serve.ts'), [], {
      cwd: copy,
      env: { ...serverEnv(), PORT: port, PORTAL_URL: url, ROLE: 'web', LOG_LEVEL: 'error' },
      execArgv: [],
    })
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    await new Promise<void>((ready, refuse) => {
      child.once('message', (message: { failed?: string }) =>
        message.failed === undefined ? ready() : refuse(new Error(message.failed)),
      )
      child.once('exit', (code) => refuse(new Error(`The server ended with ${code}.`)))
    })
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
      stopped()
    }
    return { url, stop }
  } catch (error) {
    stopped()
    throw error
  }
}

/** Returns the directory of a copy of these directories and files with both languages in it; its caller removes it. */
function makeCopy(parts: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'portal-pseudo-'))
  for (const name of parts)
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  for (const directory of ['portal', 'office', 'ui'])
    cpSync(join(root, directory, 'locales'), join(copy, directory, 'locales'), { recursive: true })
  replaceIn(join(copy, 'rules/choices.ts'), /export const languageRows = \{/, `$&${rowsAsCode},`)
  for (const directory of directories) {
    const { items, ...file } = parsePo(readFileSync(join(copy, directory, 'locales/de.po'), 'utf8'))
    const translated = items.map((item) => ({ ...item, msgstr: [pseudoText(item.msgid)] }))
    for (const language of Object.keys(pseudoLanguageRows))
      writeFileSync(join(copy, directory, 'locales', `${language}.po`), stringifyPo({ ...file, items: translated }))
  }
  return copy
}

/**
 * Returns the emails and PDF documents of a server that supports both languages, in the first one: their texts by name.
 */
export async function serverTexts(): Promise<Readonly<Record<string, string>>> {
  const copy = makeCopy(['rules', 'contract', 'server', 'package.json', 'tests/server-texts.ts', 'tests/files.ts'])
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, 'tests/server-texts.ts'), 'xa'], {
      cwd: copy,
    })
    return JSON.parse(stdout) as Record<string, string>
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Adds the rows and the catalogue as a chunk, as a build of the copy would, which takes far longer. */
async function addLanguagesToBuild(copy: string, app: string): Promise<void> {
  const assets = join(copy, 'dist', app, 'assets')
  const chunks = globSync('*.js', { cwd: assets }).map((file) => join(assets, file))
  const holding = (text: RegExp) => chunks.filter((file) => text.test(readFileSync(file, 'utf8')))
  const row = /\bde:\{name:.Deutsch.,/g
  const loader = /(?<="\.\/locales\/)de\.po":(\(\)=>\w+\(\(\)=>import\(`\.\/)[\w-]+\.js`\),\[\]\)/g
  for (const file of holding(row)) replaceIn(file, row, `${rowsAsCode},$&`)
  for (const file of holding(loader))
    for (const language of Object.keys(pseudoLanguageRows))
      replaceIn(file, loader, `$&,"./locales/${language}.po":$1${language}.js\`),[])`)
  if (holding(loader).length !== 1)
    throw new Error(`The loader of the catalogues was not found in the build of ${app}.`)
  for (const language of Object.keys(pseudoLanguageRows))
    writeFileSync(join(assets, `${language}.js`), await wholeCatalogue(copy, app, language))
}

/** Changes a file, and removes its compressed form, which would be served instead. */
function replaceIn(file: string, pattern: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(pattern, text)
  if (after === before) throw new Error(`${basename(file)} has no ${pattern.source}`)
  writeFileSync(file, after)
  rmSync(`${file}.br`, { force: true })
}

/** Returns a message with its words accented; its values, tags and plural rules are unchanged. */
export function pseudoText(message: string): string {
  let depth = 0
  const parts = message.split(/(<[^>]*>|[{}])/).map((part) => {
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    return depth % 2 === 0 && !part.startsWith('<') ? accented(part) : part
  })
  return `[${parts.join('')}]`
}

/** Returns the words that have a vowel but no accent, which no word of the pseudo-language is. */
export function untranslatedWords(text: string): string[] {
  return (text.match(/\p{L}+/gu) ?? []).filter((word) => /^[a-z]{2,}$/i.test(word) && /[aeiouy]/i.test(word))
}

const vowels = 'aeiouyAEIOUY'
const accents = 'áéíóúýÁÉÍÓÚÝ'

/** Doubles each vowel, which makes English 40 % longer, and adds an accent. */
function accented(text: string): string {
  return text.replace(/[aeiouy]/gi, (vowel) => accents.charAt(vowels.indexOf(vowel)).repeat(2))
}
