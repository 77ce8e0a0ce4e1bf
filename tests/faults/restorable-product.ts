/**
 * A product with clients, staff, a platform, a card provider and a bank, for the tests of restored databases.
 */
import { expect } from 'vitest'
import { requestCreditCardPayment, requestWirePayment } from '#contract/deposits.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { requestCorrection } from '#contract/office/accounting.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { startSimulator, type RunningSimulator } from '../start-simulator.ts'
import type { TestDatabase } from '../database.ts'
import { makeJpeg, uploadTo } from '../files.ts'
import {
  makeApprovedBank,
  cardBody,
  makeFundedAccount,
  mt5Environment,
  transferBody,
  wireBody,
  withdrawalBody,
} from '../funded-account.ts'
import { cardEnv } from '../card-provider.ts'
import {
  call,
  makeClient,
  makeStaff,
  applySetting,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type Reply,
  type TestServer,
} from '../factories.ts'

/** The staff by decision. */
export interface Staff {
  readonly operations: MadeStaff
  readonly finance: MadeStaff
  readonly second: MadeStaff
  readonly compliance: MadeStaff
  readonly administrator: MadeStaff
}

export interface RestorableProduct {
  readonly server: TestServer
  readonly platform: RunningSimulator
  readonly cards: RunningSimulator
  readonly staff: Staff
  readonly client: MadeClient
  readonly suspended: MadeClient
  readonly source: { id: string; login: string }
  readonly destination: { id: string; login: string }
  readonly bankId: string
  /** The ids of the requests, by name. */
  readonly ids: Record<string, string>
  stop(): Promise<void>
}

const fundedMinor = 500_000n

/** Starts it on a database, with all requests made and none decided. */
export async function startRestorableProduct(database: TestDatabase): Promise<RestorableProduct> {
  const [platform, cards, mailbox] = await Promise.all([
    startSimulator('mt5'),
    startSimulator('card-provider'),
    startSimulator('mailbox'),
  ])
  const env: Environment = {
    ...mt5Environment(platform),
    ...cardEnv(cards),
    SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
  }
  const server = await startTestServer({ now: new Date(), database, env })
  const limits = await server.dependencies.settings.get('rateLimits')
  await applySetting(server, 'rateLimits', { ...limits, moneyRequestsPerMinute: 10_000 })
  const client = await makeClient(server)
  const product: RestorableProduct = {
    server,
    platform,
    cards,
    client,
    suspended: await makeClient(server),
    source: await makeFundedAccount(server, client, fundedMinor),
    destination: await makeFundedAccount(server, client, fundedMinor),
    bankId: await makeApprovedBank(server, client),
    staff: {
      operations: await makeStaff(server, ['operations']),
      finance: await makeStaff(server, ['finance']),
      second: await makeStaff(server, ['finance']),
      compliance: await makeStaff(server, ['compliance']),
      administrator: await makeStaff(server, ['administrator']),
    },
    ids: {},
    async stop() {
      await server.stop()
      await Promise.all([platform, cards, mailbox].map((integration) => integration.stop()))
    },
  }
  await createAllRequests(product)
  return product
}

/** Calls, and expects success. */
export async function callSuccessfully<E extends Endpoint>(
  server: { readonly url: string },
  endpoint: E,
  options: Parameters<typeof call<E>>[2],
): Promise<Reply<E>> {
  const reply = await call(server, endpoint, options)
  expect(reply.status, `${endpoint.name}: ${reply.bytes.toString().slice(0, 300)}`).toBeLessThan(300)
  return reply
}

async function createAllRequests(product: RestorableProduct): Promise<void> {
  const { server, client, ids, staff, source } = product
  for (const [name, amount] of [
    ['paid', '50'],
    ['released', '55'],
    ['unpaid', '57'],
    ['reversed', '60'],
    ['cancelled', '61'],
    ['rejected', '62'],
    ['untouched', '65'],
  ] as const)
    ids[name] = await createWithdrawal(product, amount)
  ids['transfer'] = await createTransfer(product, '70')
  ids['halfTransfer'] = await createTransfer(product, '75')
  ids['refusedTransfer'] = await createTransfer(product, '76')
  ids['paidCheckout'] = await openCheckout(product, '30')
  ids['refundedCheckout'] = await openCheckout(product, '40')
  ids['wire'] = await announceWire(product, '100')
  const correction = { accountId: source.id, amount: '-5', currency: 'EUR', reason: 'Charged twice' } as const
  ids['correction'] = (
    await callSuccessfully(server, requestCorrection, { as: staff.finance, body: correction })
  ).answer.id
  ids['fileBefore'] = (await uploadTo(server, client, await makeJpeg(), 'before.jpg')).json.filename
}

/** Requests a withdrawal from an account; returns its id. */
export async function createWithdrawal(
  { server, client, source, bankId }: Pick<RestorableProduct, 'server' | 'client' | 'source' | 'bankId'>,
  amount: string,
): Promise<string> {
  const body = withdrawalBody(source, bankId, amount)
  return (await callSuccessfully(server, requestWithdrawal, { as: client, body })).answer.id
}

export async function createTransfer(
  { server, client, source, destination }: RestorableProduct,
  amount: string,
): Promise<string> {
  const body = transferBody(source, destination, amount)
  return (await callSuccessfully(server, requestTransfer, { as: client, body })).answer.id
}

async function openCheckout(product: RestorableProduct, amount: string): Promise<string> {
  const body = cardBody(product.source, amount)
  return (await callSuccessfully(product.server, requestCreditCardPayment, { as: product.client, body })).answer.id
}

async function announceWire(product: RestorableProduct, amount: string): Promise<string> {
  const body = wireBody(product.source, amount)
  return (await callSuccessfully(product.server, requestWirePayment, { as: product.client, body })).answer.id
}

export async function versionOf({ dependencies }: TestServer, table: string, id: string): Promise<number> {
  const { rows: found } = await dependencies.pool.query<{ version: number }>(
    `select version from ${table} where id = $1`,
    [id],
  )
  return found[0]?.version ?? 0
}
