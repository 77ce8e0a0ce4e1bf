/** Failures in the reports that the runners write to `.cache/tests`, printed again at the end of `npm test`. */
import { dirname, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'

const linesShown = 15
const root = dirname(import.meta.dirname)

/** Returns a text for each failed test and file: its place, its name, and the first lines of the error. */
export function failedTests({ testResults }: JsonTestResults): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    if (status === 'failed' && assertionResults.length === 0) return [failureText(file, 'the file', [message])]
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => failureText(file, test.fullName, test.failureMessages ?? []))
  })
}

/** Returns a text for each failed journey, like {@link failedTests}. */
export function failedJourneys({ suites, errors }: JSONReport): string[] {
  return [
    ...errors.map(({ message }) => failureText('journeys', 'the run', [message])),
    ...suites.flatMap(failedInSuite),
  ]
}

function failedInSuite({ specs, suites = [] }: JSONReportSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return failureText(
        `${file}:${line}`,
        title,
        errors.map(({ message }) => message),
      )
    })
  return [...own, ...suites.flatMap(failedInSuite)]
}

function failureText(place: string, name: string, reasons: (string | undefined)[]): string {
  const lines = stripVTControlCharacters(reasons.join('\n')).trim().split('\n')
  return [`✗ ${place} › ${name}`, ...lines.slice(0, linesShown).map((line) => `    ${line}`)].join('\n')
}
