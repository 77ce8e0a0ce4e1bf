import { readFileSync, globSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Files that listen for keys on the whole page: their keys are documented or are not commands. */
const listeners = [
  // Ctrl+K, and g with a second key.
  'office/layout/go-keys.ts',
  'office/layout/signed-in-frame.tsx',
  // Detects activity.
  'ui/auth/live-session.ts',
  // Only blocks keys.
  'ui/navigation/item-key-guard.ts',
  'ui/navigation/keyboard-shortcuts.ts',
]

test('only the listed files listen for keys on the whole page, so that every shortcut is documented', () => {
  const files = globSync('{office,ui}/**/*.{ts,tsx}', { exclude: ['**/*.test.ts', '**/*.gen.ts'] })
  const found = files.filter((file) => /addEventListener\(\s*'key/.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(300)
  expect(found.toSorted()).toEqual(listeners)
})
