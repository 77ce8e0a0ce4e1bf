import { defineConfig } from 'vitest/config'

/**
 * unit: pure functions and simulators, no database. api: through HTTP on real PostgreSQL, one database for each file.
 * faults: the server as a process of its own, killed and started again. The browser's journeys are Playwright's.
 */
export default defineConfig({
  test: {
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
