import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest begin first: they wait for processes of their own, while the others compute. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isFault = ({ project }: TestSpecification) => project.name === 'faults'
    return [...sorted.filter(isFault), ...sorted.filter((file) => !isFault(file))]
  }
}

/**
 * unit: pure functions and simulators, no database. api: through HTTP on real PostgreSQL, one database for each file.
 * faults: the server as a process of its own, killed and started again. The browser's journeys are Playwright's.
 */
export default defineConfig({
  test: {
    globalSetup: 'scripts/test-folder.ts',
    // Tests wait for PostgreSQL and for processes of their own more than they compute: two cores carry three files.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: FaultsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{rules,contract,ui,portal,office,simulators,scripts}/**/*.test.ts', 'tests/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['server/**/*.test.ts'],
          globalSetup: 'scripts/test-cluster.ts',
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: 'scripts/test-cluster.ts',
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
