import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/**
 * The words in the code are the English ones; German is in `words/de.po` beside each screen, so that authors of
 * different screens never write one file. scripts/catalogues.ts fills and checks them.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  // Without line numbers: a change of code above a string is no change of its catalogue.
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: '<rootDir>/ui/words/{locale}',
      include: ['<rootDir>/ui'],
      exclude: ['**/*.test.ts', '**/*.d.ts', '**/gallery/**'],
    },
    { path: '<rootDir>/portal/funding/words/{locale}', include: ['<rootDir>/portal/funding'] },
    { path: '<rootDir>/office/records/words/{locale}', include: ['<rootDir>/office/records'] },
    { path: '<rootDir>/office/decision/words/{locale}', include: ['<rootDir>/office/decision'] },
    ...['portal', 'office'].flatMap((app) => [
      {
        path: `<rootDir>/${app}/layout/words/{locale}`,
        include: [`<rootDir>/${app}/layout`, `<rootDir>/${app}/main.tsx`, `<rootDir>/${app}/routes.tsx`],
      },
      { path: `<rootDir>/${app}/screens/{name}/words/{locale}`, include: [`<rootDir>/${app}/screens/{name}`] },
    ]),
  ],
})
