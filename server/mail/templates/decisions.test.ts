/** The letters of decisions: each says its reason, in both languages, and leads into the portal alone. */
import { describe, expect, test } from 'vitest'
import { documentKinds } from '#rules/document-kinds.ts'
import { changedFields } from '#rules/profile-changes.ts'
import { clientLetters } from './clients.ts'
import { documentLetters } from './documents.ts'
import { layOut } from '../layout.ts'
import type { Stationery } from '../template.ts'

const stationery: Stationery = {
  firmName: 'Calder Row',
  supportEmail: 'help@calderrow.example',
  brandColour: '#0b6b63',
  portalUrl: 'https://portal.example',
  officeUrl: 'https://office.example',
  timeZone: 'Europe/London',
  languages: ['en', 'de'],
  oneTimeId: () => 'ONE-TIME',
}
const reason = 'A <b>corner</b> is cut off.'

test('the welcome speaks of an account that was asked for only where one was', () => {
  const told = (wanted: boolean) => {
    const welcome = clientLetters['client-approved']
    return (['en', 'de'] as const).map(
      (language) => layOut(welcome({ wanted }, language, stationery), language, stationery).text,
    )
  }
  expect(told(true)).toEqual([expect.stringContaining('is requested'), expect.stringContaining('ist beantragt')])
  expect(told(false)).toEqual([
    expect.stringContaining('Request your first trading account'),
    expect.stringContaining('Beantragen Sie dort Ihr erstes Handelskonto'),
  ])
})

describe.each(['en', 'de'] as const)('in %s', (language) => {
  test.each(Object.entries(documentLetters))('%s names every kind of document', (_, letter) => {
    for (const document of documentKinds) {
      const drawn = letter({ document, reason, date: '2026-07-30' }, language, stationery)
      const { html, text } = layOut(drawn, language, stationery)
      expect(`${drawn.subject}${text}`).not.toMatch(/undefined|NaN|\{/)
      expect(html).not.toContain('<b>corner')
    }
  })

  test.each(Object.entries(clientLetters))('%s', (_, letter) => {
    for (const field of changedFields) {
      const drawn = letter({ reason, field, link: 'row', hours: 72, count: 2 }, language, stationery)
      const { text } = layOut(drawn, language, stationery)
      expect(`${drawn.subject}${text}`).not.toMatch(/undefined|NaN|\{/)
      for (const [href] of text.matchAll(/https?:\S+/g)) expect(href).toMatch(/^https:\/\/portal\.example\//)
    }
  })
})
