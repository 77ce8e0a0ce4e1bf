/** Settles an operation with what recovery knows of it. Nothing is sent (requirements 20.13, 24.141). */
import type { AuditContext } from '../db/events.ts'
import { row, rows, run, type Transaction } from '../db/sql.ts'
import { closeWorkItem } from '../db/work-items.ts'
import { endDisprovedLeg } from './cancel-unsent.ts'
import { operationColumns, type Operation, type OperationKind, type Outcome } from './operation.ts'

/** `settled-before`: another server settled it meanwhile. `being-sent`: a server holds it; the next run tries again. */
type Settlement = 'settled' | 'settled-before' | 'being-sent'

type Unsettled = Operation & { readonly leaseUntil: Date | null }

/**
 * Settles an operation in the caller's transaction: with the deal that its integration shows under its reference, or as
 * rejected, if that deal is reversed.
 */
export async function settleInRecovery(
  tx: Transaction,
  kinds: readonly OperationKind[],
  id: string,
  outcome: Outcome,
  auditContext: AuditContext,
): Promise<Settlement> {
  const found = await row<Unsettled>(tx)`
    select ${operationColumns}, lease_until as "leaseUntil" from operations o where id = ${id} for update`
  if (!found || found.state === 'done' || found.state === 'refused') return 'settled-before'
  if (found.state === 'sending' && found.leaseUntil !== null && found.leaseUntil > auditContext.now) return 'being-sent'
  if ('done' in outcome && (await isOtherAttemptSending(tx, found, auditContext.now))) return 'being-sent'
  const kind = kinds.find((one) => one.kind === found.kind)
  if (!kind) throw new Error(`no handler settles operations of kind ${found.kind}`)
  await run(tx)`
    update operations set state = ${'done' in outcome ? 'done' : 'refused'}, settled_at = ${auditContext.now}, lease = null, lease_until = null,
        next_try_at = null, parked_at = null, last_error = null,
        result = ${JSON.stringify(outcome)}::text::jsonb
      where id = ${id}`
  await closeWorkItem(tx, 'operation', id, auditContext)
  await kind.settled(tx, { ...found, tries: 1 }, outcome, { ...auditContext, reference: found.ref })
  if ('done' in outcome) await endOtherAttempts(tx, found, auditContext)
  return 'settled'
}

/** Locks the other generations of an operation's leg, and returns whether a server is sending one of them. */
async function isOtherAttemptSending(tx: Transaction, operation: Operation, now: Date): Promise<boolean> {
  const others = await otherAttempts(tx, operation)
  return others.some(({ state, leaseUntil }) => state === 'sending' && leaseUntil !== null && leaseUntil > now)
}

/** Ends the other generations of a leg that its deal shows as executed: they must not be sent, nor be sent again. */
async function endOtherAttempts(tx: Transaction, operation: Operation, auditContext: AuditContext): Promise<void> {
  const { record, ref, payload } = operation
  const others = await otherAttempts(tx, operation)
  if (others.length === 0 || record === null) return
  const { leg } = payload as { leg: string }
  await endDisprovedLeg(tx, record, { leg, proof: ref }, auditContext.now)
  for (const { id } of others) await closeWorkItem(tx, 'operation', id, auditContext)
}

function otherAttempts(tx: Transaction, { kind, record, ref, payload }: Operation) {
  const { leg } = payload as { leg?: string }
  return rows<{ id: string; state: string; leaseUntil: Date | null }>(tx)`
    select id, state, lease_until as "leaseUntil" from operations
      where kind = 'balance' and ${kind} = 'balance' and record = ${record} and payload ->> 'leg' = ${leg ?? null} and ref <> ${ref}
      order by id for update`
}
