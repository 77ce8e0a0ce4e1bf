import { describe, expect, test } from 'vitest'
import { contrast } from '#rules/brand.ts'
import { drawLetter } from '../template-registry.ts'
import { layOut } from '../layout.ts'
import type { Stationery } from '../template.ts'
import { peopleLetters } from './security.ts'

const stationery: Stationery = {
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

describe.each(Object.entries(peopleLetters))('the letter %s', (_, letter) => {
  test.each(['en', 'de'] as const)('is whole in %s, and says nothing of another’s making as HTML', (language) => {
    const drawn = letter(facts, language, stationery)
    const { html, text } = layOut(drawn, language, stationery)
    expect(drawn.subject).not.toBe('')
    expect(`${drawn.subject}${text}`).not.toMatch(/undefined|null|\{\w+\}|\[object/)
    expect(html).not.toContain('<Sons>')
    expect(html).not.toContain('<b>')
  })
})

test('the links lead to the confirmations and to the new password', () => {
  const linksOf = (kind: 'confirm-email' | 'confirm-new-email' | 'password-reset') =>
    peopleLetters[kind](facts, 'en', stationery).blocks.flatMap((block) => ('href' in block ? [block.href] : []))
  expect(linksOf('confirm-email')).toEqual(['https://portal.example/email/confirm/id-of-row'])
  expect(linksOf('confirm-new-email')).toEqual(['https://portal.example/email/confirm/change/id-of-row'])
  expect(linksOf('password-reset')).toEqual(['https://portal.example/resetpassword/id-of-row'])
})

test.each(['#0b5563', '#ffd400', '#f5f5f5'])('the button of the brand %s can be read', (brandColour) => {
  const drawn = peopleLetters['confirm-email'](facts, 'en', stationery)
  const { html } = layOut(drawn, 'en', { ...stationery, brandColour })
  const [, ground = '', words = ''] = /border-radius:5px;background:(#\w{6});color:(#\w{6})/.exec(html) ?? []
  expect(contrast(words, ground)).toBeGreaterThanOrEqual(4.5)
})

test('no line of a letter ends within a mail address or within the word for it', () => {
  const unbroken = (language: 'en' | 'de') => {
    const { html } = layOut(peopleLetters['email-changed'](facts, language, stationery), language, stationery)
    return [...html.matchAll(/<span style="white-space:nowrap">([^<]*)<\/span>/g)].map(([, words]) => words)
  }
  expect(unbroken('en')).toEqual(['e-mail', 'support@example.com.'])
  expect(unbroken('de')).toEqual(['E-Mail-Adresse', 'support@example.com.'])
})

test('the reader learns how long a link works, when and from where', () => {
  const { text } = layOut(peopleLetters['confirm-email'](facts, 'en', stationery), 'en', stationery)
  expect(text).toContain('works for 24 hours and once')
  const device = layOut(peopleLetters['new-device'](facts, 'de', stationery), 'de', stationery)
  expect(device.text).toContain('Gerät: Firefox <b>')
  expect(device.text).toContain('19. Juni 2026 um 10:44')
})

test('a client is written to in a language that the firm speaks, staff in their own', () => {
  const english: Stationery = { ...stationery, languages: ['en'] }
  const languageOf = (kind: 'confirm-email' | 'staff-new-device', place: Stationery) =>
    drawLetter(kind, facts, 'de', place).language
  expect(languageOf('confirm-email', stationery)).toBe('de')
  expect(languageOf('confirm-email', english)).toBe('en')
  expect(drawLetter('confirm-email', facts, 'de', english)).toMatchObject(
    peopleLetters['confirm-email'](facts, 'en', english),
  )
  expect(languageOf('staff-new-device', english)).toBe('de')
})
