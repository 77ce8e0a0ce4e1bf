import { readFileSync, globSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where keys are taken for a whole page: what they take is printed, or no command. */
const listeners = [
  // Ctrl+K, and g with a second key.
  'office/layout/go-keys.ts',
  'office/layout/search.tsx',
  // Somebody is there.
  'ui/auth/live-session.ts',
  // Only keeps keys back.
  'ui/navigation/item-key-guard.ts',
  'ui/navigation/keyboard-shortcuts.ts',
]

test('keys of a whole page go through the list of keys that is printed', () => {
  const files = globSync('{office,ui}/**/*.{ts,tsx}', { exclude: ['**/*.test.ts', '**/*.gen.ts'] })
  const found = files.filter((file) => /addEventListener\(\s*'key/.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(300)
  expect(found.toSorted()).toEqual(listeners)
})
