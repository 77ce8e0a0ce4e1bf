import type { disableSecondFactor as endpoint } from '#contract/security.ts'
import { transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearStepUpAttempts, countStepUpAttempt, verifyPassword } from '../../auth/verify-password.ts'
import { verifyFactorCode } from '../../auth/second-factor.ts'
import { removeFactor, type FactorOwner } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'
import { recordFactorChange } from './record-factor-change.ts'

/** Turns off 2FA with the password and a code or recovery code. Ends the other sessions. */
export const disableSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { now } = context
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await verifyPassword(dependencies, clientId, context.body.password, now)
  await countStepUpAttempt(dependencies.pool, clientId, 'code', now)
  await transaction(dependencies.pool, async (tx) => {
    const factor = await lockFactor(tx, clientId)
    if (!factor.confirmed) throw new Problem('factor-off')
    if (!(await verifyFactorCode(tx, dependencies, owner, factor.secret, context.body.code, now)))
      throw new Problem('code-wrong')
    await removeFactor(tx, clientId)
    await recordFactorChange(tx, context, { action: 'turnFactorOff', kind: 'second-factor-off' }, factor)
  })
  await clearStepUpAttempts(dependencies.pool, clientId, 'code')
  return {}
}
