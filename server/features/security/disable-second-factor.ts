import type { disableSecondFactor as endpoint } from '#contract/security.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clearTries, countTry, verifyPassword } from '../../auth/verify-password.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { timeOf } from '../../auth/times.ts'
import { dropRecoveryCodes, type FactorOwner } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'

/** Turns off 2FA with the password and a code or recovery code. Ends the other sessions. */
export const disableSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId } = requireClient(context)
  const { now, device, address } = context
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await verifyPassword(dependencies, clientId, context.body.password, now)
  await countTry(dependencies.pool, clientId, 'code', now)
  await transaction(dependencies.pool, async (tx) => {
    const { secret, confirmed, email: to, language } = await lockFactor(tx, clientId)
    if (!confirmed) throw new Problem('factor-off')
    if (!(await checkCode(tx, dependencies, owner, secret, context.body.code, now))) throw new Problem('code-wrong')
    await run(tx)`
      update clients set factor_secret = null, factor_confirmed_at = null, version = version + 1 where id = ${clientId}`
    await dropRecoveryCodes(tx, owner)
    await endSessionsOf(tx, { clientId }, now, sessionId)
    await recordEvent(tx, context.auditContext, { kind: 'client', action: 'turnFactorOff', record: clientId, clientId })
    await sendMail(tx, now, {
      kind: 'second-factor-off',
      to,
      language,
      facts: { at: timeOf(now), device, address },
      clientId,
    })
  })
  await clearTries(dependencies.pool, clientId, 'code')
  return {}
}
