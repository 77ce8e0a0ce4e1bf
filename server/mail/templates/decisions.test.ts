/** The mails of decisions: each contains its reason, in both languages, and links only to the portal. */
import { describe, expect, test } from 'vitest'
import { documentKinds } from '#rules/documents.ts'
import { changedFields } from '#rules/profile-changes.ts'
import { clientMailTemplates } from './clients.ts'
import { documentMailTemplates } from './documents.ts'
import { enquiryMailTemplates } from './enquiries.ts'
import { renderLayout } from '../layout.ts'
import type { Letterhead } from '../template.ts'

const letterhead: Letterhead = {
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

test('the welcome email mentions a requested account only if one was requested', () => {
  const welcomeTexts = (wanted: boolean) => {
    const welcome = clientMailTemplates['client-approved']
    return (['en', 'de'] as const).map(
      (language) => renderLayout(welcome({ wanted }, language, letterhead), language, letterhead).text,
    )
  }
  expect(welcomeTexts(true)).toEqual([
    expect.stringContaining('received your request'),
    expect.stringContaining('ist beantragt'),
  ])
  expect(welcomeTexts(false)).toEqual([
    expect.stringContaining('Request your first trading account'),
    expect.stringContaining('Beantragen Sie im Portal Ihr erstes Handelskonto'),
  ])
})

test('a text of staff keeps its line breaks', () => {
  const text = 'Dear Ms Brandt,\nthank you.\n\n1. Upload it.\r\n2. Wait <b>here</b>.'
  const reply = enquiryMailTemplates['enquiry-reply']({ text, reference: 'E-1' }, 'en', letterhead)
  const { html } = renderLayout(reply, 'en', letterhead)
  expect(html).toContain('>Dear Ms Brandt,<br>thank you.</p>')
  expect(html).toContain('>1. Upload it.<br>2. Wait &lt;b&gt;here&lt;/b&gt;.</p>')
  const rejected = clientMailTemplates['client-rejected']({ reason: 'One.\nTwo.' }, 'en', letterhead)
  expect(renderLayout(rejected, 'en', letterhead).html).toContain('One.<br>Two.')
})

describe.each(['en', 'de'] as const)('in %s', (language) => {
  test.each(Object.entries(documentMailTemplates))('%s is complete for every type of document', (_, mail) => {
    for (const document of documentKinds) {
      const content = mail({ document, reason, date: '2026-07-30' }, language, letterhead)
      const { html, text } = renderLayout(content, language, letterhead)
      expect(`${content.subject}${text}`).not.toMatch(/undefined|NaN|\{/)
      expect(html).not.toContain('<b>corner')
    }
  })

  test.each(Object.entries(clientMailTemplates))(
    '%s is complete for every field and links only to the portal',
    (_, mail) => {
      for (const field of changedFields) {
        const content = mail({ reason, field, link: 'row', hours: 72, count: 2 }, language, letterhead)
        const { text } = renderLayout(content, language, letterhead)
        expect(`${content.subject}${text}`).not.toMatch(/undefined|NaN|\{/)
        for (const [href] of text.matchAll(/https?:\S+/g)) expect(href).toMatch(/^https:\/\/portal\.example\//)
      }
    },
  )
})
