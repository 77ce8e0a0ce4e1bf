/** The same calls in a small and a large firm, in turns: the cost of a list must not grow with the firm. */
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { getDemoAccounts, getLiveAccounts } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { getDocuments } from '#contract/documents.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { getTransferHistory } from '#contract/history.ts'
import { searchClients } from '#contract/office/clients.ts'
import { inboxCounts } from '#contract/office/inbox.ts'
import { overview } from '#contract/office/overview.ts'
import { clientSteps } from '#contract/office/reports.ts'
import { checkClientsProfessionalStatus, getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { profile } from '#contract/profile.ts'
import { checkUserRegister } from '#contract/registration.ts'
import { settings } from '#contract/settings.ts'
import { currentUser } from '#contract/users-session.ts'
import { openBenchContext, type BenchContext } from './context.ts'
import { makeFirm } from './growth-data.ts'
import { clientToken, staffToken } from './users.ts'
import { scheduledTasks } from '#server/features.ts'
import { resultWithMaximum, type Result } from './results.ts'

const ratioMax = 1.5
/** In addition to the sign-in's (requirements 24.5). */
const overviewStatementsMax = 6
const smallFirm = 1_000
/** The first calls are slower, until the code is compiled. */
const warmUps = 15
const rounds = 41
/** The client whose calls are timed: neither the first nor the last one. */
const timedClient = 500

interface TimedCall {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly office: boolean
}

interface Firm {
  readonly context: BenchContext
  readonly clientId: string
  readonly tokens: { readonly portal: string; readonly office: string }
}

/** What is compared: every call, or only the overview's, which is quick to measure with a million clients. */
interface GrowthScope {
  readonly all: boolean
}

/**
 * Returns ratios of the medians of each reading call of requirements 15.1, of each list of the back office, and of the
 * overview, whose statements are counted too.
 */
export async function benchGrowth(clients: number, rows: number, { all }: GrowthScope): Promise<Result[]> {
  const grounds: BenchContext[] = []
  try {
    const firms: Firm[] = []
    for (const size of [smallFirm, clients]) {
      const context = await openBenchContext()
      grounds.push(context)
      await makeFirm(context.superuser, size, Math.ceil((rows / clients) * size))
      firms.push(await openFirm(context))
    }
    const [small, large] = firms
    if (!small || !large) throw new Error('two firms are compared')
    const results = [await overviewStatements(large)]
    for (const timed of all ? timedCalls() : [timedOverview]) results.push(await compareTimes(timed, small, large))
    return results
  } finally {
    for (const context of grounds) await context.stop()
  }
}

async function openFirm(context: BenchContext): Promise<Firm> {
  const found = await context.superuser.query<{ id: string }>({
    text: 'select id from clients where email = $1',
    values: [`bench-${timedClient}@example.com`],
  })
  const clientId = found.rows[0]?.id ?? ''
  // Like the server's hourly job, at the end of its hour, when the most figures are newer than the written ones.
  await scheduledTasks(context.server.dependencies)
    .find(({ name }) => name === 'figures')
    ?.run(new Date(Date.now() - 3_600_000))
  const office = await staffToken(context, ['administrator', 'operations', 'compliance', 'finance', 'auditor'])
  return { context, clientId, tokens: { portal: await clientToken(context, clientId), office } }
}

const timedOverview = timedCall(overview, undefined, true)

async function overviewStatements(firm: Firm): Promise<Result> {
  // The first call reads the settings, which are cached from then on.
  await timeOf(timedOverview, firm)
  const seen = await firm.context.statementsOf(() => timeOf(timedOverview, firm))
  // The server's heartbeat may fall into the call.
  const own = seen.filter(({ text }) => !/\b(sessions|server_heartbeats)\b/.test(text))
  return resultWithMaximum('overview, its statements', own.length, overviewStatementsMax, 'a request')
}

function timedCalls(): TimedCall[] {
  const reads: [Endpoint, string?][] = [
    [currentUser],
    [profile],
    [checkUserRegister],
    [checkClientsProfessionalStatus],
    [getProfessionalClientsApplication],
    [getDocuments],
    [getLiveAccounts],
    [getDemoAccounts],
    [getBankDetails],
    [getTransferHistory],
    [getTransferHistory, '?list=deposits'],
    [settings],
  ]
  const lists = officeEndpoints
    .filter(isList)
    .flatMap((endpoint): [Endpoint, string?][] =>
      valuesOf(endpoint, 'state').includes('all') ? [[endpoint], [endpoint, '?state=all']] : [[endpoint]],
    )
  return [
    ...reads.map(([endpoint, query]) => timedCall(endpoint, query, false)),
    timedOverview,
    ...clientSteps.map((step) => timedCall(searchClients, `?reached=${step}`, true)),
    ...[...lists, [inboxCounts] as [Endpoint]].map(([endpoint, query]) => timedCall(endpoint, query, true)),
  ]
}

function timedCall({ name, method, path }: Endpoint, query: string | undefined, office: boolean): TimedCall {
  const asked = query ?? ''
  return { name: name + asked, method, path: path.replace('/:a/:b', '/all/all') + asked, office }
}

/** Returns whether the endpoint is a list of the back office: paged by cursor and without a record. */
function isList(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && !endpoint.path.includes(':') && 'cursor' in fieldsOf(endpoint)
}

function valuesOf(endpoint: Endpoint, field: string): readonly unknown[] {
  return fieldsOf(endpoint)[field]?.enum ?? []
}

function fieldsOf({ query }: Endpoint): Record<string, { enum?: unknown[] }> {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return properties as Record<string, { enum?: unknown[] }>
}

async function compareTimes(timed: TimedCall, small: Firm, large: Firm): Promise<Result> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = -warmUps; round < rounds; round += 1) {
    const inSmall = await timeOf(timed, small)
    const inLarge = await timeOf(timed, large)
    if (round < 0) continue
    times.small.push(inSmall)
    times.large.push(inLarge)
  }
  const [before, after] = [median(times.small), median(times.large)]
  return {
    what: timed.name,
    measured: `${(after / before).toFixed(2)} times`,
    goal: `≤ ${ratioMax.toFixed(2)} times`,
    held: after / before <= ratioMax,
    note: `${before.toFixed(2)} ms, then ${after.toFixed(2)} ms`,
  }
}

async function timeOf({ name, method, path, office }: TimedCall, { context, clientId, tokens }: Firm): Promise<number> {
  const begun = performance.now()
  const response = await fetch(context.server.url + path.replace(':id', clientId), {
    method,
    headers: {
      authorization: `Bearer ${office ? tokens.office : tokens.portal}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: '{}' }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`)
  return performance.now() - begun
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}
