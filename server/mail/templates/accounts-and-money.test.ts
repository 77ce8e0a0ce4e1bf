import { expect, test } from 'vitest'
import { accountMailTemplates } from './accounts.ts'
import { bankDetailsMailTemplates } from './bank-details.ts'
import { correctionMailTemplates } from './corrections.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { depositMailTemplates } from './deposits.ts'
import { renderLayout } from '../layout.ts'
import type { Letterhead } from '../template.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { staffMailTemplates } from './staff.ts'
import { transferMailTemplates } from './transfers.ts'
import { withdrawalMailTemplates } from './withdrawals.ts'

const letterhead: Letterhead = {
  firmName: 'Calder Row',
  supportEmail: 'support@calder-row.example',
  brandColour: '#0b5563',
  portalUrl: 'https://portal.example',
  officeUrl: 'https://portal.example',
  timeZone: 'Europe/London',
  languages: ['en', 'de'],
  oneTimeId: () => 'never-asked-for',
}

const facts = {
  number: '5100001',
  server: 'CalderRow5-Live',
  platform: 'MT5',
  type: 'Standard',
  from: '1:30',
  to: '1:100',
  minor: '123450',
  currency: 'EUR',
  arrivesMinor: '133943',
  arrivesCurrency: 'USD',
  account: '5100001',
  source: '5100001',
  destination: '5100002',
  reference: 'CR-7F2K91QX',
  reason: '<b>Because</b>',
  AccountHolder: 'Calder Row Markets Ltd',
  IBAN: 'DE91100000000123456789',
  SwiftCode: 'MARKDEF1100',
  BankAccountNumber: '',
  SpecialId: '',
  BankName: 'Example Bank AG',
  BankReference: 'CR-7F2K91QX',
  bank: 'Example Bank AG',
  link: 'row',
  by: 'Maren Falk',
  hours: 72,
  paidMinor: '120000',
  paidCurrency: 'EUR',
  until: 1_800_000_000,
}

const kinds = Object.entries({
  ...accountMailTemplates,
  ...bankDetailsMailTemplates,
  ...correctionMailTemplates,
  ...depositMailTemplates,
  ...transferMailTemplates,
  ...withdrawalMailTemplates,
  'staff-invitation': staffMailTemplates['staff-invitation'],
})

test.each(kinds)('%s is rendered in both languages, with its values as text and never as markup', (_kind, draw) => {
  const english = draw(facts, 'en', letterhead)
  const german = draw(facts, 'de', letterhead)
  expect(english.subject).not.toBe(german.subject)
  for (const [content, language] of [
    [english, 'en'],
    [german, 'de'],
  ] as const) {
    const { html, text } = renderLayout(content, language, letterhead)
    expect(`${content.subject}${text}`).not.toMatch(/undefined|null|\[object|\{\w+\}/)
    expect(html).not.toContain('<b>Because')
    expect(html).toContain('https://portal.example/')
  }
})

test('a credited deposit shows the amount in the format of the reader’s language', () => {
  expect(depositMailTemplates['deposit-credited'](facts, 'en', letterhead).subject).toContain('1,234.50\u00a0EUR')
  expect(depositMailTemplates['deposit-credited'](facts, 'de', letterhead).subject).toContain('1.234,50\u00a0EUR')
})

const payments = Object.entries({
  ...depositMailTemplates,
  ...transferMailTemplates,
  ...withdrawalMailTemplates,
}).filter(([kind]) => kind !== 'wire-details')

test.each(payments)(
  '%s names the trading account in its body and in its subject, which is also the notification’s text',
  (_, draw) => {
    const named = { sourcePlatform: 'MT5', destinationPlatform: 'MT4', tradingAccount: '5100001' }
    for (const language of ['en', 'de'] as const) {
      const account = `MT5 ${groupByFour(facts.account)}`
      const content = draw({ ...facts, ...named }, language, letterhead)
      expect(content.subject).toContain(account)
      expect(renderLayout(content, language, letterhead).text).toContain(account)
      // Older emails do not have these values.
      const { platform: _platform, ...older } = facts
      expect(draw(older, language, letterhead).subject).not.toMatch(/MT5|undefined|\{/)
    }
  },
)

test('a paid withdrawal states the time from the firm’s settings, and none for a method without one', () => {
  const shown = (language: 'en' | 'de', more: object) =>
    renderLayout(
      withdrawalMailTemplates['withdrawal-paid']({ ...facts, ...more }, language, letterhead),
      language,
      letterhead,
    ).text
  const time = { timeEn: '1-2 days', timeDe: '1-2 Tage' }
  expect([shown('en', time), shown('de', time)]).toEqual([
    expect.stringContaining('It should arrive 1-2 days later.'),
    expect.stringContaining('Der Betrag sollte 1-2 Tage später ankommen.'),
  ])
  expect([shown('en', {}), shown('de', {})].join()).not.toMatch(/arrives|kommt/)
})

test.each(['leverage-rejected', 'transfer-rejected', 'account-rejected'] as const)(
  '%s explains a rejection by the platform in the reader’s language',
  (kind) => {
    const draw = { ...accountMailTemplates, ...transferMailTemplates }[kind]
    const reason = platformErrorComment('not-enough-money')
    const shown = (language: 'en' | 'de') =>
      renderLayout(draw({ ...facts, reason }, language, letterhead), language, letterhead).text
    expect(shown('en')).toContain('There were not enough available funds in the account.')
    expect(shown('de')).toContain('Das verfügbare Guthaben auf dem Konto reichte nicht aus.')
  },
)

test('the email about an opened account links to its list and names the button that shows the first password', () => {
  const shown = (requestType: string, language: 'en' | 'de') =>
    renderLayout(
      accountMailTemplates['account-opened']({ ...facts, requestType }, language, letterhead),
      language,
      letterhead,
    ).text
  expect(shown('live', 'en')).toContain('https://portal.example/trading-accounts\n')
  expect(shown('demo', 'en')).toContain('https://portal.example/trading-accounts?kind=demo\n')
  expect(shown('live', 'en')).toContain('“Show the password”')
  expect(shown('live', 'de')).toContain('„Passwort anzeigen“')
})

test.each([
  ['deposit-credited', '/transactions-history?list=deposits', '&record=one'],
  ['withdrawal-paid', '/transactions-history?list=withdrawals', '&record=one'],
  ['transfer-approved', '/transactions-history?list=transfers', '&record=one'],
  ['wire-details', '/transactions-history?list=deposits', '&record=one'],
  ['bank-details-rejected', '/bank-details', '?record=one'],
] as const)('%s links to its record', (kind, list, record) => {
  const draw = {
    ...depositMailTemplates,
    ...withdrawalMailTemplates,
    ...transferMailTemplates,
    ...bankDetailsMailTemplates,
  }[kind]
  const shown = (more: object) => renderLayout(draw({ ...facts, ...more }, 'en', letterhead), 'en', letterhead).text
  expect(shown({ record: 'one' })).toContain(`https://portal.example${list}${record}\n`)
  // An older email does not have its record.
  expect(shown({})).toContain(`https://portal.example${list}\n`)
})

test('account numbers are written in groups of four, as on screen', () => {
  const number = '5100\u00a0001'
  expect(accountMailTemplates['leverage-changed'](facts, 'en', letterhead).subject).toBe(
    `New leverage for account ${number}`,
  )
  const naming = {
    ...accountMailTemplates,
    ...correctionMailTemplates,
    ...depositMailTemplates,
    ...transferMailTemplates,
  }
  for (const draw of Object.values(naming))
    for (const language of ['en', 'de'] as const) {
      const content = draw(facts, language, letterhead)
      expect(content.subject + renderLayout(content, language, letterhead).text).not.toContain('5100001')
    }
})

test('bank transfer details omit what the firm’s account does not have', () => {
  const { text } = renderLayout(depositMailTemplates['wire-details'](facts, 'en', letterhead), 'en', letterhead)
  expect(text).toContain('IBAN: DE91100000000123456789')
  expect(text).toContain('Reference: CR-7F2K91QX')
  expect(text).not.toContain('Sort code')
})
