/**
 * The end of `npm test` names the failures and their causes, so that a log of which only the end is kept is enough to
 * start with.
 */
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { expect, test } from 'vitest'
import type { JsonTestResults } from 'vitest/node'
import { failedJourneys, failedTests } from './test-failures.ts'

const root = join(import.meta.dirname, '..')

/** Returns a report as read from its file. */
const written = <Report>(report: unknown) => JSON.parse(JSON.stringify(report)) as Report

test('a failed test and a file that could not be read are named with their reasons, those that passed are not', () => {
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
  expect(failedTests(written<JsonTestResults>({ testResults }))).toEqual([
    '✗ rules/fees.test.ts › rounds\n    Error: 1 is not 2',
    '✗ rules/broken.test.ts › the file\n    SyntaxError: no',
  ])
})

test('a failed journey is named with its line, also inside a group, and a run that could not begin', () => {
  const spec = (title: string, message?: string) => ({
    ok: message === undefined,
    title,
    file: 'tests/e2e/inbox.spec.ts',
    line: 7,
    tests: [{ results: [{ errors: message === undefined ? [] : [{ message }] }] }],
  })
  const suites = [{ specs: [spec('opens')], suites: [{ specs: [spec('sorts', 'Error: not sorted')] }] }]
  const report = written<JSONReport>({ suites, errors: [{ message: 'Error: no browser' }] })
  expect(failedJourneys(report)).toEqual([
    '✗ journeys › the run\n    Error: no browser',
    '✗ tests/e2e/inbox.spec.ts:7 › sorts\n    Error: not sorted',
  ])
})
