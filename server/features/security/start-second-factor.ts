import type { startSecondFactor as endpoint } from '#contract/security.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { verifyPassword } from '../../auth/verify-password.ts'
import { createTotpSecret } from '../../auth/totp.ts'
import { lockFactor } from './queries.ts'

/**
 * Creates a new secret for the authenticator app, stored encrypted; it is not valid until a code of it is confirmed.
 */
export const startSecondFactor: Handler<typeof endpoint> = async (dependencies, context) => {
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
