/** Both approvals of a pending client depend on approved documents (requirements 6.18). */
import { groupOf } from '#rules/documents.ts'
import type { AuditContext } from '../../db/events.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { closeWorkItem } from '../../db/work-items.ts'
import { documentsOf, type DocumentRow, type DocumentStatus } from './queries.ts'

/**
 * Revokes approvals that depended on a rejected or expired document, and closes the client's approval item. Only while
 * the client is pending: an approved client's identity stays verified.
 */
export async function revokeApprovals(
  tx: Transaction,
  client: Pick<DocumentStatus, 'id' | 'state'>,
  auditContext: AuditContext,
): Promise<void> {
  // The wizard sends newly uploaded documents again (requirements 6.6).
  await run(tx)`update clients set documents_sent_at = null where id = ${client.id}`
  if (client.state !== 'pending') return
  const documents = await documentsOf(tx, client.id)
  const left = approvedGroups(documents)
  await run(tx)`update clients set
        identity_approved_at = case when ${left.includes('proof_of_identity')} then identity_approved_at end,
        address_approved_at = case when ${left.includes('proof_of_address')} then address_approved_at end
      where id = ${client.id}`
  if (!areBothApproved(documents)) await closeWorkItem(tx, 'client', client.id, auditContext)
}

/** Returns whether identity and address are approved, so that the client can be approved. */
export function areBothApproved(documents: readonly DocumentRow[]): boolean {
  const groups = approvedGroups(documents)
  return groups.includes('proof_of_identity') && groups.includes('proof_of_address')
}

function approvedGroups(documents: readonly DocumentRow[]) {
  return documents.filter(({ state }) => state === 'approved').map(({ kind }) => groupOf(kind))
}
