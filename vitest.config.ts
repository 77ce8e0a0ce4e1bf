import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order in which the projects start: those that wait for separate processes come first, in parallel with those that
 * compute.
 */
const order = ['faults', 'unit', 'api']

class LongestWaitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return order.flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}

/** `npm test -- --shuffle`: the order of files and of their tests is random. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))

/**
 * unit: pure functions and simulators, no database. api: through HTTP on real PostgreSQL, one database for each file.
 * faults: the server as a separate process, killed and started again. Playwright runs the browser's journeys.
 */
export default defineConfig({
  test: {
    globalSetup: 'scripts/test-folder.ts',
    // Tests wait for PostgreSQL and for separate processes more than they compute: two cores run three files.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: isShuffled ? {} : { sequencer: LongestWaitFirst },
    // These time-outs only end what never happens: on a busy machine events are late.
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{rules,contract,ui,portal,office,simulators,scripts}/**/*.test.ts', 'tests/*.test.ts'],
          // No module keeps state that another file could see: one process loads modules once and runs many files.
          isolate: false,
          setupFiles: ['tests/property-seed.ts'],
          testTimeout: 900_000,
          hookTimeout: 240_000,
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
