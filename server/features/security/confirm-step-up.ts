/** Confirms the client's identity again: by a code if 2FA is on, else by the password. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { confirmStepUp as endpoint, getStepUpStatus } from '#contract/step-up.ts'
import { recordClientEvent } from '../../db/events.ts'
import { transaction, type Transaction } from '../../db/sql.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { stepUpStatus, storeBoundStepUp } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { recordStepUp } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { clearStepUpAttempts, countStepUpAttempt, verifyPassword } from '../../auth/verify-password.ts'
import { verifyFactorCode } from '../../auth/second-factor.ts'
import { lockFactor } from './queries.ts'

type EndpointContext = RequestContext<typeof endpoint>

/** Returns whether calls that change money or access will require a confirmation. */
export const showStepUpStatus: Handler<typeof getStepUpStatus> = async (dependencies, context) => {
  const client = requireClient(context)
  return stepUpStatus(dependencies, client, client.provedAt)
}

/**
 * Confirms the identity. Wrong attempts count together with all other attempts of their kind by this person; they do
 * not end the session.
 */
export async function confirmStepUp(
  dependencies: Dependencies,
  context: EndpointContext,
): Promise<ResponseOf<typeof endpoint>> {
  const client = requireClient(context)
  const { clientId, sessionId } = client
  const { by } = await stepUpStatus(dependencies, client, null)
  const { callHash } = context.body
  const { proofMinutes } = await dependencies.settings.get('security')
  const endsAt = new Date(context.now.getTime() + proofMinutes * 60_000)
  let proof: string | undefined
  const keep = async (tx: Transaction) => {
    if (callHash === undefined) await recordStepUp(tx, sessionId, context.now)
    else proof = await storeBoundStepUp(tx, { sessionId, callHash, endsAt })
    await recordClientEvent(tx, context.auditContext, clientId, { action: 'proveAgain', details: { by } })
  }
  try {
    if (by === 'code') await confirmByCode(dependencies, context, keep)
    else await confirmByPassword(dependencies, context, keep)
  } catch (thrown) {
    if (thrown instanceof Problem && (thrown.code === 'code-wrong' || thrown.code === 'password-incorrect'))
      recordFailedAttempt(dependencies, context, { kind: 'client', id: clientId }, 'proofFailed')
    throw thrown
  }
  if (proof === undefined) return stepUpStatus(dependencies, client, context.now)
  return { ...(await stepUpStatus(dependencies, client, client.provedAt)), proof }
}

async function confirmByPassword(
  dependencies: Dependencies,
  context: EndpointContext,
  keep: (tx: Transaction) => Promise<void>,
) {
  const { password } = context.body
  if (password === undefined) throw new Problem('required', { field: 'password' })
  await verifyPassword(dependencies, requireClient(context).clientId, password, context.now)
  await transaction(dependencies.pool, keep)
}

/** Consumes the code and stores the confirmation in one transaction. A code is valid once. */
async function confirmByCode(
  dependencies: Dependencies,
  context: EndpointContext,
  keep: (tx: Transaction) => Promise<void>,
) {
  const { clientId } = requireClient(context)
  const { code } = context.body
  if (code === undefined) throw new Problem('required', { field: 'code' })
  await countStepUpAttempt(dependencies.pool, clientId, 'code', context.now)
  await transaction(dependencies.pool, async (tx) => {
    const { secret } = await lockFactor(tx, clientId)
    if (!(await verifyFactorCode(tx, dependencies, { table: 'clients', id: clientId }, secret, code, context.now)))
      throw new Problem('code-wrong')
    await keep(tx)
  })
  await clearStepUpAttempts(dependencies.pool, clientId, 'code')
}
