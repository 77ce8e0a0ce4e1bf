/**
 * Retries what is pending for a person: operations, jobs of the queue that have failed too often, and the reading of
 * accounts that are unreadable or have an unreadable deal.
 */
import { rows, sql, transaction } from '../db/sql.ts'
import { retryJob } from '../features/failed-operations/retry-job.ts'
import { Problem, problemText } from '../http/problem.ts'
import { retryOperation } from '../jobs/retry-operation.ts'
import type { Print } from './command-line.ts'
import { auditContextOf, type OperatorContext } from './context.ts'

/** Retries stalled emails, everything that is stalled, or the item with an id. Returns whether all were retried. */
export async function retryStalled(context: OperatorContext, which: string, print: Print): Promise<boolean> {
  const ids = which === 'all' || which === 'mails' ? await stalledIds(context, which) : [which]
  if (ids.length === 0) print('No stalled operations.')
  let succeeded = true
  for (const id of ids) succeeded = (await retryOne(context, id, print)) && succeeded
  return succeeded
}

/** Returns the ids that are pending for a person: only mails, or all operations and failed jobs. */
async function stalledIds(context: OperatorContext, which: 'mails' | 'all'): Promise<string[]> {
  const parked = sql`select id::text as id from operations where parked_at is not null and state in ('waiting', 'unknown')`
  const found = await rows<{ id: string }>(
    context.jobs,
    which === 'mails'
      ? sql`${parked} and kind = 'mail' order by id`
      : sql`${parked} union all select id::text from graphile_worker._private_jobs where attempts >= max_attempts`,
  )
  return found.map(({ id }) => id)
}

async function retryOne(context: OperatorContext, id: string, print: Print): Promise<boolean> {
  try {
    await transaction(context.jobs, async (tx) => {
      const auditContext = auditContextOf(context)
      if (/^\d+$/.test(id)) {
        if (!(await retryJob(tx, { source: 'job', id }, auditContext))) throw new Problem('job-gone')
        return
      }
      const ofTrades = await retryJob(tx, { source: 'trades', id }, auditContext)
      const ofAccount = await retryJob(tx, { source: 'account', id }, auditContext)
      if (ofTrades || ofAccount) return
      await retryOperation(tx, context.keys, { id }, auditContext)
    })
    print(`${id}: retried.`)
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isGone = error.code === 'job-gone' || error.code === 'not-found'
    print(
      isGone
        ? `${id}: nothing to retry. It is done or running, or this is not the ID of an operation, job or account. To list them: npm run operator -- doctor`
        : `${id}: ${problemText(error.code, 'en', error.facts.values)}`,
    )
    return false
  }
}
