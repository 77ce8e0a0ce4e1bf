import type { confirmSecondFactor as endpoint } from '#contract/security.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearStepUpAttempts, countStepUpAttempt } from '../../auth/verify-password.ts'
import { replaceRecoveryCodes, stepOfCode, consumeTotpStep, type FactorOwner } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'
import { recordFactorChange } from './record-factor-change.ts'

/** Turns on 2FA by a first code, ends the other sessions, and returns the recovery codes once. */
export const confirmSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { now } = context
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await countStepUpAttempt(dependencies.pool, clientId, 'code', now)
  const recoveryCodes = await transaction(dependencies.pool, async (tx) => {
    const factor = await lockFactor(tx, clientId)
    if (factor.confirmed) throw new Problem('factor-on')
    if (factor.secret === null) throw new Problem('factor-not-started')
    const step = stepOfCode(dependencies.keys, owner, factor.secret, context.body.code, now)
    if (step === null || !(await consumeTotpStep(tx, owner, step))) throw new Problem('code-wrong')
    await run(tx)`update clients set factor_confirmed_at = ${now}, version = version + 1 where id = ${clientId}`
    await recordFactorChange(tx, context, { action: 'turnFactorOn', kind: 'second-factor-on' }, factor)
    return replaceRecoveryCodes(tx, owner)
  })
  await clearStepUpAttempts(dependencies.pool, clientId, 'code')
  return { recoveryCodes }
}
