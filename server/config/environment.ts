/**
 * The environment variables: the purpose of each, its allowed values, and its default. config.ts reads them; the table
 * in docs/operations.md is generated from them.
 */
import { cardKinds, creditMoments } from '../integrations/card-provider/payment-provider.ts'
import { cardMethodTypes, paymentMethods } from '#rules/payment-methods.ts'

/** One variable of the environment: a row of the table in docs/operations.md. */
export interface Variable {
  readonly meaning: string
  /** The allowed values, as the end of the sentence "It may be …". */
  readonly allowed: string
  /** The default; null if there is none. */
  readonly fallback: string | null
  /** True if its value is never printed. */
  readonly secret?: true
  /** Required if NODE_ENV is production. */
  readonly production?: 'required'
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export const roles = ['all', 'web', 'jobs'] as const
export const smtpSignIns = ['password', 'oauth2'] as const
const secureAddressText = 'an https address; http only on localhost'
const originText = `${secureAddressText}; without a path`
const postgresAddressText = 'a postgres:// address'

type ProductVariable = Extract<(typeof paymentMethods)[(typeof cardMethodTypes)[number]]['product'], `CARD_${string}`>
/** Product numbers that differ between firms. */
const productVariables = Object.fromEntries(
  cardMethodTypes.flatMap((type) => {
    const { product } = paymentMethods[type]
    if (typeof product === 'number' || product === 'card-type') return []
    const meaning = `The provider's product number of the payment method ${type}.`
    return [[product, { meaning, allowed: 'a whole number', fallback: 'the method is not offered' }]]
  }),
) as Readonly<Record<ProductVariable, Variable>>

/** All variables of the server, in the order of docs/operations.md. */
export const variables = {
  NODE_ENV: {
    meaning:
      'Production rejects the demo, the simulators and every default that is only suitable for trying the product out.',
    allowed: 'production, development or test',
    fallback: 'development',
  },
  DEMO: {
    meaning: 'Demo data, the page /demo and a demo notice on every page; never in production.',
    allowed: 'on or off',
    fallback: 'on without DATABASE_URL except in production, else off',
  },
  PORT: { meaning: 'The port of portal, back office and API.', allowed: 'a port from 1 to 65535', fallback: '3000' },
  HOST: {
    meaning: 'The address to listen on; 0.0.0.0 inside a container.',
    allowed: 'a host name or an IP address',
    fallback: '127.0.0.1',
  },
  METRICS_PORT: {
    meaning: 'The port of GET /metrics, for Prometheus. Only the monitoring system should reach it.',
    allowed: 'a port from 1 to 65535',
    fallback: null,
  },
  METRICS_HOST: {
    meaning: 'The address on which /metrics listens.',
    allowed: 'a host name or an IP address',
    fallback: '127.0.0.1',
  },
  DRAIN_SECONDS: {
    meaning:
      'How long a server keeps responding after it is told to stop, so that proxies and load balancers remove it first. Must be longer than they take to notice.',
    allowed: 'a number from 0 to 60',
    fallback: '8 in production, else 0',
  },
  PORTAL_URL: {
    meaning: 'The origin under which clients reach the portal; links in emails begin with it.',
    allowed: originText,
    fallback: 'http://localhost:PORT',
    production: 'required',
  },
  OFFICE_URL: {
    meaning:
      'The origin of the back office, whose pages are under /office/; must differ from the portal in production.',
    allowed: originText,
    fallback: 'that of the portal',
    production: 'required',
  },
  TRUST_PROXY: {
    meaning: 'The proxies whose X-Forwarded-For is trusted: a number of hops, or their addresses.',
    allowed: 'a number from 0 to 9, or IP addresses and networks with commas between',
    fallback: '0',
  },
  DATABASE_URL: {
    meaning: "PostgreSQL 18 under the server's own role, which cannot change append-only data (requirements 22.3).",
    allowed: postgresAddressText,
    fallback: 'an embedded database under DATA_DIR',
    secret: true,
    production: 'required',
  },
  DATABASE_OWNER_URL: {
    meaning: 'The same database under the role that owns the tables; used only for migrations.',
    allowed: postgresAddressText,
    fallback: "no migrations at start; run 'operator migrate' first",
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    meaning: 'Connections that the requests of one server may use; jobs and listeners have their own.',
    allowed: 'a number from 2 to 200',
    fallback: '16',
  },
  DATA_DIR: {
    meaning: 'The folder of files, keys and the embedded database.',
    allowed: 'a folder that the server may write',
    fallback: './.data',
  },
  MASTER_KEY_FILE: {
    meaning: 'The file of 32 random bytes that wraps every other key (requirements 22.1).',
    allowed: 'the path of a file',
    fallback: 'DATA_DIR/master.key, created with an empty database in the demo',
    production: 'required',
  },
  SMTP_URL: {
    meaning: 'The mail server; with SMTP_AUTH=password, user and password are part of the address.',
    allowed: 'an smtp:// or smtps:// address',
    fallback: "the demo's mailbox",
    secret: true,
    production: 'required',
  },
  MAIL_FROM: {
    meaning: "The sender address of every email; the sender name is the firm's.",
    allowed: 'an email address',
    fallback: 'noreply@localhost.localdomain',
    production: 'required',
  },
  SMTP_RETURN_PATH: {
    meaning: 'Where delivery failure reports are sent. The product does not read them.',
    allowed: 'an email address',
    fallback: 'MAIL_FROM',
  },
  SMTP_AUTH: {
    meaning: 'How the server signs in to the mail server: by password, or by an access token (OAuth 2.0, XOAUTH2).',
    allowed: smtpSignIns.join(' or '),
    fallback: 'password',
  },
  SMTP_OAUTH_TOKEN_URL: {
    meaning: 'The token endpoint (client credentials).',
    allowed: secureAddressText,
    fallback: null,
  },
  SMTP_OAUTH_CLIENT_ID: {
    meaning: 'The client id of the product at that endpoint.',
    allowed: 'a text',
    fallback: null,
  },
  SMTP_OAUTH_CLIENT_SECRET: { meaning: 'The client secret.', allowed: 'a text', fallback: null, secret: true },
  SMTP_OAUTH_SCOPE: {
    meaning: 'The scope of the token; for Microsoft https://outlook.office365.com/.default.',
    allowed: 'a text',
    fallback: 'no scope is named',
  },
  SMTP_OAUTH_USER: {
    meaning: 'The mailbox to sign in to.',
    allowed: 'an email address',
    fallback: 'MAIL_FROM',
  },
  SMTP_CA_FILE: {
    meaning:
      'Certificates of your own CA for the mail server and its token endpoint, PEM; trusted in addition to those that Node trusts.',
    allowed: 'the path of a file',
    fallback: null,
  },
  MT5_URL: {
    meaning: 'The MetaTrader 5 Web API.',
    allowed: secureAddressText,
    fallback: 'the simulator in the demo, else no MetaTrader 5',
  },
  MT5_LOGIN: { meaning: "The manager's login there.", allowed: 'digits', fallback: null },
  MT5_PASSWORD: { meaning: "The manager's API password there.", allowed: 'a text', fallback: null, secret: true },
  MT5_CA_FILE: {
    meaning: 'Certificates of your own CA for that API, PEM; trusted in addition to those that Node trusts.',
    allowed: 'the path of a file',
    fallback: null,
  },
  MT4_URL: {
    meaning: 'The MetaTrader 4 gateway.',
    allowed: secureAddressText,
    fallback: 'the simulator in the demo, else no MetaTrader 4',
  },
  MT4_KEY: { meaning: 'The name of the key that signs calls to that gateway.', allowed: 'a text', fallback: null },
  MT4_SECRET: { meaning: 'The key itself.', allowed: 'a text', fallback: null, secret: true },
  MT4_CA_FILE: {
    meaning: 'Certificates of your own CA for that gateway, PEM; trusted in addition to those that Node trusts.',
    allowed: 'the path of a file',
    fallback: null,
  },
  CARD_KIND: {
    meaning: "The card provider's product, which determines the protocol.",
    allowed: cardKinds.join(', '),
    fallback: 'worldline-connect',
  },
  CARD_URL: {
    meaning: "The address of the card provider's API.",
    allowed: secureAddressText,
    fallback: 'the simulator in the demo, else no deposits by card',
  },
  CARD_MERCHANT: { meaning: "The firm's merchant id at the provider.", allowed: 'a text', fallback: null },
  CARD_KEY: { meaning: 'The name of the key that signs calls to the provider.', allowed: 'a text', fallback: null },
  CARD_SECRET: { meaning: 'The key itself.', allowed: 'a text', fallback: null, secret: true },
  CARD_WEBHOOK_KEY: {
    meaning:
      "The name of the key that signs the provider's webhooks. Enter PORTAL_URL/api/webhooks/card as their address at the provider.",
    allowed: 'a text',
    fallback: null,
  },
  ...productVariables,
  CARD_PRODUCTS: {
    meaning:
      "The provider's product numbers that differ from those of Worldline Connect, as pairs of Connect's number and the provider's own. Worldline Direct needs them for 114 (Visa debit) and 119 (Mastercard debit).",
    allowed: 'pairs such as 114:1,119:3',
    fallback: 'the numbers of Worldline Connect',
  },
  CARD_WEBHOOK_SECRET: { meaning: 'The key itself.', allowed: 'a text', fallback: null, secret: true },
  CARD_PREVIOUS_WEBHOOK_KEY: {
    meaning: 'The name of the key before, whose webhooks are still accepted while the key is changed.',
    allowed: 'a text',
    fallback: 'only CARD_WEBHOOK_KEY is accepted',
  },
  CARD_PREVIOUS_WEBHOOK_SECRET: {
    meaning: 'The previous key itself.',
    allowed: 'a text',
    fallback: null,
    secret: true,
  },
  CARD_CREDIT_AT: {
    meaning:
      "When a card payment is credited: once its capture is queued (capture_requested; a capture that is rejected later is the firm's loss), or once it has been captured, which takes days. The processing time that clients see for cards changes with it, unless it was edited in the settings.",
    allowed: creditMoments.join(', '),
    fallback: 'capture_requested',
  },
  CARD_CA_FILE: {
    meaning: 'Certificates of your own CA for the provider, PEM; trusted in addition to those that Node trusts.',
    allowed: 'the path of a file',
    fallback: null,
  },
  CLAMD_ADDRESS: {
    meaning: 'The virus scanner clamd; if it is set and does not respond, uploads are quarantined.',
    allowed: 'host:port',
    fallback: 'no scanner',
  },
  BREACHED_PASSWORDS_FILE: {
    meaning: 'A list of stolen passwords, which cannot be chosen: SHA-1 hashes in ascending order, or plain words.',
    allowed: 'the path of a file',
    fallback: 'only the list of common passwords',
  },
  IP_LOCATION_FILE: {
    meaning:
      'A table of the countries of IP addresses, shown with the sign-ins on the page of a client; a sign-in from a new country is reported by email. Reloaded when the file is replaced.',
    allowed: 'the path of a file in MaxMind DB format (.mmdb)',
    fallback: 'no countries',
  },
  LOG_LEVEL: { meaning: 'The lowest level that is logged.', allowed: logLevels.join(', '), fallback: 'info' },
  ROLE: {
    meaning: 'What this process does: serve requests (web), run jobs (jobs), or both (all).',
    allowed: roles.join(', '),
    fallback: 'all',
  },
  WORKERS: { meaning: 'Jobs that one process runs concurrently.', allowed: 'a number from 1 to 50', fallback: '4' },
  DEMO_MAILBOX_URL: {
    meaning: "The mailbox that /demo shows; set by 'npm start'.",
    allowed: 'an address on this machine',
    fallback: null,
  },
  DEMO_MT5_SWITCHES_URL: {
    meaning: "The switches of the MetaTrader 5 simulator; set by 'npm start'.",
    allowed: 'an address on this machine',
    fallback: null,
  },
  DEMO_MT4_SWITCHES_URL: {
    meaning: "The switches of the MetaTrader 4 simulator; set by 'npm start'.",
    allowed: 'an address on this machine',
    fallback: null,
  },
  DEMO_CARD_SWITCHES_URL: {
    meaning: "The switches of the card provider's simulator; set by 'npm start'.",
    allowed: 'an address on this machine',
    fallback: null,
  },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables

/** Returns the table of all variables for docs/operations.md. */
export function variablesAsMarkdown(): string {
  const rows = Object.entries<Variable>(variables).map(
    ([name, row]) =>
      `| \`${name}\` | ${row.meaning} | ${row.allowed} | ${row.fallback ?? ''} | ${row.production ?? ''} |`,
  )
  return ['| variable | meaning | allowed | default | in production |', '|---|---|---|---|---|', ...rows].join('\n')
}
