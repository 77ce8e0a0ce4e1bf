/** Compliance decides on one document: product-decisions section 6. */
import { portalPaths } from '#contract/portal-paths.ts'
import { documentLife, groupOf, hasBack } from '#rules/documents.ts'
import { advance } from '../../db/transition.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { closeWork, openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { decidedAnswer, itemOf, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { areBothApproved, keepApprovals } from './keep-approvals.ts'
import { documentById, documentsOf, lockedStanding, type DocumentRow, type Standing } from './queries.ts'

export interface Decision {
  readonly verb: 'approve' | 'reject' | 'askAgain'
  readonly documentId: string
  readonly version: number
  /** What the client reads; for an approval the note that only staff read. */
  readonly reason: string
  readonly side?: 'front' | 'back' | undefined
}

type DecideCall = Pick<Call, 'caller' | 'act' | 'now'>

/** Approves, rejects or asks again, tells the client, and opens "approve the client" when both proofs are there. */
export async function decideDocument(parts: Parts, call: DecideCall, decision: Decision) {
  const clientDueAt = await workDueAt(parts, 'client', call.now)
  return namingDecider(parts, documentLife.name, decision.documentId, () =>
    transaction(parts.pool, async (tx) => {
      const found = await documentById(tx, decision.documentId)
      const client = found && (await lockedStanding(tx, found.client_id))
      if (!found || !client) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), client.email)
      if (decision.verb === 'approve') await refuseUnscanned(tx, found)
      const after = await move(tx, call, found, decision)
      await markApprovals(tx, client, found, decision, call.now)
      await keepInbox(tx, client, call.now, clientDueAt)
      const approved = decision.verb === 'approve'
      await tellClient(
        tx,
        {
          kind: approved ? 'document-approved' : 'document-rejected',
          client,
          facts: { document: found.kind, ...(approved ? {} : refusalFacts(found, decision)) },
          link: portalPaths.document(found.kind),
          subject: documentLife.name,
          record: found.id,
        },
        call.now,
      )
      return decidedAnswer(tx, call, 'document', client.id, after)
    }),
  )
}

/** Of a document with two sides the client reads which one is wanted again. */
function refusalFacts({ kind }: DocumentRow, { reason, side }: Decision): Readonly<Record<string, string>> {
  return side !== undefined && hasBack(kind) ? { reason, side } : { reason }
}

async function refuseUnscanned(tx: Transaction, document: DocumentRow): Promise<void> {
  const unscanned = await run(
    tx,
    sql`select 1 from files where id in (${document.front_file}::uuid, ${document.back_file}::uuid) and state <> 'clean'`,
  )
  if (unscanned > 0) throw new Problem('file-not-scanned')
}

async function move(tx: Transaction, call: DecideCall, document: DocumentRow, decision: Decision) {
  const { verb, reason, side, version } = decision
  if (side === 'back' && !hasBack(document.kind)) throw new Problem('invalid', { field: 'side' })
  const approved = verb === 'approve'
  return advance(tx, documentLife, call.act, {
    id: document.id,
    verb,
    version,
    clientId: document.client_id,
    ...(reason === '' ? {} : { reason }),
    set: {
      reason: approved ? null : reason,
      reasons: approved || side === undefined ? null : JSON.stringify({ [side]: reason }),
      decided_at: call.now,
      decided_by: staffOf(call).staffId,
    },
    details: { kind: document.kind, ...(side === undefined ? {} : { side }) },
  })
}

/** The two approvals of a client. */
async function markApprovals(
  tx: Transaction,
  client: Standing,
  document: DocumentRow,
  decision: Decision,
  now: Date,
): Promise<void> {
  const group = groupOf(document.kind)
  if (decision.verb === 'approve') {
    if (group === 'proof_of_identity') {
      await run(
        tx,
        sql`update clients set identity_approved_at = coalesce(identity_approved_at, ${now}) where id = ${client.id}`,
      )
    }
    if (group === 'proof_of_address') {
      await run(
        tx,
        sql`update clients set address_approved_at = coalesce(address_approved_at, ${now}) where id = ${client.id}`,
      )
    }
    return
  }
  await keepApprovals(tx, client, now)
}

/** The case leaves the inbox when nothing of it waits; the client enters it when both proofs are approved. */
async function keepInbox(tx: Transaction, client: Standing, now: Date, clientDueAt: Date): Promise<void> {
  const documents = await documentsOf(tx, client.id)
  const waiting = documents.filter(({ state }) => state === 'pending_approval')
  const item = await itemOf(tx, 'document', client.id, now)
  if (waiting.length === 0) await closeWork(tx, 'document', client.id, now)
  else {
    const summary = { kinds: waiting.map(({ kind }) => kind).join(', '), count: waiting.length }
    await openWork(
      tx,
      'document',
      client.id,
      { state: 'pending_approval', dueAt: item?.dueAt ?? now, clientId: client.id, summary },
      now,
    )
  }
  if (client.state !== 'pending' || !areBothApproved(documents)) return
  const approving = await itemOf(tx, 'client', client.id, now)
  const dueAt = approving?.dueAt ?? clientDueAt
  await openWork(tx, 'client', client.id, { state: 'pending', dueAt, clientId: client.id, summary: {} }, now)
}
