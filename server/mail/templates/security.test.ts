import { describe, expect, test } from 'vitest'
import { contrast } from '#rules/brand.ts'
import { renderMail } from '../template-registry.ts'
import { renderLayout } from '../layout.ts'
import type { Letterhead } from '../template.ts'
import { securityMailTemplates } from './security.ts'

const letterhead: Letterhead = {
  firmName: 'Smith & <Sons>',
  supportEmail: 'support@example.com',
  brandColour: '#0b5563',
  portalUrl: 'https://portal.example',
  officeUrl: 'https://office.example',
  timeZone: 'Europe/London',
  languages: ['en', 'de'],
  oneTimeId: (linkRow) => `id-of-${linkRow}`,
}
const facts = { link: 'row', hours: 24, minutes: 30, at: 1_781_862_240, device: 'Firefox <b>', address: '127.0.0.7' }

describe.each(Object.entries(securityMailTemplates))('the mail %s', (_, mail) => {
  test.each(['en', 'de'] as const)('is complete in %s and escapes foreign text in its HTML', (language) => {
    const content = mail(facts, language, letterhead)
    const { html, text } = renderLayout(content, language, letterhead)
    expect(content.subject).not.toBe('')
    expect(`${content.subject}${text}`).not.toMatch(/undefined|null|\{\w+\}|\[object/)
    expect(html).not.toContain('<Sons>')
    expect(html).not.toContain('<b>')
  })
})

test('the links open the confirmation and the new password pages', () => {
  const linksOf = (kind: 'confirm-email' | 'confirm-new-email' | 'password-reset') =>
    securityMailTemplates[kind](facts, 'en', letterhead).blocks.flatMap((block) =>
      'href' in block ? [block.href] : [],
    )
  expect(linksOf('confirm-email')).toEqual(['https://portal.example/email/confirm/id-of-row'])
  expect(linksOf('confirm-new-email')).toEqual(['https://portal.example/email/confirm/change/id-of-row'])
  expect(linksOf('password-reset')).toEqual(['https://portal.example/resetpassword/id-of-row'])
})

test.each(['#0b5563', '#ffd400', '#f5f5f5'])(
  'the button in the brand colour %s has sufficient contrast',
  (brandColour) => {
    const content = securityMailTemplates['confirm-email'](facts, 'en', letterhead)
    const { html } = renderLayout(content, 'en', { ...letterhead, brandColour })
    const [, ground = '', words = ''] = /border-radius:5px;background:(#\w{6});color:(#\w{6})/.exec(html) ?? []
    expect(contrast(words, ground)).toBeGreaterThanOrEqual(4.5)
  },
)

test('email addresses and the word for them are not broken across lines', () => {
  const unbroken = (language: 'en' | 'de') => {
    const { html } = renderLayout(
      securityMailTemplates['email-changed'](facts, language, letterhead),
      language,
      letterhead,
    )
    return [...html.matchAll(/<span style="white-space:nowrap">([^<]*)<\/span>/g)].map(([, words]) => words)
  }
  expect(unbroken('en')).toEqual(['support@example.com.'])
  expect(unbroken('de')).toEqual(['E-Mail-Adresse', 'E-Mail', 'support@example.com.'])
})

test('emails state how long a link is valid, and the time and device of a login', () => {
  const { text } = renderLayout(securityMailTemplates['confirm-email'](facts, 'en', letterhead), 'en', letterhead)
  expect(text).toContain('valid for 24 hours and works once')
  const device = renderLayout(securityMailTemplates['new-device'](facts, 'de', letterhead), 'de', letterhead)
  const known = { ...facts, isKnownDevice: true }
  expect(renderMail('new-device', known, 'en', letterhead).subject).toBe('Login from another country')
  expect(renderMail('staff-new-device', known, 'en', letterhead).subject).toBe(
    'Back office sign-in from another country',
  )
  expect(device.text).toContain('Gerät: Firefox <b>')
  expect(device.text).toContain('19.\u00a0Juni\u00a02026 um 10:44')
})

test.each([
  ['en', 'Maren Falk has reset your two-factor authentication', 'inform another administrator immediately'],
  ['de', 'Maren Falk hat Ihre Zwei-Faktor-Authentifizierung zurückgesetzt', 'eine andere Person der Administration'],
] as const)('staff are told in %s who has reset their factor, and whom to inform', (language, who, whom) => {
  const content = renderMail('staff-second-factor-reset', { ...facts, by: 'Maren Falk' }, language, letterhead)
  const { text } = renderLayout(content, language, letterhead)
  expect(text).toContain(who)
  expect(text).toContain(whom)
  expect(text).not.toContain('Firefox')
})

test.each([
  ['en', 'Your back office password has been changed', 'Device: Firefox <b>'],
  ['de', 'Ihr Backoffice-Passwort wurde geändert', 'Gerät: Firefox <b>'],
] as const)('staff are told in %s that their password was changed, and where', (language, subject, device) => {
  const content = renderMail('staff-password-changed', facts, language, letterhead)
  expect(content.subject).toBe(subject)
  expect(renderLayout(content, language, letterhead).text).toContain(device)
})

test('a wrong code after the correct password is reported with time and device, to clients and staff', () => {
  const textOf = (kind: 'wrong-codes' | 'staff-wrong-codes', language: 'en' | 'de') =>
    renderLayout(renderMail(kind, facts, language, letterhead), language, letterhead).text
  for (const kind of ['wrong-codes', 'staff-wrong-codes'] as const) {
    expect(textOf(kind, 'en')).toContain('but not the code for two-factor authentication')
    expect(textOf(kind, 'en')).toContain('Device: Firefox <b>')
    expect(textOf(kind, 'de')).toContain('nicht aber den Code')
  }
  expect(textOf('wrong-codes', 'en')).toContain('reset your password')
  expect(textOf('staff-wrong-codes', 'en')).toContain('inform your administrator')
})

test('a client gets emails in a language that the firm offers, staff in their own', () => {
  const english: Letterhead = { ...letterhead, languages: ['en'] }
  const languageOf = (kind: 'confirm-email' | 'staff-new-device', from: Letterhead) =>
    renderMail(kind, facts, 'de', from).language
  expect(languageOf('confirm-email', letterhead)).toBe('de')
  expect(languageOf('confirm-email', english)).toBe('en')
  expect(renderMail('confirm-email', facts, 'de', english)).toMatchObject(
    securityMailTemplates['confirm-email'](facts, 'en', english),
  )
  expect(languageOf('staff-new-device', english)).toBe('de')
})
