/** Builds both front ends as files for the server, only if their sources have changed. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

/** Builds the apps that are not up to date and returns their names. After the stage `built`, compression continues. */
export async function buildApps(until: Stage = 'compressed'): Promise<App[]> {
  const hashes = apps.map((app) => [app, hashOf(app)] as const)
  const behind = (stage: Stage) => hashes.filter(([app, hash]) => !hasReached(stage, app, hash)).map(([app]) => app)
  const stale = behind('built')
  const incomplete = behind('compressed')
  if (incomplete.length > 0) await buildInChild(incomplete, until)
  return stale
}

/** Returns whether an app has been built, or compressed as well, from sources with this hash. */
function hasReached(stage: Stage, app: App, hash: string): boolean {
  const file = markOf(stage, app)
  return existsSync(join(root, 'dist', app, 'index.html')) && existsSync(file) && readFileSync(file, 'utf8') === hash
}

function markOf(stage: Stage, app: App): string {
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
function buildInChild(stale: readonly App[], until: Stage): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, stale, {
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    let isUsed = false
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('message', () => {
      isUsed = until === 'built'
      if (isUsed) resolve()
    })
    child.once('close', (code) => {
      if (code === 0) return resolve()
      // Without a code it was ended together with us.
      if (isUsed && code !== null) console.error(`${stale.join(' and ')} could not be compressed.\n${output}`)
      reject(new Error(`${stale.join(' and ')} could not be built.\n${output}`))
    })
  })
}

async function buildHere(asked: readonly App[]): Promise<void> {
  const hashes = asked.map((app) => [app, hashOf(app)] as const)
  for (const [app, hash] of hashes.filter(([app, hash]) => !hasReached('built', app, hash))) {
    for (const stage of ['compressed', 'built'] as const) rmSync(markOf(stage, app), { force: true })
    // Loaded only where it is needed: most starts build nothing.
    const { build } = await import('vite')
    await build({ configFile: join(root, app, 'vite.config.ts'), logLevel: 'warn' })
    writeFileSync(markOf('built', app), hash)
  }
  process.send?.('built')
  // A start does not wait for the rest, which yields to it.
  setPriority(constants.priority.PRIORITY_LOW)
  for (const [app, hash] of hashes) {
    await compress(join(root, 'dist', app))
    writeFileSync(markOf('compressed', app), hash)
  }
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
const asked = apps.filter((app) => isProgram && process.argv.includes(app))
if (isProgram && asked.length === 0) {
  const built = await buildApps()
  console.log(built.length > 0 ? `Built ${built.join(' and ')}.` : 'Portal and office are up to date.')
}
if (asked.length > 0) {
  process.once('disconnect', () => process.exit(1))
  await buildHere(asked)
  process.disconnect?.()
  process.exit(0)
}
