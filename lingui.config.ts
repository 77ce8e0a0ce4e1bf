import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/**
 * English is the source text, in the code; German is in `locales/de.po` of each directory. scripts/catalogues.ts fills and
 * checks them.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  // Without line numbers: a change of code above a string is no change of its catalogue.
  format: formatter({ lineNumbers: false }),
  catalogs: ['portal', 'office', 'ui'].map((directory) => ({
    path: `<rootDir>/${directory}/locales/{locale}`,
    include: [`<rootDir>/${directory}`],
    exclude: ['**/*.test.ts', '**/*.d.ts', '**/gallery/**'],
  })),
})
