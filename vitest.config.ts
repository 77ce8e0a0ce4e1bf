import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** In which order the projects begin: those that wait for processes of their own come first, beside what computes. */
const order = ['faults', 'unit', 'api']

class LongestWaitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return order.flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}

/** `npm test -- --shuffle`: then chance has the order, of files and of the tests in them. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))

/**
 * unit: pure functions and simulators, no database. api: through HTTP on real PostgreSQL, one database for each file.
 * faults: the server as a process of its own, killed and started again. The browser's journeys are Playwright's.
 */
export default defineConfig({
  test: {
    globalSetup: 'scripts/test-folder.ts',
    // Tests wait for PostgreSQL and for processes of their own more than they compute: two cores carry three files.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: isShuffled ? {} : { sequencer: LongestWaitFirst },
    // They tell what never comes: on a busy machine what is waited for comes late.
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{rules,contract,ui,portal,office,simulators,scripts}/**/*.test.ts', 'tests/*.test.ts'],
          // No module keeps what another file could meet: one process reads them once and runs many files.
          isolate: false,
          setupFiles: ['tests/property-seed.ts'],
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['server/**/*.test.ts'],
          isolate: false,
          globalSetup: 'scripts/test-cluster.ts',
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: 'scripts/test-cluster.ts',
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
