/**
 * Every screen of both apps in a pseudo-language (tests/pseudo-language.ts), on the narrowest phone: each text is in a
 * catalogue, long texts have room, and each control is large enough for touch; also mirrored, as in a right-to-left
 * language.
 */
import type { Page, Response } from '@playwright/test'
import { languageRows } from '#rules/choices.ts'
import { currencies } from '#rules/money.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { initialsOf } from '#ui/text/initials.ts'
import { pseudoLanguages, startInPseudoLanguages, untranslatedWords } from '../pseudo-language.ts'
import { openPageAsClient } from './clients.ts'
import { expectPageLoaded } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { overflowingTexts, truncatedTexts, smallControls, textsOf } from './room-for-texts.ts'
import { clientAddresses, firstRecordOf, officePages, visitorAddresses } from './screens.ts'
import { openPageAsStaff } from './staff.ts'

/** Names of products, and react-aria's own texts, which exist only in the languages that it supports. */
const names = [
  'MetaTrader',
  'Standard',
  'ECN',
  'CSV',
  'IBAN',
  'iDEAL',
  'AstroPay',
  'Chrome',
  'Firefox',
  'Linux',
  'Windows',
  'UTC',
  'Show suggestions',
  'Dismiss',
  'at',
]
/** The response fields with texts of people and firms, or names; words of other fields are not data. */
const dataFields =
  /name|symbol|payer|holder|address|city|email|reason|why|note|comment|remittance|reference|question|answer|iban|swift|server|live|demo|group|^(from|to|client|staff|text|title|line|lines|value|device|browser|version|ours|theirs|sha256)$/i
const someDays = Array.from({ length: 84 }, (_, at) => new Date(2026, at % 12, 1 + Math.floor(at / 12)))
const calendar = (['long', 'short'] as const).flatMap((weekday) =>
  someDays.map((day) => new Intl.DateTimeFormat('en-GB', { month: 'long', weekday }).format(day)),
)
const data = [...names, ...calendar, ...currencies, ...pseudoLanguages, ...Object.values(languageRows)].flatMap((one) =>
  untranslatedWords(typeof one === 'string' ? one : one.name),
)

const narrowest = { width: 360, height: 780 }

interface Visit {
  readonly page: Page
  /** Words that are data, and responses that may add more. */
  readonly words: Set<string>
  readonly answers: Promise<void>[]
  readonly wrong: Record<string, string[]>
}

test('every text of every screen is in a catalogue, long texts fit, touch targets are large enough, and screens mirror', async ({
  browser,
}) => {
  const pseudo = await startInPseudoLanguages()
  const context = await browser.newContext({
    baseURL: pseudo.url,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    hasTouch: true,
  })
  const words = new Set(data)
  const answers: Promise<void>[] = []
  context.on('response', (response) => answers.push(learnFrom(response, words)))
  const speak = (language: string) => context.addInitScript((tag) => localStorage.setItem('language', tag), language)
  try {
    await speak('xa')
    const visit: Visit = { page: await context.newPage(), words, answers, wrong: {} }
    await visit.page.setViewportSize(narrowest)
    // Reads the settings, which the portal embeds in the page for a visitor.
    await visit.page.goto('/api/settings')
    await visit.page.goto('/office/sign-in')
    await checkPage(visit, '/office/sign-in')
    await visit.page.goto('/')
    for (const address of visitorAddresses) await navigateInApp(visit, address)
    await openPageAsClient(visit.page, '/trading-accounts', personas.clara, demoPassword)
    const account = await visit.page.locator('main a[href^="/trading-accounts/"]').first().getAttribute('href')
    for (const address of [...clientAddresses, account ?? '']) await navigateInApp(visit, address)
    const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/office/inbox', context)
    await page.setViewportSize(narrowest)
    const atWork = { ...visit, page }
    for (const address of officePages.map((list) => `/office${list}`)) {
      await navigateInApp(atWork, address)
      const record = await firstRecordOf(page, address)
      if (record !== null) await navigateInApp(atWork, record)
    }
    expect(visit.wrong).toEqual({})
    await speak('xb')
    await expectMirrored(visit.page)
  } finally {
    await context.close()
    await pseudo.stop()
  }
})

/**
 * Expects the effects of a right-to-left language: the direction of the page, the menu on the other side, mirrored
 * icons, and amounts that are not mirrored.
 */
async function expectMirrored(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/transactions-history?list=deposits')
  await expectPageLoaded(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'xb')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const menu = await page.getByRole('navigation').first().boundingBox()
  const main = await page.getByRole('main').boundingBox()
  expect(menu?.x).toBeGreaterThan(main?.x ?? Infinity)
  const amount = page.locator('td .money').first()
  const figure = await amount.locator('i').boundingBox()
  const currency = await amount.locator('abbr').boundingBox()
  expect(currency?.x).toBeGreaterThan(figure?.x ?? Infinity)
  await expect(amount).toHaveAttribute('aria-label', /^\u2066.*\u2069$/)
  await page.goto('/professional-client-status')
  await expectPageLoaded(page)
  const next = page.locator('main button > svg[class*="-arrow-right"]').first()
  expect(await next.evaluate((arrow) => getComputedStyle(arrow).scale)).toBe('-1 1')
}

/** Adds the words of a response's data. */
async function learnFrom(response: Response, words: Set<string>): Promise<void> {
  if (!response.headers()['content-type']?.includes('json')) return
  const learn = (value: unknown, field: string): void => {
    if (typeof value === 'string' && dataFields.test(field))
      for (const word of untranslatedWords(field === 'name' ? `${value} ${initialsOf(value)}` : value)) words.add(word)
    if (Array.isArray(value)) for (const one of value) learn(one, field)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) learn(one, name)
  }
  learn(await response.json().catch(() => null), '')
}

/** Checks the current page, and its mirror image. */
async function checkPage({ page, words, answers, wrong }: Visit, address: string): Promise<void> {
  await expectPageLoaded(page)
  const texts = await textsOf(page)
  // Read after the texts: another person's decision arrives in a separate response before it is shown.
  await Promise.all(answers.splice(0))
  const untranslated = texts.filter((text) => untranslatedWords(text).some((word) => !words.has(word)))
  const cramped = await overflowingTexts(page)
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const mirrored = await overflowingTexts(page)
  await page.evaluate(() => (document.documentElement.dir = 'ltr'))
  const faults = [
    ...untranslated.map((text) => `in no catalogue: ${text}`),
    ...cramped,
    ...(await truncatedTexts(page)),
    ...(await smallControls(page)),
    ...mirrored.filter((fault) => !cramped.includes(fault)).map((fault) => `mirrored: ${fault}`),
  ]
  if (faults.length > 0) wrong[address] = faults
}

/** Goes to an address within the app, without a reload. */
async function navigateInApp(visit: Visit, address: string): Promise<void> {
  await visit.page.evaluate((to) => history.pushState(null, '', to), address)
  await checkPage(visit, address)
}
