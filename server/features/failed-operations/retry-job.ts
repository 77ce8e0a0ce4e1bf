import type { FailedSource } from '#contract/office/records.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import { retryQueueJob } from '../../jobs/retry-operation.ts'
import { readAccountAgain } from '../../ledger/unreadable-accounts.ts'
import { scheduleReread } from '../trading-history/queries.ts'
import { failedById, scheduleStatementCheck, type FailedRow } from './queries.ts'

interface Retried {
  readonly source: Exclude<FailedSource, 'operation'>
  readonly id: string
  readonly reason?: string
}

/**
 * Retries a failed job of the queue, a statement or the reading of an account for a staff member, and logs what was
 * retried. Operations are retried by `retryOperation` (jobs/retry-operation.ts); `retryFailed` (routes.ts) chooses.
 * Returns false if it no longer exists.
 */
export async function retryJob(tx: Transaction, retried: Retried, auditContext: AuditContext): Promise<boolean> {
  const { source, id, ...more } = retried
  const failed = await failedById(tx, source, id)
  const again = {
    job: () => retryQueueJob(tx, id),
    statement: () => scheduleStatementCheck(tx, id, auditContext.now),
    trades: () => scheduleReread(tx, id),
    account: () => readAccountAgain(tx, id),
  }
  if (!failed || !(await again[source]())) return false
  await recordEvent(tx, auditContext, {
    kind: 'job',
    action: 'retry',
    ...(failed.record === null ? {} : { record: failed.record }),
    clientId: failed.clientId,
    details: detailsOf(failed),
    ...more,
  })
  return true
}

/** Returns what was retried: its kind as in the list of failed operations, and its subject. */
function detailsOf({ source, id, kind, leg, subject, record, account }: FailedRow): Record<string, unknown> {
  return {
    kind: leg ?? kind,
    ...(account && { platform: account.platform, account: account.number }),
    ...(source === 'statement' && { month: id.split('_')[1] }),
    ...(subject === 'operation' && record !== null && { operation: record }),
  }
}
