import type { confirmSecondFactor as endpoint } from '#contract/security.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearTries, countTry } from '../../auth/verify-password.ts'
import { newRecoveryCodes, stepOfCode, consumeTotpStep, type FactorOwner } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'
import { factorChanged } from './factor-changed.ts'

/** Turns on 2FA by a first code, ends the other sessions, and returns the recovery codes once. */
export const confirmSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { now } = context
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await countTry(dependencies.pool, clientId, 'code', now)
  const recoveryCodes = await transaction(dependencies.pool, async (tx) => {
    const factor = await lockFactor(tx, clientId)
    if (factor.confirmed) throw new Problem('factor-on')
    if (factor.secret === null) throw new Problem('factor-not-started')
    const step = stepOfCode(dependencies.keys, owner, factor.secret, context.body.code, now)
    if (step === null || !(await consumeTotpStep(tx, owner, step))) throw new Problem('code-wrong')
    await run(tx)`update clients set factor_confirmed_at = ${now}, version = version + 1 where id = ${clientId}`
    await factorChanged(tx, context, { action: 'turnFactorOn', kind: 'second-factor-on' }, factor)
    return newRecoveryCodes(tx, owner)
  })
  await clearTries(dependencies.pool, clientId, 'code')
  return { recoveryCodes }
}
