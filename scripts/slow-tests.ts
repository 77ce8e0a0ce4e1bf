/** `npm run test:slow`: the slowest files and tests of the last `npm test`, in seconds. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { readUsage } from './usage.mjs'

const [shown = '20'] = readUsage('test:slow')
const root = dirname(import.meta.dirname)

interface TimedTest {
  readonly file: string
  readonly title: string
  readonly ms: number
}

const tests = [...vitestTests(), ...journeyTests()]
if (tests.length === 0) {
  console.error('No test results were found. Run npm test first.')
  process.exit(1)
}
const files = new Map<string, number>()
for (const { file, ms } of tests) files.set(file, (files.get(file) ?? 0) + ms)
printSlowest(
  'Files',
  [...files].map(([file, ms]) => [ms, file]),
)
printSlowest(
  'Tests',
  tests.map(({ file, title, ms }) => [ms, `${file} › ${title}`]),
)

function vitestTests(): TimedTest[] {
  return (readReport<JsonTestResults>('vitest')?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, name),
      title: fullName.trim(),
      ms: duration ?? 0,
    })),
  )
}

function journeyTests(): TimedTest[] {
  const testsOf = ({ specs, suites = [] }: JSONReportSuite): TimedTest[] => [
    ...specs.map(({ file, title, tests: runs }) => ({
      file,
      title,
      ms: runs.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
    ...suites.flatMap(testsOf),
  ]
  return (readReport<JSONReport>('journeys')?.suites ?? []).flatMap(testsOf)
}

/** Returns the report of a part that scripts/test.ts has stored; null if the last run left it out. */
function readReport<Report>(part: string): Report | null {
  const file = join(root, '.cache', 'tests', `${part}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

function printSlowest(head: string, rows: readonly (readonly [number, string])[]): void {
  const slowest = rows.toSorted(([one], [other]) => other - one).slice(0, Number(shown))
  console.log(`${head}\n${slowest.map(([ms, name]) => `${(ms / 1000).toFixed(1).padStart(8)}  ${name}`).join('\n')}\n`)
}
