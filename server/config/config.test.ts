import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import type { Environment } from './read-variable.ts'
import { variables, variablesAsMarkdown } from './environment.ts'

const production: Environment = {
  NODE_ENV: 'production',
  PORTAL_URL: 'https://portal.example',
  OFFICE_URL: 'https://office.example',
  DATABASE_URL: 'postgres://app:secret@db.example/portal',
  DATABASE_OWNER_URL: 'postgres://owner:secret@db.example/portal',
  MASTER_KEY_FILE: '/run/secrets/master.key',
  SMTP_URL: 'smtps://user:secret@mail.example',
  MAIL_FROM: 'noreply@example.com',
  MT5_URL: 'https://mt5.example',
  MT5_LOGIN: '1000',
  MT5_PASSWORD: 'secret',
}

test('without any variable the product runs as a demo that only this machine can reach', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ demo: true, production: false, port: 3000, host: '127.0.0.1', database: null })
  expect(config.portalUrl).toBe('http://localhost:3000')
  expect(config.officeUrl).toBe(config.portalUrl)
})

test('a configured database or production mode turns the demo off', () => {
  const { DATABASE_URL, DATABASE_OWNER_URL } = production
  expect(readConfig({ DATABASE_URL, DATABASE_OWNER_URL }).demo).toBe(false)
  expect(readConfig(production)).toMatchObject({ demo: false, production: true, mayMakeMasterKey: false })
  expect(() => readConfig({ ...production, DEMO: 'on' })).toThrow(/^DEMO is on/)
})

test.each([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '3000.5'],
  ['NODE_ENV', 'prod'],
  ['DEMO', 'true'],
  ['PORTAL_URL', 'http://portal.example'],
  ['PORTAL_URL', 'https://portal.example/path'],
  ['OFFICE_URL', 'office'],
  ['TRUST_PROXY', 'all'],
  ['DATABASE_URL', 'mysql://db.example/portal'],
  ['SMTP_URL', 'https://mail.example'],
  ['MAIL_FROM', 'no-address'],
  ['SMTP_RETURN_PATH', 'no-address'],
  ['SMTP_AUTH', 'token'],
  ['MT5_URL', 'http://mt5.example'],
  ['CLAMD_ADDRESS', 'scanner'],
  ['LOG_LEVEL', 'loud'],
  ['ROLE', 'cook'],
  ['WORKERS', '-1'],
])('%s=%s is rejected by one sentence that names the variable and the allowed values', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is [^\n]*Allowed: [^\n]+\\.$`))
})

test('a rejected value that contains a secret is not printed', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://u:hush@db' })).toThrow(/^(?!.*hush)/)
})

const notNeeded = ['NODE_ENV', 'DATABASE_OWNER_URL']
test.each(Object.keys(production).filter((name) => !notNeeded.includes(name)))('production requires %s', (name) => {
  expect(() => readConfig({ ...production, [name]: '' })).toThrow(/production|MT5_URL requires it/)
})

test('production accepts neither a simulator nor one origin for both apps', () => {
  expect(() => readConfig({ ...production, MT5_URL: 'http://127.0.0.1:1234' })).toThrow(/^MT5_URL is/)
  expect(() => readConfig({ ...production, OFFICE_URL: production['PORTAL_URL'] })).toThrow(/^OFFICE_URL is/)
  expect(() => readConfig({ ...production, DEMO_MAILBOX_URL: 'http://127.0.0.1:1' })).toThrow(/^A DEMO_/)
})

const oauth: Environment = {
  SMTP_URL: 'smtp://smtp.office365.com',
  MAIL_FROM: 'portal@firm.example',
  SMTP_AUTH: 'oauth2',
  SMTP_OAUTH_TOKEN_URL: 'https://login.microsoftonline.com/tenant/oauth2/v2.0/token',
  SMTP_OAUTH_CLIENT_ID: 'portal',
  SMTP_OAUTH_CLIENT_SECRET: 'hush',
}

test('OAuth sign-in to the mail server requires all client settings and one mailbox', () => {
  expect(readConfig(oauth).mail.oauth).toMatchObject({ user: 'portal@firm.example', scope: null })
  expect(readConfig({ ...oauth, SMTP_OAUTH_USER: 'box@firm.example' }).mail.oauth?.user).toBe('box@firm.example')
  expect(readConfig({ ...oauth, SMTP_AUTH: 'password', SMTP_OAUTH_TOKEN_URL: '' }).mail.oauth).toBeNull()
  for (const name of ['SMTP_URL', 'SMTP_OAUTH_TOKEN_URL', 'SMTP_OAUTH_CLIENT_ID', 'SMTP_OAUTH_CLIENT_SECRET'])
    expect(() => readConfig({ ...oauth, [name]: '' })).toThrow(new RegExp(`^${name} is missing. SMTP_AUTH requires it`))
  expect(() => readConfig({ ...oauth, SMTP_AUTH: 'password' })).toThrow(/^SMTP_OAUTH_TOKEN_URL is set without/)
  expect(() => readConfig({ ...oauth, SMTP_URL: 'smtp://user:hush@mail.example' })).toThrow(/^SMTP_URL has a user/)
})

test('with Microsoft 365 the return path must be the mailbox, with other mail servers it may differ', () => {
  const foreign = { ...oauth, SMTP_RETURN_PATH: 'returns@firm.example' }
  expect(() => readConfig(foreign)).toThrow(/^SMTP_RETURN_PATH is returns@firm.example. Microsoft 365/)
  expect(readConfig({ ...oauth, SMTP_RETURN_PATH: 'Portal@firm.example' }).mail.returnPath).toBe('Portal@firm.example')
  expect(readConfig({ ...foreign, SMTP_URL: 'smtp://mail.example' }).mail.returnPath).toBe('returns@firm.example')
})

const card = {
  CARD_URL: 'https://card.example',
  CARD_MERCHANT: '1234',
  CARD_KEY: 'key',
  CARD_SECRET: 'secret',
  CARD_WEBHOOK_KEY: 'hooks',
  CARD_WEBHOOK_SECRET: 'secret',
}

test('the card provider is Worldline Connect, or Worldline Direct with configured product numbers for debit cards', () => {
  expect(readConfig(card).card).toMatchObject({
    kind: 'worldline-connect',
    cardNumbers: new Map([1, 3, 114, 119].map((code) => [code, code])),
    products: { ideal: 809 },
  })
  const direct = { ...card, CARD_KIND: 'worldline-direct' }
  expect(() => readConfig(direct)).toThrow('CARD_PRODUCTS has no number for 114 and 119')
  expect(() => readConfig({ ...direct, CARD_PRODUCTS: '114:1' })).toThrow('CARD_PRODUCTS has no number for 119')
  expect(() => readConfig({ ...direct, CARD_PRODUCTS: '114=1' })).toThrow('pairs such as 114:1,119:3')
  expect(() => readConfig({ ...card, CARD_KIND: 'stripe' })).toThrow('worldline-connect, worldline-direct')
  const numbered = readConfig({ ...direct, CARD_PRODUCTS: '114:1,119:3,809:5', CARD_ASTROPAY_PRODUCT: '77' }).card
  expect([numbered?.cardNumbers.get(114), numbered?.cardNumbers.get(119)]).toEqual([1, 3])
  expect(numbered?.products).toMatchObject({ ideal: 5, astropay: 77 })
})

test('the previous key of card webhooks is optional, and needs its secret', () => {
  expect(readConfig(card).card).not.toHaveProperty('previousWebhook')
  const changing = { ...card, CARD_PREVIOUS_WEBHOOK_KEY: 'old' }
  expect(() => readConfig(changing)).toThrow('CARD_PREVIOUS_WEBHOOK_SECRET')
  const previousWebhook = { key: 'old', secret: 'older' }
  expect(readConfig({ ...changing, CARD_PREVIOUS_WEBHOOK_SECRET: 'older' }).card).toMatchObject({ previousWebhook })
})

test('the generated table lists every variable', () => {
  for (const name of Object.keys(variables)) expect(variablesAsMarkdown()).toContain(`\`${name}\``)
})
