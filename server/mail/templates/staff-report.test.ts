import { expect, test } from 'vitest'
import { renderLayout } from '../layout.ts'
import { renderMail } from '../template-registry.ts'
import type { Letterhead } from '../template.ts'

const letterhead: Letterhead = {
  firmName: 'Example Markets',
  supportEmail: 'support@example.com',
  brandColour: '#0b5563',
  portalUrl: 'https://portal.example',
  officeUrl: 'https://office.example',
  timeZone: 'America/New_York',
  languages: ['en'],
  oneTimeId: (linkRow) => `id-of-${linkRow}`,
}
const query = 'report=funding&from=2026-11-16&to=2026-11-22&by=week'
const facts = { report: 'funding', frequency: 'weekly', from: '2026-11-16', to: '2026-11-22', query }

test.each([
  ['en', 'weekly', 'Weekly report: Deposits and withdrawals, 16\u00a0November\u00a02026 to 22\u00a0November\u00a02026'],
  [
    'de',
    'weekly',
    'Wochenbericht: Einzahlungen und Auszahlungen, 16.\u00a0November\u00a02026 bis 22.\u00a0November\u00a02026',
  ],
  [
    'en',
    'monthly',
    'Monthly report: Deposits and withdrawals, 16\u00a0November\u00a02026 to 22\u00a0November\u00a02026',
  ],
  [
    'de',
    'monthly',
    'Monatsbericht: Einzahlungen und Auszahlungen, 16.\u00a0November\u00a02026 bis 22.\u00a0November\u00a02026',
  ],
] as const)(
  'a scheduled report names itself and its period in %s, and links to the back office without any data',
  (language, frequency, subject) => {
    const content = renderMail('staff-report', { ...facts, frequency }, language, letterhead)
    expect(content.subject).toBe(subject)
    const { html, text } = renderLayout(content, content.language, letterhead)
    expect(html).toContain(`<html lang="${language}">`)
    expect(text).toContain(`https://office.example/office/reports?${query}`)
    expect(text).not.toMatch(/undefined|\{\w+\}|EUR|USD|GBP/)
  },
)
