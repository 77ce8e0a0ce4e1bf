/**
 * Events caused by others in the lost time: a dealer's rebate, one cent from a stranger with an invented reference, and
 * a clerk's statement with an invented debit (requirements 18.3, 20.2). Each stops only what it concerns.
 */
import { expect } from 'vitest'
import { confirmRequest, getRequestsToConfirm } from '#contract/confirmations.ts'
import * as books from '#contract/office/accounting.ts'
import { createPayoutBatch } from '#contract/office/payout-batches.ts'
import * as stops from '#contract/office/payout-stops.ts'
import { approveWithdrawal } from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { rows, sql } from '#server/db/sql.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { allAcknowledged } from '../acknowledged.ts'
import { call, type TestServer } from '../factories.ts'
import type { BankLine } from './restorable-bank.ts'
import {
  callSuccessfully,
  versionOf,
  createWithdrawal,
  type RestorableProduct,
  type Staff,
} from './restorable-product.ts'
import { signClientInAgain, signInAgain } from './end-of-recovery.ts'

const rebateMinor = 700n

/** A dealer credits a client on the platform, without a request here. */
export async function giveRebate({ server, source }: RestorableProduct): Promise<void> {
  const amount = money(rebateMinor, 'EUR')
  const { MT5 } = server.dependencies.platforms
  await MT5.applyBalance({ ref: 'Rebate-November', login: source.login, amount, checkMargin: false })
}

const strangerReference = referenceFrom('CR', Buffer.from('98765'))
const clerkReference = referenceFrom('CR', Buffer.from('12345'))

/** Bank transactions besides those of the product: both references verify and no record has them. */
export const strangerBankLines: readonly BankLine[] = [
  { id: 'LINE-CENT', amount: '0.01', payer: 'Ida Anders', remittance: strangerReference },
  { id: 'LINE-INVENTED', amount: '-77.00', payer: 'Example Supplier', remittance: `Payout ${clerkReference}` },
]

/** The cent stays unallocated, the debit stops payouts: neither is a sign of loss. */
async function expectStrangerLineStates({ dependencies }: TestServer): Promise<void> {
  const cent = await rows<{ state: string }>(
    dependencies.pool,
    sql`select state from bank_lines where remittance = ${strangerReference}`,
  )
  expect(cent).toEqual([{ state: 'unmatched' }])
  const stopped = await rows<{ reference: string }>(dependencies.pool, sql`select reference from payout_stops`)
  expect(stopped, 'the cent does not stop payouts').toEqual([{ reference: clerkReference }])
  expect(await recoveryOf(dependencies.pool)).toBeNull()
}

/**
 * Once no recovery is open: the rebate stops only its account, the debit stops only payouts, each until two people have
 * decided. What is approved meanwhile is not sent.
 */
export async function decideOnStrangers(server: TestServer, product: RestorableProduct): Promise<void> {
  const staff = await signInAgain(server, product)
  const client = await signClientInAgain(server, product)
  await expectStrangerLineStates(server)
  const { requests } = (await callSuccessfully(server, getRequestsToConfirm, { as: client })).answer
  for (const { kind, id } of requests)
    await callSuccessfully(server, confirmRequest, { as: client, body: { kind, id } })
  await callSuccessfully(server, books.reconcileNow, { as: staff.finance })
  const { id: rebate } = await findOpenRebate(server, product, staff)

  const { ids, destination } = product
  const elsewhere = await createWithdrawal({ ...product, server, client, source: destination }, '10')
  const approve = async (id = '') => {
    const body = { version: await versionOf(server, 'withdrawals', id), ...allAcknowledged }
    return call(server, approveWithdrawal, { as: staff.operations, params: { id }, body })
  }
  const pay = () => {
    const body = { currency: 'EUR', withdrawals: [ids['unpaid'] ?? ''] } as const
    return call(server, createPayoutBatch, { as: staff.operations, body })
  }
  expect((await approve(ids['untouched'])).failure.code, 'the rebate blocks its account').toBe('checks-block')
  expect((await pay()).failure).toMatchObject({ code: 'payouts-stopped', values: { reference: clerkReference } })
  expect((await approve(elsewhere)).status, 'other accounts are not blocked').toBe(200)

  await decideRebate(server, staff, rebate)
  expect((await pay()).failure.code, 'deciding the rebate does not resume payouts').toBe('payouts-stopped')
  expect((await approve(ids['untouched'])).status, 'the account of the rebate is no longer blocked').toBe(200)
  await decideDebit(server, staff)
  expect((await pay()).status, 'payouts resume').toBe(201)
}

async function findOpenRebate(server: TestServer, { source }: RestorableProduct, { finance }: Staff) {
  const query = { q: source.login, state: 'open' } as const
  const { rows: found } = (await callSuccessfully(server, books.listDifferences, { as: finance, query })).answer
  const open = found.filter(({ holds }) => holds)
  expect(open, 'the rebate is not treated as a trading result').toMatchObject([
    { kind: 'platform-only', theirs: rebateMinor },
  ])
  return open[0] ?? { id: '' }
}

async function decideRebate(server: TestServer, { finance, second }: Staff, id: string): Promise<void> {
  const params = { id }
  const version = () => versionOf(server, 'differences', id)
  const body = { version: await version(), proposal: 'book-correction', reason: 'Rebate of November' } as const
  await callSuccessfully(server, books.proposeDifference, { as: finance, params, body })
  const confirmed = { version: await version(), note: '' }
  const alone = await call(server, books.confirmDifference, { as: finance, params, body: confirmed })
  expect(alone.failure.code).toBe('own-act')
  await callSuccessfully(server, books.confirmDifference, { as: second, params, body: confirmed })
}

async function decideDebit(server: TestServer, { finance, second }: Staff): Promise<void> {
  const [stop] = (await callSuccessfully(server, stops.listPayoutStops, { as: finance })).answer.rows
  const params = { id: stop?.id ?? '' }
  const explained = { version: stop?.version ?? 0, reason: 'The clerk typed the reference of an invoice.' }
  await callSuccessfully(server, stops.explainPayoutStop, { as: finance, params, body: explained })
  const lifted = { version: explained.version + 1, note: '' }
  const alone = await call(server, stops.liftPayoutStop, { as: finance, params, body: lifted })
  expect(alone.failure.code).toBe('own-act')
  await callSuccessfully(server, stops.liftPayoutStop, { as: second, params, body: lifted })
}
