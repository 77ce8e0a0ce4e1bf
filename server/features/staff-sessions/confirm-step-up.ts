/** A staff member proves again who he or she is, by a code: before the payout file. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { officeProveAgain as endpoint, officeShowProof } from '#contract/office/session.ts'
import { signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { proofOf } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { clear, limit } from '../../http/rate-limits.ts'
import { keepProof } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { noteFailedTry } from '../../auth/failed-attempts.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { lockedStaff } from './queries.ts'

/** Whether the payout file will ask first. */
export async function showOwnProof(
  parts: Parts,
  call: Call<typeof officeShowProof>,
): Promise<AnswerOf<typeof officeShowProof>> {
  const staff = staffOf(call)
  return proofOf(parts, staff, staff.provedAt)
}

/** Wrong codes count for themselves, so that no right password forgives them, and end nothing. */
export async function proveAgain(parts: Parts, call: Call<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  const staff = staffOf(call)
  const { staffId, sessionId } = staff
  const { code } = call.body
  if (code === undefined) throw new Problem('required', { field: 'code' })
  const tries = { name: 'office-prove-code', who: staffId, windowSeconds: signInFailureSeconds }
  await limit(parts.pool, tries, signInFailuresPerPair, call.now)
  const proved = await transaction(parts.pool, async (tx) => {
    const standing = await lockedStaff(tx, staffId)
    const owner = { table: 'staff', id: staffId } as const
    if (!(await checkCode(tx, parts, owner, standing?.factorSecret ?? null, code, call.now))) return false
    await keepProof(tx, sessionId, call.now)
    await record(tx, call.act, { kind: 'staff', verb: 'proveAgain', record: staffId })
    return true
  })
  if (!proved) {
    noteFailedTry(parts, call, { kind: 'staff', id: staffId }, 'proofFailed')
    throw new Problem('code-wrong')
  }
  await clear(parts.pool, tries)
  return proofOf(parts, staff, call.now)
}
