import type { disableSecondFactor as endpoint } from '#contract/security.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Parts } from '../../dependencies.ts'
import { clearTries, countTry, provePassword } from '../../auth/verify-password.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { timeOf } from '../../auth/times.ts'
import { dropRecoveryCodes, type FactorOwner } from '../../auth/totp.ts'
import { holdFactor } from './queries.ts'

/** Turns the second factor off: password and a code, or a recovery code. The other sessions end. */
export async function disableSecondFactor(parts: Parts, call: Call<typeof endpoint>): Promise<Record<string, never>> {
  const { clientId, sessionId } = clientOf(call)
  const { now, device, address } = call
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await provePassword(parts, clientId, call.body.password, now)
  await countTry(parts.pool, clientId, 'code', now)
  await transaction(parts.pool, async (tx) => {
    const { secret, confirmed, email: to, language } = await holdFactor(tx, clientId)
    if (!confirmed) throw new Problem('factor-off')
    if (!(await checkCode(tx, parts, owner, secret, call.body.code, now))) throw new Problem('code-wrong')
    await run(
      tx,
      sql`update clients set factor_secret = null, factor_confirmed_at = null, version = version + 1 where id = ${clientId}`,
    )
    await dropRecoveryCodes(tx, owner)
    await endSessionsOf(tx, { clientId }, now, sessionId)
    await record(tx, call.act, { kind: 'client', verb: 'turnFactorOff', record: clientId, clientId })
    await sendMail(
      tx,
      { kind: 'second-factor-off', to, language, facts: { at: timeOf(now), device, address }, clientId },
      now,
    )
  })
  await clearTries(parts.pool, clientId, 'code')
  return {}
}
