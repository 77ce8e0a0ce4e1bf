/** Every combination of set and missing variables starts, or is rejected by one sentence. */
import { expect, test } from 'vitest'
import { readConfig, type Config } from '#server/config/config.ts'
import { BadConfig, type Environment } from '#server/config/read-variable.ts'
import { configuredIntegrations } from './demo-data.ts'
import { simulators } from './simulators.ts'

/** Variables that belong together: each group can be set without the others. */
const groups: readonly Environment[] = [
  { NODE_ENV: 'production' },
  { DEMO: 'on' },
  { DEMO: 'off' },
  { PORTAL_URL: 'https://portal.example', OFFICE_URL: 'https://office.example' },
  {
    DATABASE_URL: 'postgres://app:secret@db.example/portal',
    DATABASE_OWNER_URL: 'postgres://owner:secret@db.example/portal',
  },
  { MASTER_KEY_FILE: '/run/secrets/master.key' },
  { SMTP_URL: 'smtps://user:secret@mail.example', MAIL_FROM: 'noreply@example.com' },
  { MT5_URL: 'https://mt5.example', MT5_LOGIN: '1000', MT5_PASSWORD: 'secret' },
  { MT4_URL: 'https://mt4.example', MT4_KEY: 'portal', MT4_SECRET: 'secret' },
  {
    CARD_URL: 'https://card.example',
    CARD_MERCHANT: '1234',
    CARD_KEY: 'key',
    CARD_SECRET: 'secret',
    CARD_ASTROPAY_PRODUCT: '9001',
    CARD_WEBHOOK_KEY: 'hooks',
    CARD_WEBHOOK_SECRET: 'secret',
  },
  { DEMO_MAILBOX_URL: 'http://127.0.0.1:1', DEMO_CARD_SWITCHES_URL: 'http://127.0.0.1:1' },
  { CLAMD_ADDRESS: 'scanner:3310' },
]

function subsetsOf<One>(all: readonly One[]): One[][] {
  return all.reduce<One[][]>((some, one) => [...some, ...some.map((few) => [...few, one])], [[]])
}

/**
 * Every subset of the groups, each group complete, and every subset of the variables of one group with every subset of
 * the first three groups, which select the kind of start.
 */
const combinations = [
  ...subsetsOf(groups).map((some) => Object.assign({}, ...some) as Environment),
  ...groups
    .slice(3)
    .flatMap((group) =>
      subsetsOf(Object.entries(group)).flatMap((some) =>
        subsetsOf(groups.filter((other) => other !== group && groups.indexOf(other) < 3)).map(
          (others) => Object.assign({}, ...others, Object.fromEntries(some)) as Environment,
        ),
      ),
    ),
]

/** Returns the configuration, or the sentence that rejects it; any other error fails the test. */
function readConfigOrError(env: Environment): Config | string {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error
    return error.message
  }
}

/**
 * Returns the environment of the demo server with made-up ports of the simulators, including the mailbox while seeding.
 */
function simulatedEnvironment(env: Environment, config: Config, seeding: boolean): Environment {
  const kept = { secret: 'secret', port: 20_000, switchPort: 20_001 }
  const started = simulators.filter(({ name, needed }) => needed(config) || (seeding && name === 'mailbox'))
  return Object.assign({}, env, ...started.map(({ serverEnv }) => serverEnv(kept))) as Environment
}

const outcomes = combinations.map((env) => ({ env, config: readConfigOrError(env) }))

test('more than 5000 combinations are tried, of which over 1000 are rejected and over 1000 start', () => {
  expect(outcomes.length).toBeGreaterThan(5000)
  expect(outcomes.filter(({ config }) => typeof config === 'string').length).toBeGreaterThan(1000)
  expect(outcomes.filter(({ config }) => typeof config !== 'string').length).toBeGreaterThan(1000)
})

test('a combination that does not start is rejected by one sentence that names a variable', () => {
  const sentences = new Set(outcomes.map(({ config }) => config).filter((one) => typeof one === 'string'))
  for (const sentence of sentences) expect(sentence).toMatch(/^(A )?[A-Z][A-Z0-9_]+(…| )[^\n]*\.$/)
})

test('a demo that starts has every integration that its server and its demo data need', () => {
  const wrong = outcomes.filter(({ env, config }) => {
    if (typeof config === 'string' || !config.demo) return false
    const server = readConfigOrError(simulatedEnvironment(env, config, false))
    const stage = readConfigOrError(simulatedEnvironment(env, config, true))
    const isServed = typeof server !== 'string' && server.mail.smtpUrl && server.mt4 && server.mt5 && server.card
    const isPlayed = typeof stage !== 'string' && Object.values(stage.demoPieces).every((url) => url !== null)
    return !isServed || !(isPlayed || configuredIntegrations(config).length > 0)
  })
  expect(wrong).toEqual([])
})
