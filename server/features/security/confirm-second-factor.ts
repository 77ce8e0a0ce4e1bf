import type { confirmSecondFactor as endpoint } from '#contract/security.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Parts } from '../../dependencies.ts'
import { clearTries, countTry } from '../../auth/verify-password.ts'
import { timeOf } from '../../auth/times.ts'
import { newRecoveryCodes, stepOfCode, useStep, type FactorOwner } from '../../auth/totp.ts'
import { holdFactor } from './queries.ts'

/** Turns the second factor on by a first code, ends the other sessions, and answers the recovery codes, once. */
export async function confirmSecondFactor(
  parts: Parts,
  call: Call<typeof endpoint>,
): Promise<{ recoveryCodes: string[] }> {
  const { clientId, sessionId } = clientOf(call)
  const { now, device, address } = call
  const owner: FactorOwner = { table: 'clients', id: clientId }
  await countTry(parts.pool, clientId, 'code', now)
  const recoveryCodes = await transaction(parts.pool, async (tx) => {
    const { secret, confirmed, email: to, language } = await holdFactor(tx, clientId)
    if (confirmed) throw new Problem('factor-on')
    if (secret === null) throw new Problem('factor-not-started')
    const step = stepOfCode(parts.keys, owner, secret, call.body.code, now)
    if (step === null || !(await useStep(tx, owner, step))) throw new Problem('code-wrong')
    await run(tx, sql`update clients set factor_confirmed_at = ${now}, version = version + 1 where id = ${clientId}`)
    await endSessionsOf(tx, { clientId }, now, sessionId)
    await record(tx, call.act, { kind: 'client', verb: 'turnFactorOn', record: clientId, clientId })
    await sendMail(
      tx,
      { kind: 'second-factor-on', to, language, facts: { at: timeOf(now), device, address }, clientId },
      now,
    )
    return newRecoveryCodes(tx, owner)
  })
  await clearTries(parts.pool, clientId, 'code')
  return { recoveryCodes }
}
