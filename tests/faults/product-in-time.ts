/**
 * A product with clients, staff, a platform, a card provider and a bank, and its events in stages: the tests of
 * restored databases take a copy before one of them.
 */
import { expect } from 'vitest'
import { requestCreditCardPayment, requestWirePayment, checkCreditCardPayment } from '#contract/deposits.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DepositId } from '#rules/ids.ts'
import { requestCorrection, approveCorrection } from '#contract/office/accounting.ts'
import { suspendClient } from '#contract/office/client-decisions.ts'
import { importStatement, matchLine } from '#contract/office/bank-lines.ts'
import { confirmPayoutBatch, getPayoutBatch } from '#contract/office/payout-batches.ts'
import { retryJob } from '#contract/office/records.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import * as withdrawals from '#contract/office/withdrawals.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { cancelWithdrawal, requestWithdrawal } from '#contract/withdrawals.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { queryProvider } from '#server/features/deposits/settle-checkout.ts'
import { startSimulator, type RunningSimulator } from '#server/integrations/start-simulator.ts'
import { allAcknowledged } from '../acknowledged.ts'
import type { TestDatabase } from '../database.ts'
import { makeJpeg, uploadTo } from '../files.ts'
import {
  approvedBank,
  fundedAccount,
  mt5Environment,
  settleOperations,
  transferBody,
  withdrawalBody,
} from '../funded-account.ts'
import { cardEnv } from '../card-provider.ts'
import {
  call,
  makeClient,
  makeStaff,
  setInForce,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type Reply,
  type TestServer,
} from '../factories.ts'
import { paidBatch, releasedBatch } from '../payout-batches.ts'

/** The staff by decision. */
export interface Staff {
  readonly operations: MadeStaff
  readonly finance: MadeStaff
  readonly second: MadeStaff
  readonly compliance: MadeStaff
  readonly administrator: MadeStaff
}

export interface ProductInTime {
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
export async function startProductInTime(database: TestDatabase): Promise<ProductInTime> {
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
  await setInForce(server, 'rateLimits', { ...limits, moneyRequestsPerMinute: 10_000 })
  const client = await makeClient(server)
  const product: ProductInTime = {
    server,
    platform,
    cards,
    client,
    suspended: await makeClient(server),
    source: await fundedAccount(server, client, fundedMinor),
    destination: await fundedAccount(server, client, fundedMinor),
    bankId: await approvedBank(server, client),
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
  await askForEverything(product)
  return product
}

/** Calls, and expects success. */
export async function done<E extends Endpoint>(
  server: { readonly url: string },
  endpoint: E,
  options: Parameters<typeof call<E>>[2],
): Promise<Reply<E>> {
  const reply = await call(server, endpoint, options)
  expect(reply.status, `${endpoint.name}: ${reply.bytes.toString().slice(0, 300)}`).toBeLessThan(300)
  return reply
}

async function askForEverything(product: ProductInTime): Promise<void> {
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
    ids[name] = await withdraw(product, amount)
  ids['transfer'] = await transfer(product, '70')
  ids['halfTransfer'] = await transfer(product, '75')
  ids['refusedTransfer'] = await transfer(product, '76')
  ids['paidCheckout'] = await openCheckout(product, '30')
  ids['refundedCheckout'] = await openCheckout(product, '40')
  ids['wire'] = await announceWire(product, '100')
  const correction = { accountId: source.id, amount: '-5', currency: 'EUR', reason: 'Charged twice' } as const
  ids['correction'] = (await done(server, requestCorrection, { as: staff.finance, body: correction })).answer.id
  ids['fileBefore'] = (await uploadTo(server, client, await makeJpeg(), 'before.jpg')).json.filename
}

/** Requests a withdrawal from an account; returns its id. */
export async function withdraw(
  { server, client, source, bankId }: Pick<ProductInTime, 'server' | 'client' | 'source' | 'bankId'>,
  amount: string,
): Promise<string> {
  const body = withdrawalBody(source, bankId, amount)
  return (await done(server, requestWithdrawal, { as: client, body })).answer.id
}

async function transfer({ server, client, source, destination }: ProductInTime, amount: string): Promise<string> {
  const body = transferBody(source, destination, amount)
  return (await done(server, requestTransfer, { as: client, body })).answer.id
}

const deposit = ({ source }: ProductInTime, amount: string) =>
  ({ accountPlatform: 'MT5', accountNumber: source.login, depositCurrency: 'EUR', depositAmountSent: amount }) as const

async function openCheckout(product: ProductInTime, amount: string): Promise<string> {
  const card = { paymentGatewayService: 'gcen', depositType: 'cc_gcen', method: 'cc_gcen', ccType: 114 } as const
  const body = { ...deposit(product, amount), ...card }
  return (await done(product.server, requestCreditCardPayment, { as: product.client, body })).answer.id
}

async function announceWire(product: ProductInTime, amount: string): Promise<string> {
  const body = { ...deposit(product, amount), paymentGatewayService: 'bank', depositType: 'wire' } as const
  return (await done(product.server, requestWirePayment, { as: product.client, body })).answer.id
}

export async function versionOf({ dependencies }: TestServer, table: string, id: string): Promise<number> {
  const { rows: found } = await dependencies.pool.query<{ version: number }>(
    `select version from ${table} where id = $1`,
    [id],
  )
  return found[0]?.version ?? 0
}

type Deciding = typeof withdrawals.approveWithdrawal | typeof approveTransfer

async function approve(product: ProductInTime, endpoint: Deciding, table: string, name: string): Promise<void> {
  const id = product.ids[name] ?? ''
  const body = { version: await versionOf(product.server, table, id), ...allAcknowledged }
  await done(product.server, endpoint, { as: product.staff.operations, params: { id }, body })
}

/** Sends the next leg of one request, and no other. */
async function drive({ server }: ProductInTime, record: string): Promise<void> {
  const waiting = await rows<{ id: string }>(
    server.dependencies.pool,
    sql`select id from operations where record = ${record} and kind = 'balance' and state = 'waiting'`,
  )
  for (const { id } of waiting) await server.driver.drive(id)
}

const debited = ['paid', 'released', 'unpaid', 'reversed', 'transfer', 'halfTransfer', 'refusedTransfer']

/** The events, stage by stage; a copy taken before a stage lacks it and all that follow. */
export const stages = {
  async decisions(product: ProductInTime) {
    for (const name of ['paid', 'released', 'unpaid', 'reversed'])
      await approve(product, withdrawals.approveWithdrawal, 'withdrawals', name)
    for (const name of ['transfer', 'halfTransfer', 'refusedTransfer'])
      await approve(product, approveTransfer, 'transfers', name)
  },
  /** Each leaves its account; one transfer arrives. */
  async debits(product: ProductInTime) {
    for (const name of debited) await drive(product, product.ids[name] ?? '')
    await drive(product, product.ids['transfer'] ?? '')
  },
  async ends(product: ProductInTime) {
    await drive(product, product.ids['halfTransfer'] ?? '')
    await sendRefusedLegAgain(product)
    await reverse(product)
    await endRequests(product)
    await newRequests(product)
    await payByCard(product)
    await creditWire(product)
    await correct(product)
    await settleOperations(product.server)
    await suspendAndUpload(product)
  },
  async batches(product: ProductInTime) {
    const { server, ids, staff } = product
    const { operations: creator, finance: releaser, second: confirmer } = staff
    await paidBatch(server, [ids['paid'] ?? ''], { creator, releaser, confirmer })
    const released = [ids['released'] ?? '', ids['lostWithdrawal'] ?? '']
    ids['batch'] = await releasedBatch(server, released, { creator, releaser })
  },
  /** The bank has carried out both batches. */
  async payment(product: ProductInTime) {
    const { server, ids, staff } = product
    const params = { id: ids['batch'] ?? '' }
    const { version } = (await done(server, getPayoutBatch, { as: staff.second, params })).answer.batch
    await done(server, confirmPayoutBatch, { as: staff.second, params, body: { version } })
  },
} satisfies Record<string, (product: ProductInTime) => Promise<void>>
export type Stage = keyof typeof stages

/** The platform rejects the credit and the reversal; a person sends the reversal again, one generation later. */
async function sendRefusedLegAgain(product: ProductInTime): Promise<void> {
  const { server, platform, staff, ids } = product
  const record = ids['refusedTransfer'] ?? ''
  await platform.turn('refuse', { retcode: 13, count: 2 })
  await drive(product, record)
  await drive(product, record)
  const refused = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select o.id from operations o join work_items w on w.record = o.id and w.closed_at is null
        where o.record = ${record} and o.state = 'refused'`,
  )
  const params = { source: 'operation', id: refused?.id ?? '' } as const
  await done(server, retryJob, { as: staff.operations, params, body: { reason: 'The group was closed' } })
  await drive(product, record)
}

async function reverse(product: ProductInTime): Promise<void> {
  const { server, staff, ids } = product
  const params = { id: ids['reversed'] ?? '' }
  const version = () => versionOf(server, 'withdrawals', params.id)
  const asked = { version: await version(), reason: 'The bank account was closed' }
  await done(server, withdrawals.requestReversal, { as: staff.finance, params, body: asked })
  const confirmed = { version: await version(), note: '' }
  await done(server, withdrawals.reverseWithdrawal, { as: staff.second, params, body: confirmed })
  await drive(product, params.id)
}

async function endRequests({ server, client, staff, ids }: ProductInTime): Promise<void> {
  await done(server, cancelWithdrawal, { as: client, body: { id: ids['cancelled'] ?? '' } })
  const params = { id: ids['rejected'] ?? '' }
  const version = await versionOf(server, 'withdrawals', params.id)
  const body = { version, reason: 'Name of another person' }
  await done(server, withdrawals.rejectWithdrawal, { as: staff.operations, params, body })
}

/** Requested, decided and carried out, all of it in the lost time. */
async function newRequests(product: ProductInTime): Promise<void> {
  const { ids } = product
  ids['lostWithdrawal'] = await withdraw(product, '85')
  await approve(product, withdrawals.approveWithdrawal, 'withdrawals', 'lostWithdrawal')
  await drive(product, ids['lostWithdrawal'])
  ids['lostTransfer'] = await transfer(product, '90')
  await approve(product, approveTransfer, 'transfers', 'lostTransfer')
  for (const _ of ['leaves', 'arrives']) await drive(product, ids['lostTransfer'])
}

async function payByCard(product: ProductInTime): Promise<void> {
  const { server, client, cards, ids } = product
  for (const name of ['paidCheckout', 'refundedCheckout']) {
    const found = await row<{ id: string; ref: string }>(
      server.dependencies.pool,
      sql`select provider_id as id, reference as ref from deposits where id = ${ids[name]}`,
    )
    const page = () => call(server, checkCreditCardPayment, { as: client, body: { REF: found?.ref ?? '' } })
    await cards.turn('act', { id: found?.id, action: 'pay' })
    await page()
    await drive(product, ids[name] ?? '')
    if (name === 'paidCheckout') continue
    await cards.turn('act', { id: found?.id, action: 'refund', amount: 1_500 })
    await queryProvider(server.dependencies, (ids[name] ?? '') as DepositId, {
      identity: { kind: 'external' },
      now: server.clock.now(),
    })
  }
}

async function creditWire(product: ProductInTime): Promise<void> {
  const { server, staff, ids } = product
  await importLines(server, staff.operations, [await wireLine(product)])
  const line = await row<{ id: string; version: number }>(
    server.dependencies.pool,
    sql`select id, version from bank_lines where bank_id = 'LINE-WIRE'`,
  )
  const body = { version: line?.version ?? 0, depositId: ids['wire'] ?? '' }
  await done(server, matchLine, { as: staff.operations, params: { id: line?.id ?? '' }, body })
}

async function correct({ server, staff, ids }: ProductInTime): Promise<void> {
  const params = { id: ids['correction'] ?? '' }
  await done(server, approveCorrection, { as: staff.second, params, body: { version: 1 } })
}

async function suspendAndUpload({ server, client, staff, suspended, ids }: ProductInTime): Promise<void> {
  const params = { id: suspended.id }
  const body = { version: await versionOf(server, 'clients', suspended.id), reason: 'Asked by the authority' }
  await done(server, suspendClient, { as: staff.compliance, params, body })
  ids['fileAfter'] = (await uploadTo(server, client, await makeJpeg(), 'after.jpg')).json.filename
}

async function referenceOf({ dependencies }: TestServer, table: string, id = ''): Promise<string> {
  const { rows: found } = await dependencies.pool.query<{ reference: string }>(
    `select reference from ${table} where id = $1`,
    [id],
  )
  return found[0]?.reference ?? ''
}

export interface BankLine {
  readonly id: string
  readonly amount: string
  readonly payer: string
  readonly remittance: string
}

async function wireLine({ server, ids }: ProductInTime): Promise<BankLine> {
  const remittance = await referenceOf(server, 'deposits', ids['wire'])
  return { id: 'LINE-WIRE', amount: '100.00', payer: 'Hannah Brandt', remittance }
}

/** Returns the bank's transactions in that time: the incoming bank transfer, and the payouts. */
export async function linesOfTheBank(product: ProductInTime): Promise<BankLine[]> {
  const { server, ids } = product
  const payouts = [
    ['paid', '-50.00'],
    ['released', '-55.00'],
    ['lostWithdrawal', '-85.00'],
  ] as const
  const out = payouts.map(async ([name, amount]) => ({
    id: `LINE-${name}`,
    amount,
    payer: 'Hannah Brandt',
    remittance: await referenceOf(server, 'withdrawals', ids[name]),
  }))
  return [await wireLine(product), ...(await Promise.all(out))]
}

/** Imports transactions of the firm's account in EUR, with its balances if given. */
export async function importLines(
  server: TestServer,
  as: MadeStaff,
  lines: readonly BankLine[],
  balances: { opening?: string; closing?: string } = {},
) {
  const { EUR } = await server.dependencies.settings.get('wireAccounts')
  const day = server.clock.now().toISOString().slice(0, 10)
  const rowsOfFile = lines.map(({ id, amount, payer, remittance }) =>
    [id, day, amount, 'EUR', payer, remittance].join(),
  )
  const csv = ['id,date,amount,currency,payer,remittance', ...rowsOfFile, ''].join('\n')
  const filename = `${lines.map(({ id }) => id).join('-')}.csv`
  const body = { bankAccount: EUR.IBAN.replace(/\s/g, ''), filename, csv, ...balances }
  return done(server, importStatement, { as, body })
}
