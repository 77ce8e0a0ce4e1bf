/**
 * Two pseudo-languages, added to a copy of the product as docs/guides/add-a-language.md says: a row each and a file in each
 * catalogue. Their texts are the English ones with accents, 40 % longer and in brackets: a text without accents is in no
 * catalogue, and what has no room for them has none for a long language. `xb` is written from right to left.
 */
import { fork } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { parsePo, stringifyPo } from 'pofile-ts'
import { usablePort } from '#scripts/simulators.ts'
import { wholeCatalogue } from '#ui/i18n/catalogue-build.ts'
import { serverEnv } from './product.ts'

const root = dirname(import.meta.dirname)
const directories = ['portal', 'office', 'ui', 'server', 'contract']
const rows = {
  xa: { name: 'Longer', locale: 'en-GB', direction: 'ltr' },
  xb: { name: 'Mirrored', locale: 'he-IL', direction: 'rtl' },
}
/** Their names. */
export const pseudoLanguages = Object.values(rows).map(({ name }) => name)
const rowsAsCode = JSON.stringify(rows).slice(1, -1)

export interface PseudoProduct {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a second server of the running product, with its data, that knows both languages. */
export async function startInPseudoLanguages(): Promise<PseudoProduct> {
  const copy = mkdtempSync(join(tmpdir(), 'portal-pseudo-'))
  const stopped = () => rmSync(copy, { recursive: true, force: true })
  try {
    await makeCopy(copy)
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

async function makeCopy(copy: string): Promise<void> {
  for (const name of ['rules', 'contract', 'server', 'scripts', 'package.json', 'dist'])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  for (const directory of ['portal', 'office', 'ui'])
    cpSync(join(root, directory, 'locales'), join(copy, directory, 'locales'), { recursive: true })
  replaceIn(join(copy, 'rules/choices.ts'), /export const languageRows = \{/, `$&${rowsAsCode},`)
  for (const directory of directories) {
    const { items, ...file } = parsePo(readFileSync(join(copy, directory, 'locales/de.po'), 'utf8'))
    const translated = items.map((item) => ({ ...item, msgstr: [pseudoText(item.msgid)] }))
    for (const language of Object.keys(rows))
      writeFileSync(join(copy, directory, 'locales', `${language}.po`), stringifyPo({ ...file, items: translated }))
  }
  for (const app of ['portal', 'office']) await addToBuild(copy, app)
}

/** What a build of the copy would add, which takes far longer: the rows, and the catalogue as a chunk. */
async function addToBuild(copy: string, app: string): Promise<void> {
  const assets = join(copy, 'dist', app, 'assets')
  const chunks = globSync('*.js', { cwd: assets }).map((file) => join(assets, file))
  const holding = (text: RegExp) => chunks.filter((file) => text.test(readFileSync(file, 'utf8')))
  const row = /\bde:\{name:.Deutsch.,/g
  const loader = /(?<="\.\/locales\/)de\.po":(\(\)=>\w+\(\(\)=>import\(`\.\/)[\w-]+\.js`\),\[\]\)/g
  for (const file of holding(row)) replaceIn(file, row, `${rowsAsCode},$&`)
  for (const file of holding(loader))
    for (const language of Object.keys(rows))
      replaceIn(file, loader, `$&,"./locales/${language}.po":$1${language}.js\`),[])`)
  if (holding(loader).length !== 1)
    throw new Error(`The loader of the catalogues was not found in the build of ${app}.`)
  for (const language of Object.keys(rows))
    writeFileSync(join(assets, `${language}.js`), await wholeCatalogue(copy, app, language))
}

/** Changes a file, and takes away its compressed form, which would be served instead. */
function replaceIn(file: string, pattern: RegExp, text: string): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(pattern, text)
  if (after === before) throw new Error(`${basename(file)} has no ${pattern.source}`)
  writeFileSync(file, after)
  rmSync(`${file}.br`, { force: true })
}

/** Returns a message with its words accented; its values, tags and rules of counting stay. */
export function pseudoText(message: string): string {
  let depth = 0
  const parts = message.split(/(<[^>]*>|[{}])/).map((part) => {
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    return depth % 2 === 0 && !part.startsWith('<') ? accented(part) : part
  })
  return `[${parts.join('')}]`
}

const vowels = 'aeiouyAEIOUY'
const accents = 'áéíóúýÁÉÍÓÚÝ'

/** Each vowel twice, which makes English 40 % longer, and with an accent. */
function accented(text: string): string {
  return text.replace(/[aeiouy]/gi, (vowel) => accents.charAt(vowels.indexOf(vowel)).repeat(2))
}
