/** Payouts by the product's own calls: a batch is created, released and confirmed by three people. */
import {
  confirmPayoutBatch,
  createPayoutBatch,
  getPayoutBatch,
  listPayoutBatches,
  releasePayoutBatch,
} from '#contract/office/payout-batches.ts'
import { type Currency, decimalOf } from '#rules/money.ts'
import { call, makeStaff, type FactoryTarget, type MadeStaff } from './factories.ts'

type BatchTarget = FactoryTarget & { readonly url: string }

/** The people by duty; missing ones are made. */
export interface Duties {
  readonly creator?: MadeStaff
  readonly releaser?: MadeStaff
  readonly confirmer?: MadeStaff
}

/** Creates a batch of these withdrawals; returns its id. */
export async function createBatchOf(
  server: BatchTarget,
  withdrawals: readonly string[],
  { creator }: Duties = {},
  currency: Currency = 'EUR',
): Promise<string> {
  const as = creator ?? (await makeStaff(server, ['operations']))
  const reply = await call(server, createPayoutBatch, { as, body: { currency, withdrawals: [...withdrawals] } })
  if (reply.status !== 201) throw new Error(`createPayoutBatch answered ${reply.status}: ${reply.failure.code}`)
  return reply.answer.id
}

/** Releases a batch as its page shows it; returns the response. */
export async function releaseBatch(server: BatchTarget, id: string, as: MadeStaff, changes: object = {}) {
  const body = { ...(await shownReleaseValues(server, id, as)), ...changes }
  return call(server, releasePayoutBatch, { as, params: { id }, body })
}

/** Returns the values that finance enter to release a batch as its page shows it. */
export async function shownReleaseValues(server: BatchTarget, id: string, as: MadeStaff) {
  const { batch } = (await call(server, getPayoutBatch, { as, params: { id } })).answer
  const { count, total, sha256 } = batch.draft ?? { count: 0, total: 0n, sha256: '0'.repeat(64) }
  const bankNumber = batch.asksBankNumber ? await lastBatchAtBank(server, as, batch.currency) : ''
  return { version: batch.version, count, total: decimalOf(total), sha256, bankNumber }
}

/** Returns the last batch at the bank, if the bank executes everything that it receives. */
async function lastBatchAtBank(server: BatchTarget, as: MadeStaff, currency: Currency): Promise<string> {
  const query = { state: 'all', currency, direction: 'desc' } as const
  const { rows } = (await call(server, listPayoutBatches, { as, query })).answer
  const sent = rows.filter((batch) => batch.sentAt !== null)
  return sent.toSorted((a, b) => Number(b.sentAt) - Number(a.sentAt))[0]?.number ?? '0'
}

/** Makes a released batch of these withdrawals. */
export async function createReleasedBatch(
  server: BatchTarget,
  withdrawals: readonly string[],
  duties: Duties = {},
): Promise<string> {
  const id = await createBatchOf(server, withdrawals, duties)
  const reply = await releaseBatch(server, id, duties.releaser ?? (await makeStaff(server, ['finance'])))
  if (reply.status !== 200) throw new Error(`releasePayoutBatch answered ${reply.status}: ${reply.failure.code}`)
  return id
}

/** Pays withdrawals by a batch from creation to confirmation; returns its id. */
export async function createPaidBatch(
  server: BatchTarget,
  withdrawals: readonly string[],
  duties: Duties = {},
): Promise<string> {
  const id = await createReleasedBatch(server, withdrawals, duties)
  await confirmReleasedBatch(server, id, duties)
  return id
}

/** Confirms that the bank has executed a released batch. */
export async function confirmReleasedBatch(server: BatchTarget, id: string, duties: Duties = {}): Promise<void> {
  const as = duties.confirmer ?? (await makeStaff(server, ['finance']))
  const { batch } = (await call(server, getPayoutBatch, { as, params: { id } })).answer
  const reply = await call(server, confirmPayoutBatch, { as, params: { id }, body: { version: batch.version } })
  if (reply.status !== 200) throw new Error(`confirmPayoutBatch answered ${reply.status}: ${reply.failure.code}`)
}
