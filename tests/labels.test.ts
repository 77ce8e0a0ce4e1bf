/** Texts of the contract and the server in every language: whole, with the same values, and one label for each code. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import { problems } from '#contract/problems.ts'
import { languages } from '#rules/choices.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { labelsOf } from '#server/features/reports/export-labels.ts'
import { inEachLanguage, stateText } from '#server/i18n/translate.ts'
import { detectLanguage } from '#ui/text/detect-language.ts'

test.each(Object.entries(problems))('%s has a sentence in every language with the same values', (_, { text }) => {
  const { en, ...others } = inEachLanguage(text)
  const values = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted()
  // The alert of a deposit that is too low has no full stop (requirements 8.2).
  for (const each of [en, ...Object.values(others)])
    expect(each).toMatch(/[.!?}]$|^Amount too low$|^Betrag zu niedrig$/)
  for (const other of Object.values(others)) {
    expect(other).not.toBe(en)
    expect(values(other)).toEqual(values(en))
    expect(other).not.toMatch(/\b(du|dein|deine|dir|dich)\b/i)
  }
})

test.each(Object.entries(rejectionReasons))('standard reasons of a %s are whole in every language', (_, reasons) => {
  expect(new Set(reasons.map(({ key }) => key)).size).toBe(reasons.length)
  for (const { text } of reasons)
    for (const [language, sentence] of Object.entries(inEachLanguage(text))) {
      expect(sentence).toMatch(/\.$/)
      expect(detectLanguage(sentence)).toBe(language)
      expect(sentence).not.toMatch(/\b(du|dein|deine|dir|dich)\b/i)
    }
})

test('every state has a label, which its column in a file shows in every language', () => {
  const states = stateMachines.flatMap((machine): readonly string[] => machine.states)
  expect(states.length).toBeGreaterThan(50)
  expect([...new Set(states)].filter((state) => !Object.hasOwn(stateLabels, state))).toEqual([])
  const shown = labelsOf('deposits', 'state')
  for (const language of languages) expect(states.filter((state) => shown?.(state, language, {}) === state)).toEqual([])
})

// Payments and bank details freigeben, applications genehmigen, clients freischalten, documents akzeptieren.
test.each([
  ['account', 'approved', 'Genehmigt'],
  ['bank_details', 'approved', 'Freigegeben'],
  ['bank_details', 'pending', 'In Prüfung'],
  ['client', 'approved', 'Freigeschaltet'],
  ['client', 'closed', 'Beendet'],
  ['client', 'pending', 'In Prüfung'],
  ['correction', 'approved', 'Freigegeben'],
  ['deposit', 'approved', 'Gutgeschrieben'],
  ['deposit', 'cancelled', 'Storniert'],
  ['document', 'approved', 'Akzeptiert'],
  ['document', 'pending_approval', 'In Prüfung'],
  ['erasure', 'cancelled', 'Zurückgezogen'],
  ['leverage_request', 'approved', 'Genehmigt'],
  ['payout_batch', 'closed', 'Abgeschlossen'],
  ['setting_change', 'approved', 'Freigegeben'],
  ['setting_change', 'cancelled', 'Zurückgezogen'],
  ['transfer', 'approved', 'Ausgeführt'],
  ['withdrawal', 'approved', 'Freigegeben'],
])('a %s that is %s has a German word of its own: %s', (record, state, german) => {
  expect(stateText(record, state, 'de')).toBe(german)
  expect(stateText(record, state, 'en')).toBe(stateText('', state, 'en'))
})

test('every label of a single record’s state names a machine and one of its states', () => {
  const own = Object.keys(stateLabels).filter((key) => key.includes('.'))
  const known = stateMachines.flatMap(({ name, states }) => states.map((state) => `${name}.${state}`))
  expect(own.length).toBeGreaterThan(10)
  // Clients and lists read the state of a document as "pending".
  expect(own.filter((key) => !known.includes(key))).toEqual(['document.pending'])
})

test('failed operations have labels, emails by what they say', () => {
  const label = labelsOf('failed-jobs', 'kind')
  const shown = ['transfer-compensate', 'password-reset', 'document-rejected'].map((kind) => [
    label?.(kind, 'en', {}),
    label?.(kind, 'de', {}),
  ])
  expect(shown).toEqual([
    ['Reverse a transfer', 'Umbuchung zurückbuchen'],
    ['Email: password reset', 'E-Mail: Passwort zurücksetzen'],
    ['Email: document to upload again', 'E-Mail: Dokument erneut hochzuladen'],
  ])
})

test('no text of the contract or the server is written in two languages in the code', () => {
  const files = globSync('{contract,server}/**/*.ts', { exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => /\bde: ['"`]/.test(readFileSync(file, 'utf8')))).toEqual([])
})
