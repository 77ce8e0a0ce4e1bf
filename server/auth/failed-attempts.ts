/**
 * Failed tries at somebody's door, as events of that person. Of one kind in one hour the first is written, then the
 * tenth, the hundredth and so on: what a person must know stands in the log, and no storm of tries fills it (decision 74).
 */
import { record, type Act } from '../db/events.ts'
import { transaction } from '../db/transaction.ts'
import { count } from '../http/rate-limits.ts'
import type { Parts } from '../dependencies.ts'

const hourSeconds = 3600

/** A wrong password at the sign-in, a wrong code there, a wrong proof inside a session. */
export type FailedTry = 'logInFailed' | 'codeRefused' | 'proofFailed'

export type Person = { readonly kind: 'client' | 'staff'; readonly id: string }

export interface Trying {
  readonly act: Act
  readonly device: string
}

/**
 * Notes a failed try beside the answer, never before it: the answer must take the same time whether or not there is
 * such a person.
 */
export function noteFailedTry(
  parts: Pick<Parts, 'pool' | 'log'>,
  trying: Trying,
  person: Person,
  verb: FailedTry,
): void {
  note(parts, trying, person, verb).catch((error: unknown) => {
    parts.log.warn({ reference: trying.act.reference, err: error }, 'a failed try was not noted')
  })
}

async function note(
  { pool }: Pick<Parts, 'pool'>,
  { act, device }: Trying,
  { kind, id }: Person,
  verb: FailedTry,
): Promise<void> {
  const tries = await count(pool, { name: `noted-${verb}`, who: `${kind} ${id}`, windowSeconds: hourSeconds }, act.now)
  if (!isTold(tries.count)) return
  await transaction(pool, (tx) =>
    record(tx, act, {
      kind,
      verb,
      record: id,
      ...(kind === 'client' ? { clientId: id } : {}),
      details: { device, count: tries.count },
    }),
  )
}

/** 1, 10, 100 and so on. */
export function isTold(tries: number): boolean {
  return /^10*$/.test(String(tries))
}
