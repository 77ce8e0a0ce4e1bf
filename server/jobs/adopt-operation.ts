/**
 * Adoption: an operation is settled with the deal that its integration already shows. Nothing is sent (requirements
 * 20.13).
 */
import type { AuditContext } from '../db/events.ts'
import { row, run, type Transaction } from '../db/sql.ts'
import { closeWorkItem } from '../db/work-items.ts'
import { operationColumns, type Operation, type OperationKind } from './operation.ts'

/** `settled-before`: another server settled it meanwhile. `being-sent`: a server holds it; the next run tries again. */
type Adoption = 'adopted' | 'settled-before' | 'being-sent'

type Adopted = Operation & { readonly leaseUntil: Date | null }

/** Settles an operation with the integration's data under its reference, in the caller's transaction. */
export async function adoptOperation(
  tx: Transaction,
  kinds: readonly OperationKind[],
  id: string,
  result: unknown,
  auditContext: AuditContext,
): Promise<Adoption> {
  const found = await row<Adopted>(tx)`
    select ${operationColumns}, lease_until as "leaseUntil" from operations o where id = ${id} for update`
  if (!found || found.state === 'done' || found.state === 'refused') return 'settled-before'
  if (found.state === 'sending' && found.leaseUntil !== null && found.leaseUntil > auditContext.now) return 'being-sent'
  const kind = kinds.find((one) => one.kind === found.kind)
  if (!kind) throw new Error(`nothing knows how to settle ${found.kind}`)
  await run(tx)`
    update operations set state = 'done', settled_at = ${auditContext.now}, lease = null, lease_until = null,
        next_try_at = null, parked_at = null, last_error = null,
        result = ${JSON.stringify({ done: result })}::text::jsonb
      where id = ${id}`
  await closeWorkItem(tx, 'operation', id, auditContext)
  await kind.settled(tx, { ...found, tries: 1 }, { done: result }, { ...auditContext, reference: found.ref })
  return 'adopted'
}
