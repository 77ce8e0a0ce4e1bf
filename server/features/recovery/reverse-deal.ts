/**
 * Reverses a recovered deal by decision of two people: it is posted unchanged, and its reversal is sent to the platform
 * under a reference derived from platform and ticket. No other operation is sent there while payments are stopped.
 */
import { money, negate } from '#rules/money.ts'
import type { AccountId, RecoveryItemId } from '#rules/ids.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { enqueueBalance, type BalanceLegs } from '../../jobs/balance.ts'
import { openOperationItem, recordOf } from '../../jobs/operation.ts'
import { bookDeal, bookReversal, isBooked, type DecidedDeal } from '../../ledger/booked-deals.ts'
import { namesReference } from '../../ledger/named-references.ts'
import { closeDiscrepancyOf, dealRef } from '../../ledger/platform-deals.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endOperationOf, type Adopting } from '../../recovery/adopt-deal.ts'
import { bankCoverage } from '../../recovery/bank-coverage.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { referenceOfDeal } from '../../ledger/references.ts'
import { dealOf, itemById, type RecoveryItem } from './queries.ts'

const subject = 'recovery_item'

/**
 * Throws if a deal must not be reversed: if its account is not ours, or if it is a debit that the bank may have paid,
 * because statements do not cover the gap yet or one of them shows its payment.
 */
export async function assertReversible(
  dependencies: Dependencies,
  connection: Connection,
  item: RecoveryItem,
): Promise<void> {
  if (item.accountId === null) throw new Problem('recovery-action', { field: 'action' })
  if (item.amountMinor > 0n) return
  const recovery = await recoveryOf(connection)
  const coverage = recovery ? await bankCoverage(dependencies, connection, recovery) : []
  if (coverage.some(({ complete }) => !complete)) throw new Problem('recovery-uncovered', { field: 'action' })
  const paid = await row(connection)`
    select 1 from bank_lines where amount_minor < 0 and state <> 'rejected'
      and ${namesReference(sql`remittance`, sql`${item.reference}::text`)}`
  if (paid) throw new Problem('recovery-paid-out', { field: 'action' })
}

/**
 * Posts a deal apart from its operation, and ends the operation and the request; returns false if both were settled
 * before. The posting is left out if two people made it before the deal's reference could be read (ADR 330).
 */
export async function postSeparately(
  tx: Transaction,
  adopting: Pick<Adopting, 'adoptions' | 'kinds'>,
  item: RecoveryItem,
  accountId: AccountId,
  auditContext: AuditContext,
): Promise<boolean> {
  // Before the account's row is locked, in the order of those who settle it.
  const hasEnded = await endOperationOf(tx, adopting, dealOf(item), auditContext)
  await postUnlessBooked(tx, { ...dealToPost(item), accountId }, auditContext.now)
  const adoption = item.subject === null ? undefined : adopting.adoptions[item.subject]
  if (adoption === undefined || item.record === null) return hasEnded
  return (await adoption.end(tx, item.record, auditContext)) || hasEnded
}

async function postUnlessBooked(tx: Transaction, deal: DecidedDeal, at: Date): Promise<void> {
  await run(tx)`select 1 from trading_accounts where id = ${deal.accountId} for update`
  await closeDiscrepancyOf(tx, deal.ref, at)
  if (await isBooked(tx, deal.ref)) return
  await bookDeal(tx, deal, 'corrections', at)
}

/**
 * Posts the deal, ends its operation and its request, and writes the operation that reverses it, unless there is one.
 */
export async function reverseItem(
  tx: Transaction,
  dependencies: Dependencies,
  adopting: Pick<Adopting, 'adoptions' | 'kinds'>,
  item: RecoveryItem,
  auditContext: AuditContext,
): Promise<void> {
  await assertReversible(dependencies, tx, item)
  const { id, platform, login, ticket, accountId, clientId } = item
  if (accountId === null || clientId === null || platform === 'card' || platform === 'bank')
    throw new Problem('account-unknown')
  const amount = money(item.amountMinor, item.currency)
  await postSeparately(tx, adopting, item, accountId, auditContext)
  const [prefix = ''] = item.reference.split('-')
  const shown = referenceOfDeal(dependencies.keys.reference.bytes, prefix, platform, ticket)
  // Two people may have reversed it before its reference could be read; it must not be reversed again (ADR 330).
  const sent = await rows<{ state: string }>(tx)`select state from operations where shown = ${shown}`
  if (sent.some(({ state }) => state !== 'refused')) return
  const request = { id, clientId, reference: shown, platform, login, accountId }
  const generation = sent.length
  const order = { request, subject, leg: 'deal-reversal', amount: negate(amount), generation } as const
  await enqueueBalance(tx, dependencies.keys, auditContext.now, order)
}

export function dealToPost({ id, platform, ticket, amountMinor, currency }: RecoveryItem) {
  if (platform === 'card' || platform === 'bank') throw new Error('the finding is not a deal')
  return { subject, record: id, ref: dealRef(platform, ticket), amount: money(amountMinor, currency) } as const
}

/** Settles a reversal. Done: the deal is reversed. Refused: it stays posted, and a person must resolve it. */
export const reversalSettled: NonNullable<BalanceLegs['deal-reversal']> = async (
  tx,
  operation,
  outcome,
  auditContext,
) => {
  const item = await recordOf(operation, (id: RecoveryItemId) => itemById(tx, id))
  if (item.accountId === null) throw new Error(`operation ${operation.id} has no account`)
  if ('done' in outcome)
    return bookReversal(tx, { ...dealToPost(item), accountId: item.accountId }, operation.ref, auditContext.now)
  const { reference, login: account } = item
  await openOperationItem(tx, operation, 'refused', auditContext.now, { reference, account })
}
