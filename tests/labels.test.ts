/**
 * Texts of the contract and the server in every language: complete, with the same values, and one label for each code.
 */
import { globSync, readFileSync } from 'node:fs'
import { parsePo } from 'pofile-ts'
import { expect, test } from 'vitest'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { mailKinds } from '#contract/office/mail-kinds.ts'
import { recordLabels } from '#contract/office/record-labels.ts'
import { clientStatusLabels, roleLabels } from '#contract/office/role-labels.ts'
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
  const values = (sentence: string) => (sentence.match(/\{\w+[,}]/g) ?? []).toSorted()
  // The alert of a deposit that is too low has no full stop (requirements 8.2).
  for (const each of [en, ...Object.values(others)])
    expect(each).toMatch(/[.!?}]$|^Amount too low$|^Betrag zu niedrig$/)
  for (const other of Object.values(others)) {
    expect(other).not.toBe(en)
    expect(values(other)).toEqual(values(en))
    expect(other).not.toMatch(/\b(du|dein|deine|dir|dich)\b/i)
  }
})

test.each(Object.entries(rejectionReasons))(
  'standard reasons of a %s are complete sentences in every language',
  (_, reasons) => {
    expect(new Set(reasons.map(({ key }) => key)).size).toBe(reasons.length)
    for (const { text } of reasons)
      for (const [language, sentence] of Object.entries(inEachLanguage(text))) {
        expect(sentence).toMatch(/\.$/)
        expect(detectLanguage(sentence)).toBe(language)
        expect(sentence).not.toMatch(/\b(du|dein|deine|dir|dich)\b/i)
      }
  },
)

test('every state has a label, which exported files show in every language', () => {
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
])('a %s that is %s has its own German label: %s', (record, state, german) => {
  expect(stateText(record, state, 'de')).toBe(german)
  expect(stateText(record, state, 'en')).toBe(stateText('', state, 'en'))
})

test('every label for the state of one record type names an existing state machine and state', () => {
  const own = Object.keys(stateLabels).filter((key) => key.includes('.'))
  const known = stateMachines.flatMap(({ name, states }) => states.map((state) => `${name}.${state}`))
  expect(own.length).toBeGreaterThan(10)
  // The portal and lists show the state of a document as "pending".
  expect(own.filter((key) => !known.includes(key))).toEqual(['document.pending'])
})

test('failed operations have labels, and emails are labelled by their content', () => {
  const label = labelsOf('failed-jobs', 'kind')
  const shown = ['transfer-compensate', 'password-reset', 'document-rejected'].map((kind) => [
    label?.(kind, 'en', {}),
    label?.(kind, 'de', {}),
  ])
  expect(shown).toEqual([
    ['Reverse a transfer', 'Umbuchung zurückbuchen'],
    ['Email: password reset', 'E-Mail: Passwort zurücksetzen'],
    ['Email: document to upload again', 'E-Mail: Dokument erneut hochladen'],
  ])
})

test('no text of the contract or the server is written in two languages in the code', () => {
  const files = globSync('{contract,server}/**/*.ts', { exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => /\bde: ['"`]/.test(readFileSync(file, 'utf8')))).toEqual([])
})

/** English messages that have two meanings and therefore two German texts. */
const twoMeanings = {
  'Bank details': 'one bank account in the portal, the list of them in the back office',
  'Account balances': 'the figures of one account; the part of a statement about all accounts',
  Reply: 'what the firm has written, in the portal; the button in the back office',
  To: 'the account of a transfer in the portal; the end of a period in the back office',
  View: 'the button in the portal; a saved view in the back office',
}

test('an English message has the same German text on all screens and in files, emails and errors', () => {
  const found = new Map<string, Set<string>>()
  for (const file of globSync('{portal,office,ui,server,contract}/locales/de.po'))
    for (const { msgid, msgctxt, msgstr } of parsePo(readFileSync(file, 'utf8')).items) {
      const key = msgctxt ? `${msgctxt}: ${msgid}` : msgid
      const german = msgstr.join('').replaceAll('\u00ad', '')
      if (german !== '') found.set(key, (found.get(key) ?? new Set()).add(german))
    }
  expect(found.size).toBeGreaterThan(4000)
  const several = [...found].filter(([, texts]) => texts.size > 1).map(([key]) => key)
  expect(several.toSorted()).toEqual(Object.keys(twoMeanings).toSorted())
})

/** Limits and periods that are always more than 1. */
const severalNames = /^(most|max|min|shortest|least|exposureMonths|overviewDays|deviceHours|\w+Max)$/

/** Messages whose number is never 1 for another reason. */
const several = {
  '{days} days': 'at least 4: shorter times are in hours',
  '{done} of {all} items assigned to {name}.': 'only if some of several were not',
  '{done} of {all} items assigned to you.': 'only if some of several were not',
  '{done} of {all} items snoozed.': 'only if some of several were not',
  '{done} of {all} items unassigned.': 'only if some of several were not',
  '{right} of {all} check digits valid': 'a machine-readable zone has several',
  '{monthWords} has {0} days.': 'days of a month',
  'all {all} check digits valid': 'a machine-readable zone has several',
  '{name} reports that this account does not exist. These are the last balances. For the client, the account is closed until it is found again.':
    'not a number',
  'Approved less than {days} days ago, and never used for a payout.': '30 days',
  'Approved less than {days} days ago.': '30 days',
  'Approved over {days} days ago and used for payouts before.': '30 days',
  'No {currency} withdrawals': 'not a number',
  'Only the first {count} trades are shown. The CSV file contains all {all}.': 'the maximum of a file',
  'Postcodes in {name} usually have {digits} digits. Check that you entered it correctly.': '3 or more',
  'The latest {listedMax} of {0} payments are listed.': 'more than are listed',
  'Up to {0} transactions per file.': 'the maximum of a file',
}

const messages = globSync('{portal,office,ui,server,contract}/locales/de.po').flatMap((file) =>
  parsePo(readFileSync(file, 'utf8')).items.map(({ msgid }) => msgid),
)

/** Plural nouns that messages count. */
const nouns = messages.flatMap((message) =>
  [...message.matchAll(/other \{[^{}]*?# (?:[a-z]+ )*?([a-z]+s)\b/g)].map(([, noun]) => noun),
)

/** Returns the places of a text in which one of the nouns follows a value, which is the pattern's first group. */
function beforeNoun(text: string, value: string, more: readonly string[]): RegExpExecArray[] {
  const noun = [...new Set([...nouns, ...more])].join('|')
  return [...text.matchAll(new RegExp(`${value} (?:(?!and |to |of |in )[a-z]+ )?(?:${noun})\\b`, 'g'))]
}

test('a number that can be 1 has a singular form', () => {
  expect(new Set(nouns).size).toBeGreaterThan(40)
  const more = ['characters', 'digits', 'entries', 'lines', 'rows', 'views']
  const found = messages.filter((message) =>
    beforeNoun(message, '(?:\\{(\\w+)\\}|<\\d+/>)', more).some(
      ([, name]) => name === undefined || !severalNames.test(name),
    ),
  )
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(several).toSorted())
})

test('operator and doctor name a number that can be 1 after its noun', () => {
  const more = ['checkouts', 'deals', 'emails', 'groups', 'keys', 'operations', 'records', 'reversals']
  const found = globSync('{server/operator/*.ts,scripts/doctor.ts}', { exclude: ['**/*.test.ts'] }).flatMap((file) =>
    beforeNoun(readFileSync(file, 'utf8'), '\\$\\{([^}]+)\\}', more).map(([place]) => place),
  )
  // Maxima, the keys of all purposes, and a table that is too old.
  expect(found.toSorted()).toEqual([
    '${days} days',
    '${failedAtOnce} accounts',
    '${leadSeconds} seconds',
    '${lines.length} clients',
    '${wrapped} keys',
  ])
})

/** The codes that have labels in the contract, by subject. */
const labelled: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(stateMachines.map(({ name, states }) => [name, states])),
  records: Object.keys(recordLabels),
  emails: Object.keys(mailKinds),
  roles: Object.keys(roleLabels),
  flags: Object.keys(clientFlagLabels),
  categories: Object.keys(clientStatusLabels),
}

/** Tables in other directories with texts for these codes that are not labels. */
const textsThatAreNoLabels: Readonly<Record<string, string>> = {
  'office/screens/client/risk-section.tsx': 'what a flag means for the decision',
  'portal/screens/trading-accounts/requests-to-confirm.tsx': 'the requests by the names of the portal’s menu',
  'portal/layout/logout-dialog.tsx': 'the requests as "Your …"',
  'office/records/actor-label.ts': 'who acted, of which two are also records',
}

test('only the contract has labels for states, record types, roles and flags', () => {
  const files = globSync('{portal,office,ui,server}/**/*.{ts,tsx}', { exclude: ['**/*.test.*', '**/gallery/**'] })
  const tables = files.flatMap((file) => tablesIn(readFileSync(file, 'utf8')).map((codes) => ({ file, codes })))
  expect(tables.length).toBeGreaterThan(60)
  const named = tables.filter(({ codes }) =>
    Object.values(labelled).some((known) => codes.filter((code) => known.includes(code)).length > codes.length / 2),
  )
  expect([...new Set(named.map(({ file }) => file.replaceAll('\\', '/')))].toSorted()).toEqual(
    Object.keys(textsThatAreNoLabels).toSorted(),
  )
})

/** Returns the keys of each table of messages: two or more on consecutive lines, or on one line. */
function tablesIn(source: string): string[][] {
  const message = /(?:^|[{,])\s*'?([\w-]+)'?: (?:\(\) => )?(?:msg|t)(?:`|\(\{ message:)/g
  const lines = source.split('\n').map((line) => [...line.matchAll(message)].map(([, code]) => code ?? ''))
  const tables: string[][] = [[]]
  for (const codes of lines)
    if (codes.length === 0) tables.push([])
    else tables.at(-1)?.push(...codes)
  return tables.filter((codes) => codes.length > 1 && new Set(codes).size === codes.length)
}
