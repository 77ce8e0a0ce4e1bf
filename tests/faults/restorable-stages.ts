/** The events of a product in time, in stages: the tests of restored databases take a copy before one of them. */
import { checkCreditCardPayment } from '#contract/deposits.ts'
import type { DepositId } from '#rules/ids.ts'
import { approveCorrection } from '#contract/office/accounting.ts'
import { suspendClient } from '#contract/office/client-decisions.ts'
import { matchLine } from '#contract/office/bank-lines.ts'
import { confirmPayoutBatch, getPayoutBatch } from '#contract/office/payout-batches.ts'
import { retryJob } from '#contract/office/records.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import * as withdrawals from '#contract/office/withdrawals.ts'
import { cancelWithdrawal } from '#contract/withdrawals.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { queryProvider } from '#server/features/deposits/settle-checkout.ts'
import { allAcknowledged } from '../acknowledged.ts'
import { makeJpeg, uploadTo } from '../files.ts'
import { settleOperations } from '../funded-account.ts'
import { call } from '../factories.ts'
import { createPaidBatch, createReleasedBatch } from '../payout-batches.ts'
import { importBankLines, wireBankLine } from './restorable-bank.ts'
import {
  callSuccessfully,
  createTransfer,
  versionOf,
  createWithdrawal,
  type RestorableProduct,
} from './restorable-product.ts'

type ApprovalEndpoint = typeof withdrawals.approveWithdrawal | typeof approveTransfer

async function approve(
  product: RestorableProduct,
  endpoint: ApprovalEndpoint,
  table: string,
  name: string,
): Promise<void> {
  const id = product.ids[name] ?? ''
  const body = { version: await versionOf(product.server, table, id), ...allAcknowledged }
  await callSuccessfully(product.server, endpoint, { as: product.staff.operations, params: { id }, body })
}

/** Sends the next leg of one request, and no other. */
async function sendNextLeg({ server }: RestorableProduct, record: string): Promise<void> {
  const waiting = await rows<{ id: string }>(
    server.dependencies.pool,
    sql`select id from operations where record = ${record} and kind = 'balance' and state = 'waiting'`,
  )
  for (const { id } of waiting) await server.driver.drive(id)
}

const debitedRequests = ['paid', 'released', 'unpaid', 'reversed', 'transfer', 'halfTransfer', 'refusedTransfer']

/** The events, stage by stage; a copy taken before a stage contains neither it nor any later one. */
export const stages = {
  async decisions(product: RestorableProduct) {
    for (const name of ['paid', 'released', 'unpaid', 'reversed'])
      await approve(product, withdrawals.approveWithdrawal, 'withdrawals', name)
    for (const name of ['transfer', 'halfTransfer', 'refusedTransfer'])
      await approve(product, approveTransfer, 'transfers', name)
  },
  /** Each leaves its account; one transfer arrives. */
  async debits(product: RestorableProduct) {
    for (const name of debitedRequests) await sendNextLeg(product, product.ids[name] ?? '')
    await sendNextLeg(product, product.ids['transfer'] ?? '')
  },
  async ends(product: RestorableProduct) {
    await sendNextLeg(product, product.ids['halfTransfer'] ?? '')
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
  async batches(product: RestorableProduct) {
    const { server, ids, staff } = product
    const { operations: creator, finance: releaser, second: confirmer } = staff
    await createPaidBatch(server, [ids['paid'] ?? ''], { creator, releaser, confirmer })
    const released = [ids['released'] ?? '', ids['lostWithdrawal'] ?? '']
    ids['batch'] = await createReleasedBatch(server, released, { creator, releaser })
  },
  /** The bank has carried out both batches. */
  async payment(product: RestorableProduct) {
    const { server, ids, staff } = product
    const params = { id: ids['batch'] ?? '' }
    const { version } = (await callSuccessfully(server, getPayoutBatch, { as: staff.second, params })).answer.batch
    await callSuccessfully(server, confirmPayoutBatch, { as: staff.second, params, body: { version } })
  },
} satisfies Record<string, (product: RestorableProduct) => Promise<void>>
export type Stage = keyof typeof stages

/** The platform rejects the credit and the reversal; a person sends the reversal again, one generation later. */
async function sendRefusedLegAgain(product: RestorableProduct): Promise<void> {
  const { server, platform, staff, ids } = product
  const record = ids['refusedTransfer'] ?? ''
  await platform.turn('refuse', { retcode: 13, count: 2 })
  await sendNextLeg(product, record)
  await sendNextLeg(product, record)
  const refused = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select o.id from operations o join work_items w on w.record = o.id and w.closed_at is null
        where o.record = ${record} and o.state = 'refused'`,
  )
  const params = { source: 'operation', id: refused?.id ?? '' } as const
  await callSuccessfully(server, retryJob, { as: staff.operations, params, body: { reason: 'The group was closed' } })
  await sendNextLeg(product, record)
}

async function reverse(product: RestorableProduct): Promise<void> {
  const { server, staff, ids } = product
  const params = { id: ids['reversed'] ?? '' }
  const version = () => versionOf(server, 'withdrawals', params.id)
  const asked = { version: await version(), reason: 'The bank account was closed' }
  await callSuccessfully(server, withdrawals.requestReversal, { as: staff.finance, params, body: asked })
  const confirmed = { version: await version(), note: '' }
  await callSuccessfully(server, withdrawals.reverseWithdrawal, { as: staff.second, params, body: confirmed })
  await sendNextLeg(product, params.id)
}

async function endRequests({ server, client, staff, ids }: RestorableProduct): Promise<void> {
  await callSuccessfully(server, cancelWithdrawal, { as: client, body: { id: ids['cancelled'] ?? '' } })
  const params = { id: ids['rejected'] ?? '' }
  const version = await versionOf(server, 'withdrawals', params.id)
  const body = { version, reason: 'Name of another person' }
  await callSuccessfully(server, withdrawals.rejectWithdrawal, { as: staff.operations, params, body })
}

/** Requested, decided and carried out, all of it in the lost time. */
async function newRequests(product: RestorableProduct): Promise<void> {
  const { ids } = product
  ids['lostWithdrawal'] = await createWithdrawal(product, '85')
  await approve(product, withdrawals.approveWithdrawal, 'withdrawals', 'lostWithdrawal')
  await sendNextLeg(product, ids['lostWithdrawal'])
  ids['lostTransfer'] = await createTransfer(product, '90')
  await approve(product, approveTransfer, 'transfers', 'lostTransfer')
  for (const _ of ['leaves', 'arrives']) await sendNextLeg(product, ids['lostTransfer'])
}

async function payByCard(product: RestorableProduct): Promise<void> {
  const { server, client, cards, ids } = product
  for (const name of ['paidCheckout', 'refundedCheckout']) {
    const found = await row<{ id: string; ref: string }>(
      server.dependencies.pool,
      sql`select provider_id as id, reference as ref from deposits where id = ${ids[name]}`,
    )
    const page = () => call(server, checkCreditCardPayment, { as: client, body: { REF: found?.ref ?? '' } })
    await cards.turn('act', { id: found?.id, action: 'pay' })
    await page()
    await sendNextLeg(product, ids[name] ?? '')
    if (name === 'paidCheckout') continue
    await cards.turn('act', { id: found?.id, action: 'refund', amount: 1_500 })
    await queryProvider(server.dependencies, (ids[name] ?? '') as DepositId, {
      identity: { kind: 'external' },
      now: server.clock.now(),
    })
  }
}

async function creditWire(product: RestorableProduct): Promise<void> {
  const { server, staff, ids } = product
  await importBankLines(server, staff.operations, [await wireBankLine(product)])
  const line = await row<{ id: string; version: number }>(
    server.dependencies.pool,
    sql`select id, version from bank_lines where bank_id = 'LINE-WIRE'`,
  )
  const body = { version: line?.version ?? 0, depositId: ids['wire'] ?? '' }
  await callSuccessfully(server, matchLine, { as: staff.operations, params: { id: line?.id ?? '' }, body })
}

async function correct({ server, staff, ids }: RestorableProduct): Promise<void> {
  const params = { id: ids['correction'] ?? '' }
  await callSuccessfully(server, approveCorrection, { as: staff.second, params, body: { version: 1 } })
}

async function suspendAndUpload({ server, client, staff, suspended, ids }: RestorableProduct): Promise<void> {
  const params = { id: suspended.id }
  const body = { version: await versionOf(server, 'clients', suspended.id), reason: 'Asked by the authority' }
  await callSuccessfully(server, suspendClient, { as: staff.compliance, params, body })
  ids['fileAfter'] = (await uploadTo(server, client, await makeJpeg(), 'after.jpg')).json.filename
}
