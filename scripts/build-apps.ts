/** Builds both front ends as files for the server, only if their sources have changed. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const root = dirname(import.meta.dirname)
export const apps = ['portal', 'office'] as const
export type App = (typeof apps)[number]
const sharedSources = ['ui/**/*', 'contract/**/*', 'rules/**/*', 'package-lock.json', 'package.json', 'lingui.config.*']

/** Builds the apps that are not up to date, both in parallel, and returns their names. */
export async function buildApps(): Promise<App[]> {
  const stale = apps.filter((app) => !isBuilt(app, hashOf(app)))
  await Promise.all(stale.map(buildInChild))
  return stale
}

function isBuilt(app: App, hash: string): boolean {
  const file = hashFile(app)
  return existsSync(join(root, 'dist', app, 'index.html')) && existsSync(file) && readFileSync(file, 'utf8') === hash
}

function hashFile(app: App): string {
  return join(root, 'dist', `${app}.sources`)
}

function hashOf(app: App): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  const patterns = [`${app}/**/*`, ...sharedSources]
  const files = globSync(patterns, { cwd: root, withFileTypes: true, exclude: ['**/*.test.ts'] })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  for (const path of paths.toSorted())
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

/** In a separate process, so that each build uses its own core. */
function buildInChild(app: App): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [app], {
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The ${app} was not built.\n${output}`))))
  })
}

async function buildHere(app: App): Promise<void> {
  const hash = hashOf(app)
  rmSync(hashFile(app), { force: true })
  // Loaded only in this process: most starts build nothing.
  const { build } = await import('vite')
  await build({ configFile: join(root, app, 'vite.config.ts'), logLevel: 'warn' })
  await compress(join(root, 'dist', app))
  writeFileSync(hashFile(app), hash)
}

/** Writes `name.br` beside each text file: compressed once here, at the highest quality, and never during a request. */
async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,html,svg,webmanifest}', { cwd: folder }).map((file) => join(folder, file))
  await Promise.all(
    files.map(async (file) => writeFileSync(`${file}.br`, await promisify(brotliCompress)(readFileSync(file)))),
  )
}

const isProgram = process.argv[1] === import.meta.filename
const asked = apps.find((app) => isProgram && process.argv[2] === app)
if (isProgram && asked === undefined) {
  const built = await buildApps()
  console.log(built.length > 0 ? `Built ${built.join(' and ')}.` : 'Portal and office are up to date.')
}
if (asked !== undefined) {
  process.once('disconnect', () => process.exit(1))
  await buildHere(asked)
  process.disconnect?.()
  process.exit(0)
}
