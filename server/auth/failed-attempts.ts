/**
 * Records failed login attempts as events of the person concerned. Of each kind, the first in an hour is recorded, then
 * the tenth, the hundredth and so on, so that many attempts cannot fill the log (ADR 74).
 */
import type { ClientId, StaffId } from '#rules/ids.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { transaction } from '../db/sql.ts'
import { incrementCount, perHour } from '../http/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'

/** A wrong password at the sign-in, a wrong code at the sign-in, a wrong proof within a session. */
type FailedAttempt = 'logInFailed' | 'codeRefused' | 'proofFailed'

type Person = { readonly kind: 'client'; readonly id: ClientId } | { readonly kind: 'staff'; readonly id: StaffId }

interface AttemptContext {
  readonly auditContext: AuditContext
  readonly device: string
}

/**
 * Records a failed attempt in parallel with the response, never before it: the response must take the same time whether
 * or not the person exists.
 */
export function recordFailedAttempt(
  dependencies: Pick<Dependencies, 'pool' | 'log'>,
  trying: AttemptContext,
  person: Person,
  action: FailedAttempt,
): void {
  insertAttempt(dependencies, trying, person, action).catch((error: unknown) => {
    dependencies.log.warn({ reference: trying.auditContext.reference, err: error }, 'failed attempt not recorded')
  })
}

async function insertAttempt(
  { pool }: Pick<Dependencies, 'pool'>,
  { auditContext, device }: AttemptContext,
  person: Person,
  action: FailedAttempt,
): Promise<void> {
  const { kind, id } = person
  const tries = await incrementCount(pool, perHour(`noted-${action}`, `${kind} ${id}`), auditContext.now)
  if (!isNotifiedAttempt(tries.count)) return
  await transaction(pool, (tx) =>
    recordEvent(tx, auditContext, {
      kind,
      action,
      record: id,
      ...(person.kind === 'client' ? { clientId: person.id } : {}),
      details: { device, count: tries.count },
    }),
  )
}

/** Returns whether this attempt is notified: the 1st, 10th, 100th and so on. */
export function isNotifiedAttempt(tries: number): boolean {
  return /^10*$/.test(String(tries))
}
