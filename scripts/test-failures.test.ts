/**
 * The last lines of `npm test` name the failures and their causes, so that the end of a truncated log is enough to
 * start with.
 */
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { expect, test } from 'vitest'
import type { JsonTestResults } from 'vitest/node'
import { failedJourneys, failedTests } from './test-failures.ts'

const root = join(import.meta.dirname, '..')

/** Returns a report as read from its file. */
const asStoredReport = <Report>(report: unknown) => JSON.parse(JSON.stringify(report)) as Report

test('failed tests and files that could not be read are listed with their errors, and passed tests are not listed', () => {
  const file = (name: string, message: string, assertionResults: unknown[]) => ({
    name: join(root, name),
    status: message || assertionResults.length > 1 ? 'failed' : 'passed',
    message,
    assertionResults,
  })
  const one = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  })
  const testResults = [
    file('rules/fees.test.ts', '', [
      one('adds', 'passed'),
      one('rounds', 'failed', '\u001B[31mError: 1 is not 2\u001B[39m'),
    ]),
    file('rules/broken.test.ts', 'SyntaxError: no', []),
    file('rules/dates.test.ts', '', [one('counts', 'passed')]),
  ]
  expect(failedTests(asStoredReport<JsonTestResults>({ testResults }))).toEqual([
    '✗ rules/fees.test.ts › rounds\n    Error: 1 is not 2',
    '✗ rules/broken.test.ts › the file\n    SyntaxError: no',
  ])
})

test('failed journeys, including nested ones, are listed with their lines, and so is a run that could not start', () => {
  const spec = (title: string, message?: string) => ({
    ok: message === undefined,
    title,
    file: 'tests/e2e/inbox.spec.ts',
    line: 7,
    tests: [{ results: [{ errors: message === undefined ? [] : [{ message }] }] }],
  })
  const suites = [{ specs: [spec('opens')], suites: [{ specs: [spec('sorts', 'Error: not sorted')] }] }]
  const report = asStoredReport<JSONReport>({ suites, errors: [{ message: 'Error: no browser' }] })
  expect(failedJourneys(report)).toEqual([
    '✗ journeys › the run\n    Error: no browser',
    '✗ tests/e2e/inbox.spec.ts:7 › sorts\n    Error: not sorted',
  ])
})
