/** Builds an app's translations into one language as one chunk, from its own catalogue, ui's and the contract's. */
import { readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { withNoBreaks } from '../text/no-break.ts'

interface Entry {
  readonly id: string
  readonly compiled: unknown
  /** The modules that use it. */
  readonly modules: readonly string[]
}

/**
 * Serves `locales/<language>.po` of an app. The build contains only the messages of modules that the app imports, which
 * are known after bundling: until then there is a placeholder.
 */
export function catalogueChunk(home: string, app: string): Plugin {
  const catalogues = new Map<string, readonly Entry[]>()
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
        catalogues.set(language, entries)
        return { code: moduleOf(isBuild ? markOf(language) : textOf(entries)), map: null, moduleType: 'js' }
      },
    },
    renderChunk(code, _chunk, _options, { chunks }) {
      const found = /(["'`])<catalogue (\w+)>\1/.exec(code)
      if (!found?.[2]) return null
      const used = new Set(Object.values(chunks).flatMap(({ moduleIds }) => moduleIds.map((id) => pathIn(home, id))))
      const entries = catalogues.get(found[2]) ?? []
      const text = textOf(entries.filter(({ modules }) => modules.some((module) => used.has(module))))
      return { code: code.replace(found[0], () => JSON.stringify(text)), map: null }
    },
  }
}

/** Returns the module of an app's complete catalogue, including messages that no built module uses. */
export async function wholeCatalogue(home: string, app: string, language: string): Promise<string> {
  return moduleOf(textOf(await entriesOf(home, app, language)))
}

function moduleOf(json: string): string {
  return `export const messages=JSON.parse(${JSON.stringify(json)})`
}

function markOf(language: string): string {
  return `<catalogue ${language}>`
}

function pathIn(home: string, id: string): string {
  return relative(home, id.split('?')[0] ?? id)
    .split(sep)
    .join('/')
}

function textOf(entries: readonly Entry[]): string {
  return withNoBreaks(JSON.stringify(Object.fromEntries(entries.map(({ id, compiled }) => [id, compiled]))))
}

function filesOf(home: string, app: string, language: string): string[] {
  return [app, 'ui', 'contract'].map((directory) => join(home, directory, 'locales', `${language}.po`))
}

async function entriesOf(home: string, app: string, language: string): Promise<Entry[]> {
  return (await Promise.all(filesOf(home, app, language).map((file) => entriesIn(file, language)))).flat()
}

async function entriesIn(file: string, language: string): Promise<Entry[]> {
  const context = { locale: language, sourceLocale: 'en', filename: file }
  const catalogue = await formatter().parse(await readFile(file, 'utf8'), context)
  return Object.entries(catalogue).flatMap(([id, { translation, origin = [] }]) =>
    translation ? [{ id, compiled: compileMessage(translation), modules: origin.map(([module]) => module) }] : [],
  )
}
