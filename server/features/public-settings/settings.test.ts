import { expect, test } from 'vitest'
import { listCountries } from '#contract/countries.ts'
import { settings } from '#contract/settings.ts'
import { call, makeClient, startTestServer, applySetting } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'

const card = {
  CARD_URL: 'http://127.0.0.1:1',
  CARD_MERCHANT: '1',
  CARD_KEY: 'k',
  CARD_SECRET: 's',
  CARD_WEBHOOK_KEY: 'w',
  CARD_WEBHOOK_SECRET: 's',
}

const server = serverForFile({ env: { ...card, CARD_ASTROPAY_PRODUCT: '9001' } })

test('a visitor gets firm, notice, switches, limits, texts and questions, but no payment methods', async () => {
  const answer = (await call(server, settings)).answer
  expect(answer.firm).toMatchObject({
    name: 'Calder Row',
    supportEmail: 'support@calder-row.example',
    brandStylesheet: '/brand.css',
  })
  expect(answer.notice?.dates).toEqual([
    { when: 'Before 5 July', what: 'Close your open positions' },
    { when: '3pm on 5 July', what: 'Positions still open are closed automatically' },
  ])
  expect(answer.limits.depositMin.EUR).toBe(1000n)
  expect(answer.limits.transferMin.GBP).toBe(500n)
  expect(answer.limits.passwordMin).toBe(6)
  expect(Object.keys(answer.legalTexts)).toHaveLength(5)
  expect(answer.securityQuestions.length).toBeGreaterThan(2)
  expect([answer.depositMethods, answer.withdrawalMethods]).toEqual([[], []])
})

test('texts are returned in the reader’s language', async () => {
  const answer = (await call(server, settings, { headers: { 'accept-language': 'de' } })).answer
  expect(answer.legalTexts.terms.title).toBe('Geschäftsbedingungen')
  expect(answer.notice?.dates.map(({ when }) => when)).toEqual(['Vor dem 5. Juli', '5. Juli, 15 Uhr'])
})

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5,de;q=0.9', 'de'],
  ['de;q=0,en', 'en'],
  ['fr-DE,fr;q=0.9', 'en'],
  ['fr,de;q=0.2', 'de'],
  ['*', 'en'],
  ['x-de', 'en'],
  [',;q=, de;q=x', 'en'],
  ['', 'en'],
])('Accept-Language “%s” gets a response in %s', async (header, language) => {
  const { answer } = await call(server, settings, { headers: { 'accept-language': header } })
  expect(answer.legalTexts.terms.title).toBe(language === 'de' ? 'Geschäftsbedingungen' : 'Terms of business')
})

test.each([
  ['DE', ['cc_gcen', 'wire']],
  ['NL', ['cc_gcen', 'wire', 'ideal']],
  ['BR', ['cc_gcen', 'wire', 'astropay']],
])('a client in %s gets the methods of that country', async (country, types) => {
  const client = await makeClient(server, { country, state: 'pending' })
  const answer = (await call(server, settings, { as: client })).answer
  expect(answer.depositMethods.map(({ type }) => type)).toEqual(types)
  expect(answer.depositMethods[0]).toMatchObject({ fees: '0%', paymentGateway: 'gcen', feeFlat: 0n })
  expect(answer.withdrawalMethods.map(({ type }) => type)).toEqual(['wire'])
})

test('fees are formatted for the reader’s language', async () => {
  const { value } = await server.dependencies.settings.withVersion('methods')
  const client = await makeClient(server, { country: 'DE', state: 'pending' })
  const read = async (language: string) => {
    const headers = { 'accept-language': language }
    return (await call(server, settings, { as: client, headers })).answer.withdrawalMethods.map(({ fees }) => fees)
  }
  const charged = value.withdrawal.map((one) => ({ ...one, fee: { percent: '1.5', flat: '2.00' } }))
  expect([await read('en'), await read('de')]).toEqual([['0%'], ['0\u00A0%']])
  try {
    await applySetting(server, 'methods', { ...value, withdrawal: charged })
    expect([await read('en'), await read('de')]).toEqual([['1.5% + 2.00'], ['1,5\u00A0% + 2,00']])
  } finally {
    await applySetting(server, 'methods', value)
  }
})

test.each([
  ['capture_requested', { en: 'Instant', de: 'Sofort' }],
  ['captured', { en: '1-3 days', de: '1 bis 3 Tage' }],
])(
  'the time of card payments credited at %s follows the configuration, unless staff have changed it',
  async (creditAt, times) => {
    const other = await startTestServer({ env: { ...card, CARD_CREDIT_AT: creditAt } })
    const client = await makeClient(other, { country: 'NL', state: 'pending' })
    const read = async (language: string) => {
      const headers = { 'accept-language': language }
      const { depositMethods } = (await call(other, settings, { as: client, headers })).answer
      return Object.fromEntries(depositMethods.map(({ type, time }) => [type, time]))
    }
    expect(await read('de')).toMatchObject({ cc_gcen: times.de, ideal: 'Sofort' })
    const { value } = await other.dependencies.settings.withVersion('methods')
    const written = value.deposit.map((one) => ({ ...one, time: { ...one.time, en: 'Within a week' } }))
    expect((await read('en'))['cc_gcen']).toBe(times.en)
    await applySetting(other, 'methods', { ...value, deposit: written })
    expect((await read('en'))['cc_gcen']).toBe('Within a week')
    await other.stop()
  },
)

test('iDEAL is offered in the Netherlands whatever its list of countries, AstroPay only in the countries of its list', async () => {
  const { value } = await server.dependencies.settings.withVersion('methods')
  const listed = (countries: string[]) => ({
    ...value,
    deposit: value.deposit.map((one) => (['ideal', 'astropay'].includes(one.type) ? { ...one, countries } : one)),
  })
  const offered = async (country: string) => {
    const client = await makeClient(server, { country, state: 'pending' })
    return (await call(server, settings, { as: client })).answer.depositMethods.map(({ type }) => type)
  }
  try {
    await applySetting(server, 'methods', listed([]))
    expect(await offered('NL')).toEqual(['cc_gcen', 'wire', 'ideal'])
    expect(await offered('BR')).toEqual(['cc_gcen', 'wire'])
    await applySetting(server, 'methods', listed(['DE', 'BR']))
    expect(await offered('DE')).toEqual(['cc_gcen', 'wire', 'astropay'])
    expect(await offered('NL')).toEqual(['cc_gcen', 'wire', 'ideal'])
  } finally {
    await applySetting(server, 'methods', value)
  }
})

test('payment methods are named in the reader’s language', async () => {
  const client = await makeClient(server)
  const { depositMethods } = (await call(server, settings, { as: client, headers: { 'accept-language': 'de' } })).answer
  expect(depositMethods.map(({ method }) => method)).toEqual(['Kredit-/Debitkarte', 'Banküberweisung'])
})

test.each([
  ['no provider is connected', {}, ['wire']],
  ['the provider’s product number for AstroPay is not configured', card, ['cc_gcen', 'wire']],
])('if %s, its methods are not offered', async (_, env, types) => {
  const other = await startTestServer({ env })
  try {
    const client = await makeClient(other, { country: 'BR' })
    const { depositMethods } = (await call(other, settings, { as: client })).answer
    expect(depositMethods.map(({ type }) => type)).toEqual(types)
  } finally {
    await other.stop()
  }
})

test('the settings are returned despite an invalid token', async () => {
  expect((await call(server, settings, { as: 'a.b.c' })).status).toBe(200)
})

test('all countries are listed with prefix, availability and the documents accepted at their risk level', async () => {
  const { countries } = (await call(server, listCountries)).answer
  expect(countries.length).toBeGreaterThan(240)
  const of = (code: string) => countries.find((country) => country.code === code)
  expect(of('DE')).toMatchObject({ name: 'Germany', prefix: '+49', available: true })
  expect(of('DE')?.accepts).toContain('drivers_licence')
  expect(of('KP')).toMatchObject({ available: false, accepts: [] })
  const german = (await call(server, listCountries, { headers: { 'accept-language': 'de' } })).answer.countries
  expect(german.find(({ code }) => code === 'DE')?.name).toBe('Deutschland')
})
