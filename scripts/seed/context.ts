/**
 * The context of the demo's history: a server in this process with a clock in the past, driven through the product's
 * own calls (requirements 22.5). Nothing is inserted directly.
 */
import { dayMs } from '#rules/dates.ts'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { TOTP } from 'otpauth'
import * as z from 'zod/mini'
import type { ResponseOf, BodyInputOf, Endpoint } from '#contract/endpoint.ts'
import { stepUpHeader, confirmStepUp, textToSign } from '#contract/step-up.ts'
import { hashWithoutYielding } from '#server/auth/password-hash.ts'
import type { Config } from '#server/config/config.ts'
import { rows } from '#server/db/sql.ts'
import { startServer, type RunningServer } from '#server/main.ts'
import { openMailRelay } from './mail-relay.ts'

export interface SeedContext {
  readonly server: RunningServer
  /** Calls an endpoint and returns its fields; throws the problem of a rejection. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResponseOf<E>>
  /** Uploads a file and returns its name. */
  upload(token: string, bytes: Buffer, name: string, type: string): Promise<string>
  /** Sends mails and processes everything that is pending at an integration. */
  settle(): Promise<void>
  /** Sets the clock, and those of the simulators, to this number of days before now, at a time of day. */
  at(daysAgo: number, time: string): Promise<void>
  /** Returns the newest mail to an address. */
  mailTo(address: string): Promise<string>
  /** Sets a switch of a simulator. */
  turn(program: 'mt5' | 'mt4' | 'card', name: string, body: object): Promise<void>
  now(): Date
  close(): Promise<void>
}

interface CallInput<E extends Endpoint> {
  readonly as?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: BodyInputOf<E>
  readonly key?: string
  /** The password for a call that requires its own proof. */
  readonly password?: string
}

/** The browser of the demo's people and staff. */
export const device = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'

/** Opens the context for a migrated, empty database. */
export async function openSeedContext(config: Config): Promise<SeedContext> {
  hashWithoutYielding()
  const today = new Date()
  let clock = today
  const now = () => clock
  const relay = config.mail.smtpUrl === null ? null : await openMailRelay(config.mail.smtpUrl)
  const mail = { ...config.mail, smtpUrl: relay?.url ?? null }
  const server = await startServer(
    // The operator's own services are not used for an invented history.
    {
      ...config,
      mail,
      port: 0,
      host: '127.0.0.1',
      logLevel: 'warn',
      clamd: null,
      breachedPasswordsFile: null,
      ipLocationFile: null,
    },
    { now, workers: false, migrate: false },
  )
  const place = { ...config, base: server.url }
  const { mailboxUrl, mt5SwitchesUrl, mt4SwitchesUrl, cardSwitchesUrl } = config.demoPieces
  const setClocks = async (setting: object) => {
    const clocks = [mt5SwitchesUrl, mt4SwitchesUrl, cardSwitchesUrl].filter((url) => url !== null)
    await Promise.all(clocks.map((url) => postJson(`${url}/clock`, setting)))
  }
  const rest = async () => {
    for (let round = 0; round < 200; round += 1) {
      await sendMails(server, clock)
      if ((await server.driver.sweep()) === 0) return
      clock = new Date(clock.getTime() + 1_000)
    }
    throw new Error('The demo’s history did not settle.')
  }
  // What happens at the same time comes to rest one after the other: each then finds its mail delivered.
  let resting: Promise<void> = Promise.resolve()
  const settle = () => (resting = resting.then(rest))
  return {
    server,
    settle,
    now,
    call: (endpoint, input) => call(place, endpoint, input),
    upload: (token, bytes, name, type) => upload(place, token, bytes, name, type),
    async at(daysAgo, time) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const day = new Date(today.getTime() - daysAgo * dayMs)
      day.setUTCHours(hours, minutes, 7, 0)
      const wanted = day > today ? today : day
      // Time only moves forward: settling may have taken a few seconds more.
      clock = wanted > clock || clock === today ? wanted : new Date(clock.getTime() + 60_000)
      await setClocks({ at: Math.floor(clock.getTime() / 1000) })
    },
    async mailTo(address) {
      await settle()
      const list = await getJson(`${mailboxUrl}/mails?to=${encodeURIComponent(address)}&limit=1`)
      const [newest] = z.parse(mailList, list)
      if (!newest) throw new Error(`No email arrived at ${address}.`)
      return z.parse(mailText, await getJson(`${mailboxUrl}/mails/${newest.id}`)).text
    },
    async turn(program, name, body) {
      const switches = { mt5: mt5SwitchesUrl, mt4: mt4SwitchesUrl, card: cardSwitchesUrl }[program]
      await postJson(`${switches}/${name}`, body)
    },
    async close() {
      await setClocks({ offsetSeconds: 0 })
      await server.stop()
      relay?.close()
    },
  }
}

/** Sends all pending mails together; a sweep sends them one after the other. */
async function sendMails({ dependencies, driver }: RunningServer, now: Date): Promise<void> {
  const waiting = await rows<{ id: string }>(dependencies.pool)`
    select id from operations where kind = 'mail' and state = 'waiting' and next_try_at <= ${now}`
  await Promise.all(waiting.map(({ id }) => driver.drive(id)))
}

const mailList = z.array(z.object({ id: z.string() }))
const mailText = z.object({ text: z.string() })

/** The address of the context's server, and of its two sites: each answers only to its own name. */
interface SiteAddresses extends Pick<Config, 'portalUrl' | 'officeUrl'> {
  readonly base: string
}

interface JsonResponse {
  readonly ok: boolean
  readonly status: number
  readonly json: unknown
}

/** Calls the context's server with the name of the path's site, because `fetch` knows no name except the address. */
function sendRequest(
  { base, portalUrl, officeUrl }: SiteAddresses,
  path: string,
  { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body?: string | Buffer },
): Promise<JsonResponse> {
  const { host } = new URL(path.startsWith('/api/backoffice/') ? officeUrl : portalUrl)
  return new Promise((resolve, reject) => {
    const asked = request(base + path, { method, headers: { host, ...headers } }, (answer) => {
      const status = answer.statusCode ?? 0
      json(answer).then((read) => resolve({ ok: status >= 200 && status < 300, status, json: read }), reject)
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

async function call<E extends Endpoint>(
  place: SiteAddresses,
  endpoint: E,
  input: CallInput<E>,
): Promise<ResponseOf<E>> {
  let path = endpoint.path
  for (const [name, value] of Object.entries(input.params ?? {}))
    path = name === '*' ? path.replace('*', value) : path.replace(`:${name}`, encodeURIComponent(value))
  const query = input.query ? `?${new URLSearchParams(input.query).toString()}` : ''
  const body = endpoint.method === 'GET' ? null : JSON.stringify(input.body ?? {}, bigintAsText)
  const proof = endpoint.requiresBoundStepUp
    ? await stepUpProofFor(place, endpoint, input, textToSign('POST', path, body ?? ''))
    : null
  const answered = await sendRequest(place, path + query, {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      'user-agent': device,
      ...(input.as ? { authorization: `Bearer ${input.as}` } : {}),
      ...(input.key ? { 'idempotency-key': input.key } : {}),
      ...(proof === null ? {} : { [stepUpHeader]: proof }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
  })
  if (!answered.ok) throw new Error(`${endpoint.name} returned ${answered.status}: ${JSON.stringify(answered.json)}`)
  const { success: _success, ...fields } = answered.json as { success: boolean }
  return z.decode(endpoint.response, fields as never) as ResponseOf<E>
}

/** Returns the proof that a call requires for exactly what it sends. */
async function stepUpProofFor(
  place: SiteAddresses,
  endpoint: Endpoint,
  { as, password }: CallInput<Endpoint>,
  text: string,
) {
  if (as === undefined || password === undefined) throw new Error(`${endpoint.name} requires a password.`)
  const callHash = createHash('sha256').update(text).digest('hex')
  const { proof } = await call(place, confirmStepUp, { as, body: { password, callHash } })
  return proof ?? null
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

async function upload(place: SiteAddresses, token: string, bytes: Buffer, name: string, type: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const encoded = new Response(form)
  const answered = await sendRequest(place, '/upload', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  })
  if (!answered.ok)
    throw new Error(`The upload of ${name} returned ${answered.status}: ${JSON.stringify(answered.json)}`)
  return z.parse(z.object({ filename: z.string() }), answered.json).filename
}

async function getJson(url: string): Promise<unknown> {
  const answered = await fetch(url)
  if (!answered.ok) throw new Error(`${url} returned ${answered.status}`)
  return answered.json()
}

async function postJson(url: string, body: object): Promise<void> {
  const answered = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  if (!answered.ok) throw new Error(`${url} returned ${answered.status}: ${await answered.text()}`)
}

/** Returns an authenticator app's code at a time. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ secret }).generate({ timestamp: now.getTime() })
}
