/** The words of the office's files are those of its screens: English and German as they stand in a catalogue together. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { places, statuses } from '#server/features/client-money/file-labels.ts'
import { allLabels, labelsOf } from '#server/features/reports/export-labels.ts'

/** English and German of every message of the office and of what both apps share; where a word may break is the screens' alone. */
const screens = new Set(
  globSync('{office,ui}/locales/de.po', { exclude: ['**/node_modules/**'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)].map(([, en, de]) =>
      `${en} = ${de}`.replaceAll('\u00ad', ''),
    ),
  ),
)

test('every word of a file is one of the screens', () => {
  const words = [...allLabels, places, statuses].flatMap((list) =>
    Object.values(list).map(({ en, de }) => `${en} = ${de}`),
  )
  expect(words.length).toBeGreaterThan(50)
  expect(words.filter((pair) => !screens.has(pair))).toEqual([])
})

test('every state that a list holds has its word in a file', () => {
  const word = labelsOf('deposits', 'state')
  const states = stateMachines.flatMap((machine): readonly string[] => machine.states)
  expect(states.length).toBeGreaterThan(50)
  const bare = states.filter((state) => word?.(state, 'de') === state)
  expect([...new Set(bare)]).toEqual([])
})

test('what could not be done is said in words, letters by what they say', () => {
  const word = labelsOf('failed-jobs', 'kind')
  const said = ['transfer-compensate', 'password-reset', 'document-rejected'].map((kind) => [
    word?.(kind, 'en'),
    word?.(kind, 'de'),
  ])
  expect(said).toEqual([
    ['Reverse a transfer', 'Umbuchung zurückbuchen'],
    ['Password reset email', 'E-Mail zum Zurücksetzen des Passworts'],
    ['Email: document to upload again', 'E-Mail: Dokument erneut hochzuladen'],
  ])
})
