import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { portalUrl } from './tests/product.ts'

const chromium = process.env['CHROMIUM']

const inMemory = '/dev/shm'
/** Many times what all tabs draw at once; containers often have 64 MiB. */
const roomBytes = 2 ** 30

/** Journeys through the whole product in a real browser, by visible role and name; each makes its own people. */
export default defineConfig({
  projects: [
    { name: 'journeys', testDir: 'tests/e2e' },
    // `npm run pictures`: these show screens and test nothing.
    { name: 'pictures', testDir: 'tests/pictures' },
  ],
  outputDir: 'test-results',
  globalSetup: './scripts/e2e-product.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Elements that are not shown yet are awaited by role and name; a journey that fails is investigated, not retried.
  retries: 0,
  // These time-outs only end what never happens: a busy machine may be slow.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['line'], ['json', { outputFile: '.cache/tests/journeys.json' }]],
  use: {
    baseURL: portalUrl(),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    // The actions, the network and the console of a failed journey; snapshots of every step take as long as the step
    // itself.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium === undefined || chromium === '' ? undefined : chromium,
      // Its processes exchange what they draw through memory, not through files, where there is room.
      ignoreDefaultArgs: hasRoomInMemory() ? ['--disable-dev-shm-usage'] : [],
      // Rendering with an emulated graphics card costs time and shows no difference; tabs of one profile share compiled
      // code. The sandbox does not work for root, and is off only for root.
      args: [
        '--disable-gpu',
        '--disable-software-rasterizer',
        '--process-per-site',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})

function hasRoomInMemory(): boolean {
  if (!existsSync(inMemory)) return false
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= roomBytes
}
