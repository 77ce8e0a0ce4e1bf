/**
 * The demo's own page: personas with their current one-time codes, the mailbox, and the switches of the simulators
 * (requirements 22.4). Registered in demo mode only.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { rows } from '../../db/sql.ts'
import { isOwnHost } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { currentTotpCode } from '../../auth/totp.ts'
import { demoStaffPattern } from './assert-no-demo-data.ts'
import { payIn } from './pay-in.ts'

/** The password of every persona. */
const demoPassword = 'Calder-Row-demo-1'

interface StaffRow {
  id: string
  name: string
  email: string
  roles: string[]
  secret: Buffer | null
}

interface ClientRow {
  id: string
  name: string
  email: string
  state: string
  country: string
  secret: Buffer | null
}

/** Registers the page and its endpoints. */
export async function demoRoutes(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  if (!dependencies.config.demo) return
  await server.register(async (scope) => {
    // Another site's host name that resolves to this machine (DNS rebinding) must not read codes and mails.
    scope.addHook('onRequest', async ({ headers }) => {
      if (!isOwnHost(headers.host, dependencies.config)) throw new Problem('not-found')
    })
    addRoutes(scope, dependencies)
  })
}

function addRoutes(server: FastifyInstance, dependencies: Dependencies): void {
  const asset = (path: string, file: string, type: string) =>
    server.get(path, async (_request, reply) => sendAsset(reply, file, type))
  asset('/demo', 'demo.html', 'text/html')
  asset('/demo/demo.css', 'demo.css', 'text/css')
  asset('/demo/demo.js', 'demo.js', 'text/javascript')
  server.get('/demo/font.woff2', async (_request, reply) =>
    reply.header('content-type', 'font/woff2').send(await readFile(font)),
  )
  server.get('/demo/people', async () => demoPeople(dependencies))
  server.get('/demo/mails', async () => ({ mails: await recentMails(dependencies) }))
  server.get<{ Params: { id: string } }>('/demo/mails/:id', (request) => readMail(dependencies, request.params.id))
  server.get<{ Params: { id: string } }>('/demo/mails/:id/page', async (request, reply) => {
    const { html } = await readMail(dependencies, request.params.id)
    return sendMailPage(reply, html)
  })
  server.post('/demo/switch', (request) => setSwitch(dependencies, parseBody(switchBody, request.body)))
  server.post('/demo/pay-in', (request) => payIn(dependencies, parseBody(payInBody, request.body)))
}

const switchBody = z.strictObject({
  program: z.enum(['mt5', 'mt4', 'card', 'mailbox']),
  name: z.string().check(z.regex(/^[a-z-]+(\/[a-z]+)?$/)),
  body: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})

const payInBody = z.strictObject({
  reference: z.string().check(z.maxLength(140)),
  amount: z.string().check(z.regex(/^\d{1,9}(\.\d{1,2})?$/)),
  currency: z.enum(['EUR', 'GBP', 'USD']),
  payer: z.string().check(z.minLength(1), z.maxLength(140)),
  payerAccount: z.optional(z.string().check(z.maxLength(42))),
})

function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value)
  if (!result.success) throw new Problem('check-fields')
  return result.data
}

const assets = new URL('./assets/', import.meta.url)
const font = new URL('../../../ui/theme/fonts/instrument-sans-latin.woff2', import.meta.url)

async function sendAsset(reply: FastifyReply, file: string, type: string): Promise<FastifyReply> {
  return reply.header('content-type', `${type}; charset=utf-8`).send(await readFile(new URL(file, assets)))
}

/** Sends a mail's HTML for a sandboxed frame: its style attributes are allowed, nothing else. */
function sendMailPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "sandbox allow-popups allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    )
    .header('x-frame-options', 'SAMEORIGIN')
    .send(html.replace('<head>', '<head><base target="_top">'))
}

async function demoPeople(dependencies: Dependencies) {
  const now = dependencies.now()
  const staff = await rows<StaffRow>(dependencies.pool)`
    select id, name, email::text as email, roles, factor_secret as secret from staff
      where state = 'active' and email like ${demoStaffPattern} order by created_at, id`
  const clients = await rows<ClientRow>(dependencies.pool)`
    select id, name || ' ' || surname as name, email::text as email, state, country,
        case when factor_confirmed_at is not null then factor_secret end as secret from clients
      where email like '%@example.com' order by number limit 12`
  return {
    password: demoPassword,
    portal: dependencies.config.portalUrl,
    office: `${dependencies.config.officeUrl}/office/`,
    /** The simulators that have switches here. */
    programs: Object.entries(switchesOf(dependencies)).flatMap(([program, url]) => (url === null ? [] : [program])),
    staff: staff.map(({ id, secret, ...member }) => ({
      ...member,
      ...(secret
        ? currentTotpCode(dependencies.keys, { table: 'staff', id }, secret, now)
        : { code: null, secondsLeft: 0 }),
    })),
    /** Clients who have turned on 2FA have a code too. */
    clients: clients.map(({ id, secret, ...client }) => ({
      ...client,
      ...(secret ? currentTotpCode(dependencies.keys, { table: 'clients', id }, secret, now) : {}),
    })),
  }
}

interface MailHead {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly receivedAt: string
}

interface DemoMail extends MailHead {
  readonly html: string
  readonly text: string
}

/** Returns the newest mails, without their bodies. */
async function recentMails(dependencies: Dependencies): Promise<MailHead[]> {
  return (await callSimulator(dependencies.config.demoPieces.mailboxUrl, '/mails?limit=40')) as MailHead[]
}

/** Returns one mail with its bodies. */
async function readMail(dependencies: Dependencies, id: string): Promise<DemoMail> {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Problem('not-found')
  return (await callSimulator(dependencies.config.demoPieces.mailboxUrl, `/mails/${id}`)) as DemoMail
}

/** Sets a switch of one simulator (simulators/README.md). */
async function setSwitch(
  dependencies: Dependencies,
  turn: { program: string; name: string; body: object },
): Promise<{ done: true }> {
  await callSimulator(switchesOf(dependencies)[turn.program] ?? null, `/${turn.name}`, turn.body)
  return { done: true }
}

/** Returns the address of each simulator's switches; null for one that this demo does not run. */
function switchesOf({ config }: Dependencies): Readonly<Record<string, string | null>> {
  const { mailboxUrl, mt5SwitchesUrl, mt4SwitchesUrl, cardSwitchesUrl } = config.demoPieces
  return { mt5: mt5SwitchesUrl, mt4: mt4SwitchesUrl, card: cardSwitchesUrl, mailbox: mailboxUrl }
}

async function callSimulator(base: string | null, path: string, body?: object): Promise<unknown> {
  if (base === null) throw new Problem('unavailable', { retryAfterSeconds: 5 })
  const sent = body
    ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {}
  const answered = await fetch(`${base}${path}`, {
    ...sent,
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  if (!answered) throw new Problem('unavailable', { retryAfterSeconds: 5 })
  if (answered.status === 404) throw new Problem('not-found')
  if (!answered.ok) throw new Problem('check-fields')
  return answered.json()
}
