/**
 * Informs a browser waiting at step 1.3, once and with a client's token, that the address was confirmed elsewhere
 * (requirements 3).
 */
import { run, transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { endSession, type SignedInClientId, type RegisteringCaller } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { signInClient } from '../../auth/client-sessions.ts'
import { clientById } from '../sessions/queries.ts'
import type { Registration } from './queries.ts'

/** Returns the client's token for the first caller and ends its registration token; null for later ones. */
export async function notifyConfirmed(
  dependencies: Dependencies,
  context: RequestContext,
  caller: RegisteringCaller,
  registration: Registration,
): Promise<{ clientId: SignedInClientId; token: string } | null> {
  const { clientId } = registration
  if (!registration.confirmedAt || registration.toldAt || clientId === null) return null
  return transaction(dependencies.pool, async (tx) => {
    const updated = await run(tx)`
      update registrations set told_at = ${context.now} where id = ${registration.id} and told_at is null`
    const client = await clientById(tx, clientId)
    // The token must not bypass a second factor that was turned on, or a password that was changed, since then.
    const isTheirs = client?.passwordHash === registration.passwordHash
    if (updated === 0 || !client || client.secondFactor || !isTheirs) return null
    await endSession(tx, caller.sessionId, context.now)
    return { clientId, token: await signInClient(tx, dependencies, client, context, 'logInConfirmedElsewhere') }
  })
}
