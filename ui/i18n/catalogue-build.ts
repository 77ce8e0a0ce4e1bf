/** Builds an app's translations into one language, from its own catalogue, ui's and the contract's. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin, Rolldown } from 'vite'
import { withUnbrokenEmailWord } from '../text/no-break.ts'

type RenderedChunk = Rolldown.RenderedChunk

interface Entry {
  readonly id: string
  readonly compiled: unknown
  /** The modules that use it. */
  readonly modules: readonly string[]
}

/**
 * Serves `locales/<language>.po` of an app. The build contains only the messages of modules that the app imports, which
 * are known after bundling: until then there is a placeholder. The catalogue's own chunk has the messages of the first
 * page; those of each lazily loaded part are in a file of their own (ADR 290).
 */
export function catalogueChunk(home: string, app: string): Plugin {
  const catalogues = new Map<string, readonly Entry[]>()
  const files = new Map<string, string>()
  let parts: Parts | null = null
  let isBuild = true
  return {
    name: 'catalogue-chunk',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    transform: {
      filter: { id: /[\\/]locales[\\/]\w+\.po$/ },
      async handler(_, id) {
        const language = basename(id, '.po')
        for (const file of filesOf(home, app, language)) this.addWatchFile(file)
        const entries = await entriesOf(home, app, language)
        catalogues.set(language, isBuild ? await withShortIds(entries, home, app) : entries)
        const built = `${moduleOf(markOf(language))};export const parts='${markOfParts(language)}'`
        return { code: isBuild ? built : moduleOf(textOf(entries)), map: null, moduleType: 'js' }
      },
    },
    renderChunk(code, _chunk, _options, { chunks }) {
      parts ??= partsOf(home, Object.values(chunks))
      const { nameOf } = parts
      let rendered = code.replace(partMark, (_, id: string) => JSON.stringify(nameOf(id)))
      const language = /<catalogue (\w+)>/.exec(code)?.[1]
      if (language !== undefined) {
        const { first, pieces } = splitMessages(parts, catalogues.get(language) ?? [])
        const hash = createHash('sha256').update(JSON.stringify(pieces)).digest('hex').slice(0, 8)
        for (const [name, text] of Object.entries(pieces))
          files.set(`assets/${language}-${name}-${hash}.js`, moduleOf(text))
        rendered = rendered
          .replace(quoted(markOf(language)), () => JSON.stringify(first))
          .replace(quoted(markOfParts(language)), () =>
            pieceLoaders(parts?.later ?? {}, pieces, `./${language}-*-${hash}.js`),
          )
      }
      return rendered === code ? null : { code: rendered, map: null }
    },
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** Wraps each dynamic import in `withTexts`, which loads the messages of the part with its code. */
export function loadTextsWithParts(home: string): Plugin {
  return {
    name: 'texts-beside-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /\bimport\(\s*'/ },
      async handler(code, id) {
        const targets = [...code.matchAll(partImport)].map(([, target = '']) => target)
        const found = await Promise.all(targets.map((target) => this.resolve(target, id)))
        const marks = found.map((module) => `<part ${pathIn(home, module?.id ?? '')}>`)
        const wrapped = code.replace(partImport, (call) => `withTexts('${marks.shift() ?? ''}', ${call})`)
        return { code: `import { withTexts } from '#ui/i18n/language.ts';${wrapped}`, map: null }
      },
    },
  }
}

const partImport = /\bimport\(\s*'([^']+)',?\s*\)/g
const partMark = /["'`]<part ([^>]*)>["'`]/g

interface Parts {
  /** The modules of the first page. */
  readonly first: ReadonlySet<string>
  /** The modules of each lazily loaded chunk with its imports, without those of the first page and of shared pieces. */
  readonly pieces: Readonly<Record<string, ReadonlySet<string>>>
  /** The names of the pieces that a part needs, including its own. */
  readonly later: Readonly<Record<string, ReadonlySet<string>>>
  readonly nameOf: (module: string) => string
}

/** Chunks that many parts import have a file of their own; messages of other shared chunks are in each part's file. */
const sharedPieces = ['main', 'modals']

function partsOf(home: string, chunks: readonly RenderedChunk[]): Parts {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [pathIn(home, id), chunk])))
  const broughtBy = (chunk: RenderedChunk, brought = new Set<RenderedChunk>()): Set<RenderedChunk> => {
    if (brought.has(chunk)) return brought
    brought.add(chunk)
    for (const file of chunk.imports) {
      const next = byFile.get(file)
      if (next) broughtBy(next, brought)
    }
    return brought
  }
  // The few messages of the login page are not worth a request.
  const atFirst = new Set(
    chunks.filter(({ isEntry, name }) => isEntry || name === 'login').flatMap((chunk) => [...broughtBy(chunk)]),
  )
  const modulesOf = (of: readonly RenderedChunk[]) =>
    new Set(of.flatMap(({ moduleIds }) => moduleIds.map((id) => pathIn(home, id))))
  const sharedOf = (chunk: RenderedChunk) =>
    [...broughtBy(chunk)].filter((one) => one !== chunk && sharedPieces.includes(one.name))
  const ownOf = (chunk: RenderedChunk) => {
    const elsewhere = new Set([...atFirst, ...sharedOf(chunk).flatMap((one) => [...broughtBy(one)])])
    return modulesOf([...broughtBy(chunk)].filter((one) => !elsewhere.has(one)))
  }
  const pieces: Record<string, Set<string>> = {}
  const later: Record<string, Set<string>> = {}
  // Two chunks can have the same name.
  for (const chunk of chunks.filter((one) => !atFirst.has(one))) {
    pieces[chunk.name] = new Set([...(pieces[chunk.name] ?? []), ...ownOf(chunk)])
    later[chunk.name] = new Set([...(later[chunk.name] ?? []), ...sharedOf(chunk).map(({ name }) => name), chunk.name])
  }
  const nameOf = (module: string) => {
    const chunk = chunkOf.get(module)
    return chunk && !atFirst.has(chunk) ? chunk.name : ''
  }
  return { first: modulesOf([...atFirst]), pieces, later, nameOf }
}

/** Splits the messages into those of the first page and the others of each piece. */
function splitMessages({ first, pieces }: Parts, entries: readonly Entry[]) {
  const isIn = (modules: ReadonlySet<string>) => (entry: Entry) => entry.modules.some((module) => modules.has(module))
  const rest = entries.filter((entry) => !isIn(first)(entry))
  const filled = Object.entries(pieces)
    .map(([name, modules]) => [name, rest.filter(isIn(modules))] as const)
    .filter(([, found]) => found.length > 0)
  return {
    first: textOf(entries.filter(isIn(first))),
    pieces: Object.fromEntries(filled.map(([name, found]) => [name, textOf(found)])),
  }
}

/** Returns the code of an object that maps a part to a function that loads its pieces. `file` has `*` for the piece. */
function pieceLoaders(later: Parts['later'], pieces: Readonly<Record<string, string>>, file: string): string {
  const rows = Object.entries(later).map(([part, all]) => [part, [...all].filter((name) => name in pieces).join(' ')])
  const table = JSON.stringify(Object.fromEntries(rows.filter(([, names]) => names !== '')))
  const fetched = `names.split(' ').map(name=>import(${JSON.stringify(file)}.replace('*',name)))`
  return `Object.fromEntries(Object.entries(${table}).map(([part,names])=>[part,()=>Promise.all(${fetched})]))`
}

/** Returns the module of an app's complete catalogue, including messages that no built module uses. */
export async function wholeCatalogue(home: string, app: string, language: string): Promise<string> {
  return moduleOf(textOf(await withShortIds(await entriesOf(home, app, language), home, app)))
}

/**
 * Returns the id of each message in built files: the shortest beginning, of two characters or more, that no other
 * message of the app shares. Ids are hashes of six characters, which do not compress (ADR 334).
 */
export async function shortIdsOf(home: string, app: string): Promise<ReadonlyMap<string, string>> {
  const catalogues = await Promise.all(filesOf(home, app, 'de').map((file) => parse(file, 'de')))
  const ids = [...new Set(catalogues.flatMap((catalogue) => Object.keys(catalogue)))]
  const lengths = [2, 3, 4, 5]
  const shared = lengths.map((length) => {
    const seen = new Set<string>()
    return new Set(ids.map((id) => id.slice(0, length)).filter((id) => seen.has(id) || !seen.add(id)))
  })
  return new Map(
    ids.map((id) => [
      id,
      id.slice(
        0,
        lengths.find((length, at) => !shared[at]?.has(id.slice(0, length))),
      ),
    ]),
  )
}

async function withShortIds(entries: readonly Entry[], home: string, app: string): Promise<Entry[]> {
  const short = await shortIdsOf(home, app)
  return entries.map((entry) => ({ ...entry, id: short.get(entry.id) ?? entry.id }))
}

function moduleOf(json: string): string {
  return `export const messages=JSON.parse(${JSON.stringify(json)})`
}

function markOf(language: string): string {
  return `<catalogue ${language}>`
}

function markOfParts(language: string): string {
  return `<parts ${language}>`
}

function quoted(mark: string): RegExp {
  return new RegExp(`["'\`]${mark}["'\`]`)
}

function pathIn(home: string, id: string): string {
  return relative(home, id.split('?')[0] ?? id)
    .split(sep)
    .join('/')
}

function textOf(entries: readonly Entry[]): string {
  return withUnbrokenEmailWord(JSON.stringify(Object.fromEntries(entries.map(({ id, compiled }) => [id, compiled]))))
}

function filesOf(home: string, app: string, language: string): string[] {
  return [app, 'ui', 'contract'].map((directory) => join(home, directory, 'locales', `${language}.po`))
}

async function entriesOf(home: string, app: string, language: string): Promise<Entry[]> {
  return (await Promise.all(filesOf(home, app, language).map((file) => entriesIn(file, language)))).flat()
}

async function entriesIn(file: string, language: string): Promise<Entry[]> {
  return Object.entries(await parse(file, language)).flatMap(([id, { translation, origin = [] }]) =>
    translation ? [{ id, compiled: compileMessage(translation), modules: origin.map(([module]) => module) }] : [],
  )
}

type Catalogue = Awaited<ReturnType<ReturnType<typeof formatter>['parse']>>

/** Parsed catalogues by their text: the apps share two, and a build reads each for the ids and for the messages. */
const parsed = new Map<string, Catalogue>()

async function parse(file: string, language: string): Promise<Catalogue> {
  const text = await readFile(file, 'utf8')
  const catalogue =
    parsed.get(text) ?? (await formatter().parse(text, { locale: language, sourceLocale: 'en', filename: file }))
  parsed.set(text, catalogue)
  return catalogue
}
