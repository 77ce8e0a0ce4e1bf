import { defineConfig } from '@playwright/test'
import { portalUrl } from './tests/product.ts'

const chromium = process.env['CHROMIUM']

/** Journeys through the whole product in a real browser, by visible role and name; each makes its own people. */
export default defineConfig({
  projects: [
    { name: 'journeys', testDir: 'tests/e2e' },
    // `npm run pictures`: they show screens and prove nothing.
    { name: 'pictures', testDir: 'tests/pictures' },
  ],
  outputDir: 'test-results',
  globalSetup: './scripts/e2e-product.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // What is not yet on screen is waited for by its role and name; a journey that fails is looked into, not tried again.
  retries: 0,
  // They tell what never comes. Nothing is slow: a machine that does much else may be.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['line'], ['json', { outputFile: '.cache/tests/journeys.json' }]],
  use: {
    baseURL: portalUrl(),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    // What was done, the network and the console of a failed journey; snapshots of every step take as long again as the step.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium === undefined || chromium === '' ? undefined : chromium,
      // Drawing through an emulated graphics card costs time and shows nothing else; tabs of one profile share what they
      // have compiled. The sandbox does not work for root, and only for root is it left out.
      args: [
        '--disable-gpu',
        '--disable-software-rasterizer',
        '--process-per-site',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})
