/**
 * Requires the password or a code again before money and access change, if the last proof is too old: a session that
 * was left open, or stolen, is not enough (ASVS 7.5).
 */
import { isStepUpFresh, stepUpEnds, type StepUpMethod } from '#rules/step-up.ts'
import { row, type Connection } from '../db/sql.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestContext } from './handler.ts'
import { Problem } from './problem.ts'
import type { ClientCaller, StaffCaller } from './sessions.ts'

interface StepUpDependencies {
  readonly pool: Connection
  readonly settings: Settings
}

/** Throws `prove-again`, with the required method, if the caller's last proof is too old. */
export async function requireStepUp(
  dependencies: StepUpDependencies,
  { caller, now }: Pick<RequestContext, 'caller' | 'now'>,
): Promise<void> {
  if (caller.kind !== 'client' && caller.kind !== 'staff') throw new Problem('not-signed-in')
  const { proofMinutes } = await dependencies.settings.get('security')
  if (isStepUpFresh(caller.provedAt, proofMinutes, now)) return
  throw new Problem('prove-again', { values: { by: await stepUpMethodOf(dependencies.pool, caller) } })
}

/** Returns the caller's method of proof, and until when the last proof is valid. */
export async function stepUpStatus(
  dependencies: StepUpDependencies,
  caller: ClientCaller | StaffCaller,
  provedAt: Date | null,
): Promise<{ by: StepUpMethod; until: Date | null }> {
  const { proofMinutes } = await dependencies.settings.get('security')
  return { by: await stepUpMethodOf(dependencies.pool, caller), until: stepUpEnds(provedAt, proofMinutes) }
}

/** Returns how a person confirms their identity. Staff always have a second factor. */
export async function stepUpMethodOf(
  connection: Connection,
  caller: ClientCaller | StaffCaller,
): Promise<StepUpMethod> {
  if (caller.kind === 'staff') return 'code'
  const found = await row<{ secondFactor: boolean }>(connection)`
    select factor_confirmed_at is not null as "secondFactor" from clients where id = ${caller.clientId}`
  return found?.secondFactor ? 'code' : 'password'
}
