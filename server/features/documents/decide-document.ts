/** Compliance decides on one document (requirements 6.17). */
import { portalPaths } from '#contract/portal-paths.ts'
import { documentMachine, groupOf, hasBack } from '#rules/documents.ts'
import type { DocumentId } from '#rules/ids.ts'
import type { AuditContext } from '../../db/events.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, transaction, type Transaction } from '../../db/sql.ts'
import { closeWorkItem, openWorkItem } from '../../db/work-items.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { rowItems } from '../../office/lists.ts'
import { decidedAnswer, namingDecider, assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { areBothApproved, revokeApprovals } from './revoke-approvals.ts'
import { documentById, documentsOf, lockedDocumentStatus, type DocumentRow, type DocumentStatus } from './queries.ts'

type DocumentAction = 'approve' | 'reject' | 'askAgain'

interface Decision {
  readonly version: number
  /** The text for the client; for an approval the internal note. */
  readonly reason: string
  readonly side?: 'front' | 'back' | undefined
}

type DecisionContext = Pick<RequestContext, 'caller' | 'auditContext' | 'now'> & {
  readonly params: { readonly id: DocumentId }
}

/**
 * Approves, rejects or requests it again, notifies the client, and opens the client's approval once both proofs are
 * approved.
 */
export async function decideDocument(
  dependencies: Dependencies,
  context: DecisionContext,
  action: DocumentAction,
  decision: Decision,
) {
  const { id } = context.params
  const approved = action === 'approve'
  const clientDueAt = await workItemDueAt(dependencies, 'client', context.now)
  return namingDecider(dependencies, documentMachine.name, id, () =>
    transaction(dependencies.pool, async (tx) => {
      const found = await documentById(tx, id)
      const client = found && (await lockedDocumentStatus(tx, found.client_id))
      if (!found || !client) throw new Problem('not-found')
      assertNotOwnRequest(requireStaff(context), client.email)
      if (approved) await assertScanned(tx, found)
      const after = await applyDecision(tx, context, found, action, decision)
      await recordApprovals(tx, client, found, approved, context.auditContext)
      await updateInbox(tx, client, context.auditContext, clientDueAt)
      await notifyClient(tx, context.now, {
        kind: approved ? 'document-approved' : 'document-rejected',
        client,
        facts: { document: found.kind, ...(approved ? {} : rejectionFacts(found, decision)) },
        link: portalPaths.document(found.kind),
        subject: documentMachine.name,
        record: found.id,
      })
      return decidedAnswer(tx, dependencies, context, 'document', client.id, after)
    }),
  )
}

/** Returns the facts of a rejection, including the side requested again for a document with two sides. */
function rejectionFacts({ kind }: DocumentRow, { reason, side }: Decision): Readonly<Record<string, string>> {
  return side !== undefined && hasBack(kind) ? { reason, side } : { reason }
}

async function assertScanned(tx: Transaction, document: DocumentRow): Promise<void> {
  const unscanned = await run(tx)`
    select 1 from files where id in (${document.front_file}::uuid, ${document.back_file}::uuid) and state <> 'clean'`
  if (unscanned > 0) throw new Problem('file-not-scanned')
}

async function applyDecision(
  tx: Transaction,
  context: DecisionContext,
  document: DocumentRow,
  action: DocumentAction,
  { reason, side, version }: Decision,
) {
  if (side === 'back' && !hasBack(document.kind)) throw new Problem('invalid', { field: 'side' })
  const approved = action === 'approve'
  const of = { id: document.id, clientId: document.client_id }
  return applyTransition(tx, documentMachine, context.auditContext, of, action, {
    version,
    reason,
    set: {
      reason: approved ? null : reason,
      reasons: approved || side === undefined ? null : JSON.stringify({ [side]: reason }),
      decided_at: context.now,
      decided_by: requireStaff(context).staffId,
    },
    details: { kind: document.kind, ...(side === undefined ? {} : { side }) },
  })
}

/** Records the client’s approvals of identity and address. */
async function recordApprovals(
  tx: Transaction,
  client: DocumentStatus,
  document: DocumentRow,
  approved: boolean,
  auditContext: AuditContext,
): Promise<void> {
  const { now } = auditContext
  const group = groupOf(document.kind)
  if (approved) {
    if (group === 'proof_of_identity') {
      await run(tx)`
        update clients set identity_approved_at = coalesce(identity_approved_at, ${now}) where id = ${client.id}`
    }
    if (group === 'proof_of_address') {
      await run(tx)`
        update clients set address_approved_at = coalesce(address_approved_at, ${now}) where id = ${client.id}`
    }
    return
  }
  await revokeApprovals(tx, client, auditContext)
}

/** Closes the work item of a case without pending documents, and opens the client’s once both proofs are approved. */
async function updateInbox(
  tx: Transaction,
  client: DocumentStatus,
  auditContext: AuditContext,
  clientDueAt: Date,
): Promise<void> {
  const { now } = auditContext
  const documents = await documentsOf(tx, client.id)
  const waiting = documents.filter(({ state }) => state === 'pending_approval')
  const item = (await rowItems(tx, 'document', [client])).get(client.id)
  if (waiting.length === 0) await closeWorkItem(tx, 'document', client.id, auditContext)
  else {
    const summary = { kinds: waiting.map(({ kind }) => kind).join(', '), count: waiting.length }
    await openWorkItem(tx, 'document', client.id, now, {
      state: 'pending_approval',
      dueAt: item?.dueAt ?? now,
      clientId: client.id,
      summary,
    })
  }
  if (client.state !== 'pending' || !areBothApproved(documents)) return
  const approving = (await rowItems(tx, 'client', [client])).get(client.id)
  const dueAt = approving?.dueAt ?? clientDueAt
  await openWorkItem(tx, 'client', client.id, now, { state: 'pending', dueAt, clientId: client.id, summary: {} })
}
