/** Writes the discrepancies of a comparison and clears those on which both sides agree again. */
import { differenceMachine } from '#rules/corrections.ts'
import { decimalOf } from '#rules/money.ts'
import type { DifferenceId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { judgeDeals, openForSigns, raiseDeals, type DealStatus, type JudgedDeal } from '../../ledger/platform-deals.ts'
import { recordUnclear } from '../../ledger/unreadable-accounts.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { isKnown, openDifferences, operationTimes, type ComparedAccount, type DifferenceRow } from './queries.ts'

export interface FoundDifference extends Pick<
  DifferenceRow,
  'fingerprint' | 'subject' | 'record' | 'ours' | 'theirs' | 'facts'
> {
  readonly kind: 'ledger-only' | 'amount-differs' | 'balance-differs'
}

export interface Comparison {
  readonly found: readonly FoundDifference[]
  /** The platform's deals, each with its origin. */
  readonly deals: readonly JudgedDeal[]
  /** Start of the period that was compared on both sides. */
  readonly since: Date
  /** An operation is in progress or has just ended, so the balances prove nothing. */
  readonly busy: boolean
}

/**
 * Writes new discrepancies, clears those on which both sides now agree, and returns how many are open. Discrepancies
 * before the compared period are kept: none expires.
 */
export async function storeDifferences(
  dependencies: Dependencies,
  account: ComparedAccount,
  compared: Comparison,
  auditContext: AuditContext,
): Promise<number> {
  const { found, since, busy } = compared
  const due = await workItemDueAt(dependencies, 'difference', auditContext.now)
  const clock: AuditContext = { identity: { kind: 'clock' }, now: auditContext.now }
  return transaction(dependencies.jobs, async (tx) => {
    await run(tx)`select 1 from trading_accounts where id = ${account.id} for update`
    const openBefore = await openDifferences(tx, account.id)
    const seen = new Set(found.map(({ fingerprint }) => fingerprint))
    const written = await operationTimes(tx, openBefore.map(refOf))
    for (const vanished of openBefore.filter(
      (one) => !seen.has(one.fingerprint) && isCovered(one, { written, since, busy }),
    ))
      await applyTransition(tx, differenceMachine, clock, { id: vanished.id, clientId: account.clientId }, 'vanish', {
        set: { decided_at: auditContext.now },
        workItem: null,
      })
    for (const one of found)
      if (!(await isKnown(tx, one.fingerprint))) await insertDifference(tx, account, one, auditContext, due)
    // Checked again under the lock, as an operation may have settled in the meantime.
    const deals = await judgeDeals(tx, dependencies.keys, account.platform, compared.deals)
    await openForSigns(tx, deals, auditContext.now)
    await recordUnclear(tx, account.id, deals, auditContext.now)
    await raiseDeals(tx, account, deals, clock)
    return found.length + deals.filter(({ status: whose }) => undecidedStatuses.includes(whose)).length
  })
}

function refOf({ facts }: DifferenceRow): string {
  return String(facts['ref'] ?? '')
}

const undecidedStatuses: readonly DealStatus[] = ['foreign', 'second', 'unclear']

/** Returns whether the comparison covered the time of a discrepancy, so that it would have found it again. */
function isCovered(
  one: DifferenceRow,
  { written, since, busy }: { written: ReadonlyMap<string, Date>; since: Date; busy: boolean },
): boolean {
  if (one.kind === 'balance-differs') return !busy
  const at = written.get(refOf(one))
  return at === undefined || at >= since
}

async function insertDifference(
  tx: Transaction,
  account: ComparedAccount,
  found: FoundDifference,
  auditContext: AuditContext,
  due: Date,
) {
  const { kind, fingerprint, subject, record: recordId, ours, theirs, facts } = found
  const written = await row<{ id: DifferenceId }>(tx)`
    insert into differences (kind, account_id, subject, record, ours_minor, theirs_minor, currency, facts, fingerprint, found_at)
      values (${kind}, ${account.id}, ${subject}, ${recordId}, ${ours}, ${theirs}, ${account.currency},
        ${JSON.stringify(facts)}::text::jsonb, ${fingerprint}, ${auditContext.now})
      on conflict (fingerprint) where state in ('open', 'proposed', 'processing') do nothing returning id`
  if (!written) return
  const clock: AuditContext = { identity: { kind: 'clock' }, now: auditContext.now }
  const figure = (minor: bigint | null) => (minor === null ? null : decimalOf(minor))
  const summary = {
    kind,
    account: account.login,
    ours: figure(ours),
    theirs: figure(theirs),
    currency: account.currency,
  }
  await recordCreation(tx, differenceMachine, clock, { id: written.id, clientId: account.clientId }, 'find', {
    workItem: { dueAt: due, summary },
  })
}
