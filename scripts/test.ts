/**
 * `npm test`: types, lint, format, catalogues, then all tests, including those in a real browser; the last line counts
 * them all. `npm test -- checks unit api faults journeys` runs only those parts; `npm test -- --shuffle` runs them in a
 * random order, and `--shuffle=4711` in that of a seed which was printed before.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { findChromium } from './chromium.ts'
import { buildApps, compressApps } from './build-apps.ts'
import { deploymentChecks } from './deployment-checks.ts'
import startJourneyProduct from './e2e-product.ts'
import { failedJourneys, failedTests } from './test-failures.ts'
import { readUsage } from './usage.mjs'

readUsage('test')

interface Count {
  passed: number
  failed: number
}

interface Outcome {
  readonly code: number
  readonly output: string
}

const root = dirname(import.meta.dirname)
const results = join(root, '.cache', 'tests')
const parts = ['checks', 'unit', 'api', 'faults', 'journeys'] as const
type Part = (typeof parts)[number]

const requestedParts = parts.filter((part) => process.argv.includes(part))
const chosen = new Set<Part>(requestedParts.length > 0 ? requestedParts : parts)
const seed = shuffleSeed()
const total: Count = { passed: 0, failed: 0 }
const failures: string[] = []
const running = new Set<ChildProcess>()
let stopProduct = async (): Promise<void> => undefined

// The results of the last run, for `npm run test:slow`.
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
// Prepared in parallel with the checks, because most of it is waiting.
const prepared = chosen.has('journeys') ? prepareJourneys() : null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) child.kill('SIGTERM')
    // One that is still starting ends when we have ended.
    void stopProduct().finally(() => process.exit(1))
  })
if (seed !== null) console.log(`Shuffled. Repeat this order with npm test -- --shuffle=${seed}`)
await runChecks()
// In parallel: each waits often enough to leave a core to the other (ADR 280).
const others = runVitest()
await Promise.all([others, prepared?.then((failure) => runJourneys(failure, others))])
for (const check of Object.keys(deploymentChecks))
  console.log(`- ${check}: not run here. Run it with npm run ${check} or .ci/run`)
// Again, and last: a log of which only the end is kept then contains the causes too.
if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join('\n\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

/** Returns the seed of `--shuffle`, or a random one; null if nothing is shuffled. */
function shuffleSeed(): number | null {
  const word = process.argv.find((one) => /^--shuffle(=\d+)?$/.test(one))
  if (word === undefined) return null
  return word.includes('=') ? Number(word.split('=')[1]) : randomInt(1, 1_000_000)
}

/** Runs static checks; each counts as one. */
async function runChecks(): Promise<void> {
  if (!chosen.has('checks')) return
  const checks: [string, string[]][] = [
    ['types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']],
    ['lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
    ['format', ['node_modules/oxfmt/bin/oxfmt', '--check']],
    ['style sheets', ['scripts/check-css.mjs']],
    ['catalogues', ['scripts/catalogues.ts', '--check']],
  ]
  await Promise.all(checks.map(async ([name, args]) => reportCheck(name, await runProgram(args, 'never'))))
}

function reportCheck(name: string, { code, output }: Outcome): void {
  addCount(code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  if (code !== 0) failures.push(`✗ ${name}\n${output.trimEnd()}`)
  console.log(code === 0 ? `✓ ${name}` : `✗ ${name}\n${output.trimEnd()}`)
}

/** Runs unit, API and fault tests together, so that they share the cluster's start. */
async function runVitest(): Promise<void> {
  const projects = (['unit', 'api', 'faults'] as const).filter((part) => chosen.has(part))
  if (projects.length === 0) return
  const file = join(results, 'vitest.json')
  const { code } = await runProgram(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...(seed === null ? [] : ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    'at once',
  )
  const found = read<JsonTestResults>(file)
  const broken = found?.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0) ?? []
  if (found) failures.push(...failedTests(found))
  addRun('vitest', code, { passed: found?.numPassedTests ?? 0, failed: (found?.numFailedTests ?? 0) + broken.length })
}

/** Prepares a browser, both front ends, and the product with its demo. Returns why this failed, otherwise null. */
async function prepareJourneys(): Promise<string | null> {
  try {
    const [chromium] = await Promise.all([findChromium(), buildApps().then(compressApps)])
    process.env['CHROMIUM'] = chromium ?? ''
    stopProduct = await startJourneyProduct()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Their output appears after that of the others. */
async function runJourneys(failure: string | null, vitestRun: Promise<void>): Promise<void> {
  if (failure !== null) {
    console.error(failure)
    return addCount({ passed: 0, failed: 1 })
  }
  const file = join(results, 'journeys.json')
  // Node reads our TypeScript directly; Playwright would first transpile all of it.
  process.env['PW_DISABLE_TS_ESM'] = '1'
  const order = seed === null ? [] : [`--shuffle=${seed}`]
  const { code } = await runProgram(
    ['node_modules/@playwright/test/cli.js', 'test', '--project=journeys', ...order],
    vitestRun,
  )
  await stopProduct()
  const found = read<JSONReport>(file)
  if (found) failures.push(...failedJourneys(found))
  const stats = found?.stats
  addRun('journeys', code, { passed: stats?.expected ?? 0, failed: stats?.unexpected ?? 0 })
}

/** Counts a runner; one that failed as a whole, or found nothing to run, counts as a failure too. */
function addRun(name: string, code: number, count: Count): void {
  addCount(count)
  if (count.failed > 0 || (code === 0 && count.passed > 0)) return
  console.error(`✗ ${name} ${count.passed === 0 ? 'ran no tests' : 'failed, but not in a test'} (exit code ${code}).`)
  addCount({ passed: 0, failed: 1 })
}

function addCount({ passed, failed }: Count): void {
  total.passed += passed
  total.failed += failed
}

function read<Report>(file: string): Report | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

/**
 * Runs a program with our own Node; its output is stored, or shown immediately, or shown once another program has
 * ended.
 */
async function runProgram(args: string[], shown: 'never' | 'at once' | Promise<void>): Promise<Outcome> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const kept: Buffer[] = []
  let isShown = shown === 'at once'
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (isShown ? process.stdout.write(chunk) : kept.push(chunk)))
  const ended = new Promise<Outcome>((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output: Buffer.concat(kept).toString() })
    })
  })
  if (typeof shown === 'object') {
    await shown
    isShown = true
    process.stdout.write(Buffer.concat(kept))
  }
  return ended
}
