/** Builds both front ends as files for the server, only if their sources have changed. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const root = dirname(import.meta.dirname)
export const apps = ['portal', 'office'] as const
export type App = (typeof apps)[number]
const sharedSources = ['ui/**/*', 'contract/**/*', 'rules/**/*', 'package-lock.json', 'package.json', 'lingui.config.*']

/** The pages can be served, or their compressed copies exist as well. */
type Stage = 'built' | 'compressed'

/** Builds the apps that are not up to date and returns their names. Their pages can be served then. */
export async function buildApps(): Promise<App[]> {
  const stale = apps.filter((app) => !isBuilt(app, hashOf(app)))
  if (stale.length > 0) await runStageInChild('built', stale)
  return stale
}

/** Writes the compressed copies of the built apps that have none (ADR 325). Until then files are sent uncompressed. */
export async function compressApps(): Promise<void> {
  const waiting = appsToCompress()
  if (waiting.length > 0) await runStageInChild('compressed', waiting)
}

/** Returns the built apps that have no compressed copies yet. */
export function appsToCompress(): App[] {
  return apps.filter((app) => readMark('compressed', app) !== readMark('built', app))
}

/** Returns whether an app has been built from sources with this hash. */
function isBuilt(app: App, hash: string): boolean {
  return existsSync(join(root, 'dist', app, 'index.html')) && readMark('built', app) === hash
}

/** Returns the hash of the sources with which an app reached a stage, or null. */
function readMark(stage: Stage, app: App): string | null {
  const file = markFile(stage, app)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function markFile(stage: Stage, app: App): string {
  return join(root, 'dist', `${app}.${stage}`)
}

function hashOf(app: App): string {
  sharedHash ??= hashOfFiles(sharedSources)
  return createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(sharedHash)
    .update(hashOfFiles([`${app}/**/*`]))
    .digest('hex')
}

let sharedHash: string | undefined

function hashOfFiles(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const files = globSync(patterns, { cwd: root, withFileTypes: true, exclude: ['**/*.test.ts'] })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  for (const path of paths.toSorted())
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

/** In one process for all: the second app uses what was compiled for the first (ADR 296). */
function runStageInChild(stage: Stage, chosen: readonly App[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [stage, ...chosen], {
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve()
      reject(new Error(`${chosen.join(' and ')} could not be ${stage}.\n${output}`))
    })
  })
}

async function buildHere(app: App): Promise<void> {
  const hash = hashOf(app)
  for (const stage of ['compressed', 'built'] as const) rmSync(markFile(stage, app), { force: true })
  // Loaded only where it is needed: most starts build nothing.
  const { build } = await import('vite')
  await build({ configFile: join(root, app, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(markFile('built', app), hash)
}

async function compressHere(app: App): Promise<void> {
  await compress(join(root, 'dist', app))
  cpSync(markFile('built', app), markFile('compressed', app))
}

/**
 * Writes `name.br` beside each text file: compressed once here, at the highest quality, and never during a request. The
 * server may be reading the directory already, so no file is visible before it is complete.
 */
async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,html,svg,webmanifest}', { cwd: folder }).map((file) => join(folder, file))
  await Promise.all(
    files.map(async (file) => {
      writeFileSync(`${file}.part`, await promisify(brotliCompress)(readFileSync(file)))
      renameSync(`${file}.part`, `${file}.br`)
    }),
  )
}

const isProgram = process.argv[1] === import.meta.filename
const chosen = apps.filter((app) => isProgram && process.argv.includes(app))
if (isProgram && chosen.length === 0) {
  const built = await buildApps()
  await compressApps()
  console.log(built.length > 0 ? `Built ${built.join(' and ')}.` : 'Portal and back office are up to date.')
}
if (chosen.length > 0) {
  process.once('disconnect', () => process.exit(1))
  const compressing = process.argv.includes('compressed')
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority
  // Pages are being served while they are compressed; what a start waits for longest is the history beside the build.
  setPriority(compressing ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  for (const app of chosen) await (compressing ? compressHere(app) : buildHere(app))
  process.disconnect?.()
  process.exit(0)
}
