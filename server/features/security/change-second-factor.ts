/** A client turns two-factor authentication on and off. */
import type * as contract from '#contract/security.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { verifyPassword, clearTries, countTry } from '../../auth/verify-password.ts'
import {
  createTotpSecret,
  newRecoveryCodes,
  stepOfCode,
  consumeTotpStep,
  type FactorOwner,
  dropRecoveryCodes,
} from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'
import { recordEvent } from '../../db/events.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { timeOf } from '../../auth/times.ts'
import { checkCode } from '../../auth/second-factor.ts'

/**
 * Creates a new secret for the authenticator app, stored encrypted; it is not valid until a code of it is confirmed.
 */
export const startSecondFactor: Handler<typeof contract.startSecondFactor> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await verifyPassword(dependencies, clientId, context.body.password, context.now)
  const { name: issuer } = await dependencies.settings.get('firm')
  return transaction(dependencies.pool, async (tx) => {
    const factor = await lockFactor(tx, clientId)
    if (factor.confirmed) throw new Problem('factor-on')
    const { sealed, secret, uri } = createTotpSecret(
      dependencies.keys,
      { table: 'clients', id: clientId },
      factor.email,
      issuer,
    )
    await run(tx)`update clients set factor_secret = ${sealed}, factor_last_step = 0 where id = ${clientId}`
    return { secret, uri }
  })
}

/** Turns on 2FA by a first code, ends the other sessions, and returns the recovery codes once. */
export const confirmSecondFactor: Handler<typeof contract.confirmSecondFactor> = async (dependencies, context) => {
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

/** Turns off 2FA with the password and a code or recovery code. Ends the other sessions. */
export const disableSecondFactor: Handler<typeof contract.disableSecondFactor> = async (dependencies, context) => {
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
