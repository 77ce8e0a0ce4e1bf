/**
 * The two programs of the product that `npm start` loads: the server and the demo's history. Their modules are bundled
 * into few files, because finding and compiling each of 760 costs more than the rest of a start (ADR 325). Packages
 * stay as they are; production and `npm run dev` run the sources.
 */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The paths of the programs. */
export interface ServerPrograms {
  readonly serve: string
  readonly seed: string
}

const root = dirname(import.meta.dirname)
const folder = join(root, '.cache', 'server')
/** Names every source of the bundles with its state; written last. */
const mark = join(folder, 'sources.json')

/** Returns the programs as they are in the sources. */
export function sourcePrograms(): ServerPrograms {
  return { serve: join(import.meta.dirname, 'serve.ts'), seed: join(import.meta.dirname, 'seed.ts') }
}

/** Bundles the programs, if a source has changed, and returns them. */
export async function bundledPrograms(): Promise<ServerPrograms> {
  // In a process of its own, because the bundler would stay in memory.
  if (!isCurrent()) await promisify(execFile)(process.execPath, [import.meta.filename])
  return { serve: join(folder, 'serve.mjs'), seed: join(folder, 'seed.mjs') }
}

interface Sources {
  /** The bundles contain absolute paths. */
  readonly root: string
  readonly states: Readonly<Record<string, string>>
}

function isCurrent(): boolean {
  if (!existsSync(mark)) return false
  const { root: bundledIn, states } = JSON.parse(readFileSync(mark, 'utf8')) as Sources
  return bundledIn === root && Object.entries(states).every(([path, state]) => stateOf(path) === state)
}

/** Every change of a file sets this time, and nothing sets it back. */
function stateOf(path: string): string {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  return found ? `${found.ctimeMs} ${found.size}` : ''
}

async function bundle(): Promise<void> {
  const { rolldown } = await import('rolldown')
  // Read before the sources: what changes meanwhile is bundled again at the next start.
  const states: Record<string, string> = {}
  const note = (path: string) => (states[path] ??= stateOf(path))
  for (const path of ['package.json', 'package-lock.json']) note(path)
  note(import.meta.filename.slice(root.length + 1))
  const bundling = await rolldown({
    cwd: root,
    input: { ...sourcePrograms() },
    platform: 'node',
    external: /^[^.#/]/,
    plugins: [
      {
        name: 'sources',
        load(id) {
          if (isAbsolute(id) && existsSync(id)) note(id.slice(root.length + 1))
        },
        // Files beside a module (migrations, workers, pages) are found from where it was.
        transform: {
          filter: { id: /\.ts$/, code: /import\.meta\.(?:url|dirname)/ },
          handler: (code, id) =>
            code
              .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
              .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
        },
      },
    ],
  })
  const { output } = await bundling.generate({ format: 'es', entryFileNames: '[name].mjs', keepNames: true })
  await bundling.close()
  mkdirSync(folder, { recursive: true })
  rmSync(mark, { force: true })
  // The shared files first: another start may be reading, and finds only complete programs.
  for (const file of output.toSorted((a, b) => Number(isProgram(a)) - Number(isProgram(b))))
    write(join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source)
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of globSync('*.{js,mjs}', { cwd: folder })) if (!written.has(name)) rmSync(join(folder, name))
  write(mark, JSON.stringify({ root, states } satisfies Sources))
}

function isProgram(file: { readonly type: string; readonly isEntry?: boolean }): boolean {
  return file.isEntry ?? false
}

function write(path: string, text: string | Uint8Array): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, text)
  renameSync(part, path)
}

if (process.argv[1] === import.meta.filename) await bundle()
