import { defineConfig } from '@playwright/test'
import { portalUrl } from './tests/product.ts'

const chromium = process.env['CHROMIUM']

/** Journeys through the whole product in a real browser, by visible role and name; each makes its own people. */
export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  globalSetup: './scripts/journey-product.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A browser on a busy machine may miss a moment: what passes only the second time is named at the end.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['line'], ['json', { outputFile: '.cache/tests/journeys.json' }]],
  use: {
    baseURL: portalUrl(),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    actionTimeout: 15_000,
    trace: 'on-first-retry',
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
