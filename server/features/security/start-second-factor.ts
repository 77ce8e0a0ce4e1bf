import type { startSecondFactor as endpoint } from '#contract/security.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { provePassword } from '../../auth/verify-password.ts'
import { newFactor } from '../../auth/totp.ts'
import { holdFactor } from './queries.ts'

/** A new secret for the app, kept sealed; it opens nothing until a code of it is confirmed. */
export async function startSecondFactor(
  parts: Parts,
  call: Call<typeof endpoint>,
): Promise<{ secret: string; uri: string }> {
  const { clientId } = clientOf(call)
  await provePassword(parts, clientId, call.body.password, call.now)
  const { name: issuer } = await parts.settings.get('firm')
  return transaction(parts.pool, async (tx) => {
    const factor = await holdFactor(tx, clientId)
    if (factor.confirmed) throw new Problem('factor-on')
    const { sealed, secret, uri } = newFactor(parts.keys, { table: 'clients', id: clientId }, factor.email, issuer)
    await run(tx, sql`update clients set factor_secret = ${sealed}, factor_last_step = 0 where id = ${clientId}`)
    return { secret, uri }
  })
}
