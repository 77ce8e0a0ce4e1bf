/**
 * Runs the checks again just before the platform debits (requirements 19.6): a blocked debit is not sent. The request
 * is shown in the inbox with its checks, and continues automatically once nothing blocks it.
 */
import { recordEvent } from '../db/events.ts'
import { row, type Transaction } from '../db/sql.ts'
import { closeWorkItem, openWorkItem, type WorkItem } from '../db/work-items.ts'
import { checkTermsIn, type CheckedRequest } from './checked-request.ts'
import { blocksOf, storedCheck } from './pass-checks.ts'

/**
 * Holds a debit that a check blocks: opens its work item, and records the first hold as an event. Returns why the debit
 * may not be sent now, or null.
 */
export async function holdDebitIfBlocked<Request extends { readonly id: string }>(
  tx: Transaction,
  checked: CheckedRequest<Request>,
  request: Request,
  workItem: WorkItem,
  now: Date,
): Promise<string | null> {
  const { kind } = checked
  await checked.lock(tx, request)
  const blocks = await blocksOf(tx, checked, request, await checkTermsIn(tx, now))
  const item = await row(tx)`
    select 1 from work_items where kind = ${kind} and record = ${request.id} and closed_at is null`
  const auditContext = { identity: { kind: 'clock' }, now } as const
  if (blocks.length === 0) {
    if (item) await closeWorkItem(tx, kind, request.id, auditContext)
    return null
  }
  if (!item) {
    const clientId = checked.clientOf(request).id
    const checks = blocks.map((block) => storedCheck(block, []))
    await recordEvent(tx, auditContext, {
      kind,
      action: 'holdDebit',
      record: request.id,
      ...(clientId && { clientId }),
      details: { checks },
    })
    await openWorkItem(tx, kind, request.id, now, workItem)
  }
  return `Held by a check: ${blocks.map(({ name }) => name).join(', ')}.`
}
