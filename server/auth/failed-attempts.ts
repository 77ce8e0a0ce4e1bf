/**
 * Records failed login attempts as events of the person concerned. Of each kind, the first in an hour is recorded, then
 * the tenth, the hundredth and so on, so that many attempts cannot fill the log (ADR 74). Several wrong codes are also
 * reported by email, once an hour, because the password was correct (ASVS 6.3.5).
 */
import type { Language } from '#rules/choices.ts'
import { ticketTriesMax } from '#rules/constants.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { transaction } from '../db/sql.ts'
import { incrementCount, perHour } from '../http/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'
import { sendMail, unixSeconds } from '../mail/send-mail.ts'

/** A wrong password at the sign-in, a wrong code at the sign-in, a wrong proof within a session. */
type FailedAttempt = 'logInFailed' | 'codeRefused' | 'proofFailed'

type Person = { readonly kind: 'client'; readonly id: ClientId } | { readonly kind: 'staff'; readonly id: StaffId }
/** Who entered the correct password, and where an email goes. */
type SigningInPerson = Person & { readonly email: string; readonly language: Language }

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
  action: Exclude<FailedAttempt, 'codeRefused'>,
): void {
  recordInParallel(dependencies, trying, insertAttempt(dependencies, trying, person, action))
}

/** Records a wrong code the same way, and reports several of them by email. */
export function recordWrongCode(
  dependencies: Pick<Dependencies, 'pool' | 'log'>,
  trying: AttemptContext & { readonly address: string },
  person: SigningInPerson,
): void {
  recordInParallel(dependencies, trying, insertWrongCode(dependencies, trying, person))
}

function recordInParallel(
  { log }: Pick<Dependencies, 'log'>,
  { auditContext }: AttemptContext,
  recording: Promise<unknown>,
): void {
  recording.catch((error: unknown) => {
    log.warn({ reference: auditContext.reference, err: error }, 'failed attempt not recorded')
  })
}

async function insertWrongCode(
  dependencies: Pick<Dependencies, 'pool'>,
  trying: AttemptContext & { readonly address: string },
  person: SigningInPerson,
): Promise<void> {
  if ((await insertAttempt(dependencies, trying, person, 'codeRefused')) !== ticketTriesMax) return
  const { device, address } = trying
  const { now } = trying.auditContext
  const { email: to, language } = person
  const facts = { at: unixSeconds(now), device, address }
  const clientId = person.kind === 'client' ? person.id : undefined
  const kind = person.kind === 'client' ? 'wrong-codes' : 'staff-wrong-codes'
  await transaction(dependencies.pool, (tx) => sendMail(tx, now, { kind, to, language, facts, clientId }))
}

/** Returns how many attempts of the kind there were in the hour. */
async function insertAttempt(
  { pool }: Pick<Dependencies, 'pool'>,
  { auditContext, device }: AttemptContext,
  person: Person,
  action: FailedAttempt,
): Promise<number> {
  const { kind, id } = person
  const tries = await incrementCount(pool, perHour(`noted-${action}`, `${kind} ${id}`), auditContext.now)
  if (!isNotifiedAttempt(tries.count)) return tries.count
  await transaction(pool, (tx) =>
    recordEvent(tx, auditContext, {
      kind,
      action,
      record: id,
      ...(person.kind === 'client' ? { clientId: person.id } : {}),
      details: { device, count: tries.count },
    }),
  )
  return tries.count
}

/** Returns whether this attempt is notified: the 1st, 10th, 100th and so on. */
export function isNotifiedAttempt(tries: number): boolean {
  return /^10*$/.test(String(tries))
}
