/**
 * `GET /metrics` on a separate port, in Prometheus's text format 0.0.4. It reports what the doctor reports, read again
 * for each scrape; labels contain no identifier of a person or record.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import { recoveryItemKinds } from '#rules/recovery-items.ts'
import { moneyChannels } from '#rules/recovery.ts'
import { integrationStates, type IntegrationName } from '#contract/office/overview.ts'
import { integrationHealth, type IntegrationHealth } from '../jobs/integration-calls.ts'
import { recoveryStatus, type RecoveryStatus } from '../recovery/recovery-status.ts'
import { recoverySigns, stoppedChannels } from '../recovery/stopped-money.ts'

interface Metric {
  readonly name: string
  readonly help: string
  readonly values: readonly (readonly [labels: string, value: number])[]
}

const singleValue = (value: number) => [['', value]] as const
const booleanValue = (is: boolean) => (is ? 1 : 0)

function metricsOf(status: RecoveryStatus, integrations: readonly IntegrationHealth[], now: Date): Metric[] {
  const ofEach = (value: (health: IntegrationHealth) => number | null) =>
    integrations.flatMap((one) => {
      const found = value(one)
      return found === null ? [] : [[`{integration="${one.name}"}`, found] as const]
    })
  const { recovery, servers, openItems, platforms } = status
  const stopped = stoppedChannels(recovery)
  return [
    {
      name: 'database_timeline',
      help: 'Timeline of the write-ahead log; it changes with each promotion.',
      values: singleValue(Number.parseInt(status.timeline, 16)),
    },
    {
      name: 'database_identity_known',
      help: '1 if system identifier, database and timeline are those that the servers recorded.',
      values: singleValue(booleanValue(status.isNotedDatabase === true && status.timeline === status.notedTimeline)),
    },
    {
      name: 'servers',
      help: 'Servers that run on this database, by whether their heartbeat is late.',
      values: [
        ['{heartbeat="fresh"}', servers.filter(({ isLate }) => !isLate).length],
        ['{heartbeat="late"}', servers.filter(({ isLate }) => isLate).length],
      ],
    },
    {
      name: 'server_heartbeat_age_seconds',
      help: 'Age of the oldest heartbeat of a running server.',
      values: status.oldestBeatSeconds === null ? [] : singleValue(status.oldestBeatSeconds),
    },
    {
      name: 'replication_asynchronous_standbys',
      help: 'Standbys whose confirmation no commit waits for.',
      values: singleValue(status.asynchronousStandbys),
    },
    {
      name: 'recovery_open',
      help: '1 while recovery is open, by the sign that opened it.',
      values: recoverySigns.map((sign) => [`{sign="${sign}"}`, booleanValue(recovery?.sign === sign)]),
    },
    {
      name: 'recovery_channel_stopped',
      help: '1 while recovery has stopped a channel of money.',
      values: moneyChannels.map((channel) => [`{channel="${channel}"}`, booleanValue(stopped?.[channel] ?? false)]),
    },
    {
      name: 'recovery_items_open',
      help: 'Recovery items that two people have not settled, by kind.',
      values: recoveryItemKinds.map((kind) => [`{kind="${kind}"}`, openItems[kind] ?? 0]),
    },
    {
      name: 'recovery_requests_to_confirm',
      help: 'Requests that wait until their client confirms them again.',
      values: singleValue(status.requestsToConfirm),
    },
    {
      name: 'platform_right_missing',
      help: '1 for each permission that our login is missing at a platform, as last read.',
      values: platforms.flatMap(({ platform, missingRights }) =>
        missingRights.map((right) => [`{platform="${platform}",right="${right}"}`, 1] as const),
      ),
    },
    {
      name: 'accounts_with_unreadable_deals',
      help: 'Accounts with a deal that cannot be read: their totals and statements are being checked.',
      values: singleValue(status.incompleteAccounts),
    },
    {
      name: 'accounts_that_cannot_be_read',
      help: 'Accounts without newer balances, or to which nothing is sent, because the platform returned data about them that cannot be read.',
      values: singleValue(status.unreadableAccounts),
    },
    {
      name: 'recovery_confirmations_missing',
      help: 'Confirmations of access and bank that are missing while recovery is open.',
      values: singleValue(status.missingConfirmations),
    },
    {
      name: 'integration_state',
      help: '1 at the state of each configured integration, as the overview shows it.',
      values: integrations.flatMap(({ name, state }) =>
        integrationStates.map(
          (known) => [`{integration="${name}",state="${known}"}`, booleanValue(state === known)] as const,
        ),
      ),
    },
    {
      name: 'integration_answer_age_seconds',
      help: 'Age of the last answer of an integration.',
      values: ofEach(({ lastAnswer }) => lastAnswer && Math.max(0, (now.getTime() - lastAnswer.getTime()) / 1000)),
    },
    {
      name: 'integration_answers',
      help: 'Calls with an answer in the last 15 minutes.',
      values: ofEach(({ answers }) => answers),
    },
    {
      name: 'integration_failures',
      help: 'Calls without an answer in the last 15 minutes.',
      values: ofEach(({ failures }) => failures),
    },
    {
      name: 'integration_waiting',
      help: 'Operations that wait for an integration; for the scanner, files that are not scanned yet.',
      values: ofEach(({ waiting }) => waiting),
    },
  ]
}

/** Returns the text of one scrape. */
export function metricsText(
  status: RecoveryStatus,
  integrations: readonly IntegrationHealth[] = [],
  now: Date = new Date(),
): string {
  return metricsOf(status, integrations, now)
    .map(({ name, help, values }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        ...values.map(([labels, value]) => `${name}${labels} ${value}`),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('')
}

interface MetricsDependencies {
  readonly pool: Pool
  readonly address: { readonly port: number; readonly host: string }
  /** Those that are configured. */
  readonly integrations: readonly IntegrationName[]
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

async function collectMetrics(pool: Pool, names: readonly IntegrationName[], now: Date): Promise<string> {
  return metricsText(await recoveryStatus(pool, now), await integrationHealth(pool, names, now), now)
}

/** Answers scrapes until `stop`. If the database does not respond, a scrape returns 503. */
export async function serveMetrics({
  pool,
  address,
  integrations,
  now,
  onError,
}: MetricsDependencies): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collectMetrics(pool, integrations, now()).then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (error: unknown) => {
        onError(error)
        response.writeHead(503).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
