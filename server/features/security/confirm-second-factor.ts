import type { confirmSecondFactor as endpoint } from '#contract/security.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clearTries, countTry } from '../../auth/verify-password.ts'
import { timeOf } from '../../auth/times.ts'
import { newRecoveryCodes, stepOfCode, consumeTotpStep, type FactorOwner } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'

/** Turns on 2FA by a first code, ends the other sessions, and returns the recovery codes once. */
export const confirmSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId } = requireClient(context)
  const { now, device, address } = context
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await countTry(dependencies.pool, clientId, 'code', now)
  const recoveryCodes = await transaction(dependencies.pool, async (tx) => {
    const { secret, confirmed, email: to, language } = await lockFactor(tx, clientId)
    if (confirmed) throw new Problem('factor-on')
    if (secret === null) throw new Problem('factor-not-started')
    const step = stepOfCode(dependencies.keys, owner, secret, context.body.code, now)
    if (step === null || !(await consumeTotpStep(tx, owner, step))) throw new Problem('code-wrong')
    await run(tx)`update clients set factor_confirmed_at = ${now}, version = version + 1 where id = ${clientId}`
    await endSessionsOf(tx, { clientId }, now, sessionId)
    await recordEvent(tx, context.auditContext, { kind: 'client', action: 'turnFactorOn', record: clientId, clientId })
    await sendMail(tx, now, {
      kind: 'second-factor-on',
      to,
      language,
      facts: { at: timeOf(now), device, address },
      clientId,
    })
    return newRecoveryCodes(tx, owner)
  })
  await clearTries(dependencies.pool, clientId, 'code')
  return { recoveryCodes }
}
