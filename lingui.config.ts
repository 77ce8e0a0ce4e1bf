import { defineConfig } from '@lingui/cli'
import babel from '@lingui/cli/api/extractors/babel'
import { formatter } from '@lingui/format-po'
import { languages } from './rules/choices.ts'

/**
 * English is the source language, in the code; German is in `locales/de.po` of each directory. scripts/catalogues.ts
 * fills and checks them.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  // Without line numbers: a change of code above a string does not change its catalogue.
  format: formatter({ lineNumbers: false }),
  // Code of the contract and the server runs unchanged: their `msg` is a function that looks like the macro.
  macro: { corePackage: ['@lingui/core/macro', '#contract/message.ts', './message.ts', '../message.ts'] },
  // Most files have no text and are not parsed.
  extractors: [
    {
      match: babel.match,
      extract: (file, code, ...rest) =>
        /from '(?:@lingui\/|[^']*\/message\.ts')/.test(code) ? babel.extract(file, code, ...rest) : undefined,
    },
  ],
  catalogs: ['portal', 'office', 'ui', 'server', 'contract'].map((directory) => ({
    path: `<rootDir>/${directory}/locales/{locale}`,
    include: [`<rootDir>/${directory}`],
    exclude: ['**/*.test.ts', '**/*.d.ts', '**/gallery/**'],
  })),
})
