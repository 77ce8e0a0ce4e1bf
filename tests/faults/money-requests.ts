/**
 * Clients who request withdrawals, transfers and deposits, each request under its own key and repeated with the same
 * key until there is a response; and the assertions afterwards: an answered request exists once, an unanswered one
 * exists once or not at all, and `requestStatus` says which (requirements 15.16).
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { confirmRequest, getRequestsToConfirm } from '#contract/confirmations.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { matchLine } from '#contract/office/bank-lines.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import { approveWithdrawal } from '#contract/office/withdrawals.ts'
import { requestStatus } from '#contract/request-status.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { decimalOf } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { raw, row, rows, sql } from '#server/db/sql.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { allAcknowledged } from '../acknowledged.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  settleOperations,
  transferBody,
  wireBody,
  withdrawalBody,
} from '../funded-account.ts'
import { call, makeClient, clientTokenFor, type MadeClient, type TestServer } from '../factories.ts'
import { importBankLines, type BankLine } from './restorable-bank.ts'
import { callSuccessfully, versionOf, type RestorableProduct } from './restorable-product.ts'

interface Account {
  readonly id: AccountId
  readonly login: string
}

/** A client with two accounts and a bank. */
export interface Customer {
  client: MadeClient
  readonly source: Account
  readonly destination: Account
  readonly bankId: string
}

const tables = { withdrawal: 'withdrawals', transfer: 'transfers', deposit: 'deposits' } as const
type RequestKind = keyof typeof tables

export interface MoneyRequest {
  readonly kind: RequestKind
  readonly customer: Customer
  readonly key: string
  /** Unique, so that the request is found by it. */
  readonly minor: bigint
  /** The id in a 2xx; null until there was one. */
  promised: string | null
  /** How often it was sent without a response. */
  broken: number
}

const fundedMinor = 500_000n
const leastMinor = 1_100n

export async function makeCustomers({ server }: RestorableProduct, count: number): Promise<Customer[]> {
  const made: Customer[] = []
  for (let n = 0; n < count; n += 1) {
    const client = await makeClient(server)
    made.push({
      client,
      source: await makeFundedAccount(server, client, fundedMinor),
      destination: await makeFundedAccount(server, client, fundedMinor),
      bankId: await makeApprovedBank(server, client),
    })
  }
  return made
}

let requestCount = 0n

/** Returns a client's requests: one of each kind, in this order. */
export function requestsOfEachKind(customer: Customer): MoneyRequest[] {
  return (['withdrawal', 'transfer', 'deposit'] as const).map((kind) => {
    requestCount += 1n
    return { kind, customer, key: randomUUID(), minor: leastMinor + requestCount, promised: null, broken: 0 }
  })
}

export type SendOutcome = 'answered' | 'unanswered'

/**
 * Not accepted: the session was lost, the database is unavailable or in recovery, or was unavailable when the client
 * confirmed their identity.
 */
const notAcceptedStatuses = [401, 403, 503]

/** Sends the request once. */
export async function sendRequestOnce(server: TestServer, request: MoneyRequest): Promise<SendOutcome> {
  const { customer, key, promised } = request
  const reply = await send(server, request, { as: customer.client, headers: { 'idempotency-key': key } })
  if (reply.status === 201) {
    const { id } = reply.json as { id: string }
    expect(promised ?? id, 'the same key returns the same record').toBe(id)
    request.promised = id
    return 'answered'
  }
  expect(notAcceptedStatuses, reply.bytes.toString()).toContain(reply.status)
  if (reply.status === 403) expect(reply.failure.code).toBe('prove-again')
  request.broken += 1
  return 'unanswered'
}

type SendOptions = Pick<NonNullable<Parameters<typeof call>[2]>, 'as' | 'headers'>

function send(server: TestServer, { kind, customer, minor }: MoneyRequest, options: SendOptions) {
  const { source, destination, bankId } = customer
  const amount = decimalOf(minor)
  if (kind === 'withdrawal') {
    return call(server, requestWithdrawal, { ...options, body: withdrawalBody(source, bankId, amount) })
  }
  if (kind === 'deposit') {
    return call(server, requestWirePayment, { ...options, body: wireBody(source, amount) })
  }
  return call(server, requestTransfer, { ...options, body: transferBody(source, destination, amount) })
}

/** Sends each of them, one after the other, and expects an immediate response. */
export async function sendAllRequests(server: TestServer, requests: readonly MoneyRequest[]): Promise<void> {
  for (const request of requests) expect(await sendRequestOnce(server, request), request.kind).toBe('answered')
}

interface RequestRow {
  readonly id: string
  readonly reference: string
  readonly state: string
}

/** Returns the only row of a request, or null; two fail the test. */
async function rowOf(
  { dependencies }: TestServer,
  { kind, customer, minor }: MoneyRequest,
): Promise<RequestRow | null> {
  const kept = await rows<RequestRow>(
    dependencies.pool,
    sql`select id, reference, state from ${raw(tables[kind])}
        where client_id = ${customer.client.id} and amount_minor = ${minor}`,
  )
  expect(kept.length, `${kind} of ${minor} is stored at most once`).toBeLessThanOrEqual(1)
  return kept[0] ?? null
}

export async function referencesOf(server: TestServer, requests: readonly MoneyRequest[]): Promise<string[]> {
  const kept = await Promise.all(requests.map((request) => rowOf(server, request)))
  return kept.flatMap((one) => (one ? [one.reference] : []))
}

/** Signs clients in again whose sessions ended. */
export async function signCustomersInAgain(server: TestServer, customers: readonly Customer[]): Promise<void> {
  for (const one of customers) one.client = { ...one.client, ...(await clientTokenFor(server, one.client)) }
}

/** Expects `requestStatus` to agree with the database. Returns whether the request exists. */
export async function expectCorrectStatus(server: TestServer, request: MoneyRequest): Promise<boolean> {
  const { customer, key, kind, minor } = request
  const reported = (await callSuccessfully(server, requestStatus, { as: customer.client, query: { key } })).answer
  const kept = await rowOf(server, request)
  const outcome = { status: reported.status, id: reported.answer?.['id'] ?? null }
  const truth = { status: kept ? 'answered' : 'unknown', id: kept?.id ?? null }
  expect(outcome, `request status of the ${kind} of ${minor}`).toEqual(truth)
  return kept !== null
}

/** Confirms as the clients what recovery asks them to confirm. */
export async function confirmRequestsOfRecovery(server: TestServer, customers: readonly Customer[]): Promise<void> {
  for (const { client } of customers) {
    const { requests } = (await callSuccessfully(server, getRequestsToConfirm, { as: client })).answer
    for (const { kind, id } of requests)
      await callSuccessfully(server, confirmRequest, { as: client, body: { kind, id } })
  }
}

/** Returns the bank transactions of the announced deposits. */
export async function bankLinesOfDeposits(server: TestServer, requests: readonly MoneyRequest[]): Promise<BankLine[]> {
  const lines: BankLine[] = []
  for (const request of requests.filter(({ kind }) => kind === 'deposit')) {
    const remittance = (await rowOf(server, request))?.reference ?? ''
    const amount = decimalOf(request.minor)
    lines.push({ id: `LINE-${remittance}`, amount, payer: 'Hannah Brandt', remittance })
  }
  return lines
}

/** Approves and matches each of them as staff, and sends the resulting operations. */
export async function approveAndSettle(
  { server, staff }: RestorableProduct,
  requests: readonly MoneyRequest[],
  as = staff.operations,
): Promise<void> {
  await importBankLines(server, as, await bankLinesOfDeposits(server, requests))
  for (const request of requests) {
    const kept = await rowOf(server, request)
    const params = { id: kept?.id ?? '' }
    const body = { version: await versionOf(server, tables[request.kind], params.id), ...allAcknowledged }
    if (request.kind === 'withdrawal') await callSuccessfully(server, approveWithdrawal, { as, params, body })
    if (request.kind === 'transfer') await callSuccessfully(server, approveTransfer, { as, params, body })
    if (request.kind === 'deposit') await matchDeposit(server, kept, as)
  }
  // A transfer's second leg follows its first.
  for (const _ of ['leaves', 'arrives']) await settleOperations(server)
}

async function matchDeposit(
  server: TestServer,
  deposit: RequestRow | null,
  as: { readonly token: string },
): Promise<void> {
  const line = await row<{ id: string; version: number }>(
    server.dependencies.pool,
    sql`select id, version from bank_lines where remittance = ${deposit?.reference ?? ''}`,
  )
  const body = { version: line?.version ?? 0, depositId: deposit?.id ?? '' }
  await callSuccessfully(server, matchLine, { as, params: { id: line?.id ?? '' }, body })
}

const dealsOfKind = { withdrawal: 1, transfer: 2, deposit: 1 } as const

/**
 * Expects that each of them moved money exactly once, on the platform and in the ledger, and that nothing else did: to
 * the cent, compared with the clients' requests.
 */
export async function expectMovedOnce(
  { server, platform }: RestorableProduct,
  customers: readonly Customer[],
  requests: readonly MoneyRequest[],
): Promise<void> {
  const deals = await platform.read<{ comment: string; login: string; amount: string }[]>('deals?action=2')
  for (const request of requests) {
    const { kind, minor } = request
    const kept = await rowOf(server, request)
    expect(kept?.state, `${kind} of ${minor}`).toBe('approved')
    const sent = deals.filter(({ comment }) => comment.startsWith(`${kept?.reference}-`))
    expect(sent, `deals of the ${kind} of ${minor}`).toHaveLength(dealsOfKind[kind])
    expect(new Set(sent.map(({ comment }) => comment)).size).toBe(sent.length)
  }
  for (const customer of customers) {
    const sums = { withdrawal: 0n, transfer: 0n, deposit: 0n }
    for (const { kind, minor } of requests.filter((one) => one.customer === customer)) sums[kind] += minor
    const { source, destination } = customer
    const expected = [
      [source, fundedMinor - sums.withdrawal - sums.transfer + sums.deposit],
      [destination, fundedMinor + sums.transfer],
    ] as const
    for (const [{ id, login }, minor] of expected) {
      const { balance } = await server.dependencies.platforms.MT5.getAccount(login)
      expect(balance.minor, `the platform's balance of ${login}`).toBe(minor)
      expect(
        await accountLiability(server.dependencies.pool, { accountId: id }),
        `the ledger's balance of ${login}`,
      ).toBe(minor)
    }
  }
}
