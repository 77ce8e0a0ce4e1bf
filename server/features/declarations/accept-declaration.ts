/** Accepts the current version of the Client Assets Declaration (requirements 14.5). */
import { run, transaction } from '../../db/sql.ts'
import { recordClientEvent } from '../../db/events.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { acceptDeclarations } from '#contract/declarations.ts'
import { writeConsent } from '../../auth/consents.ts'
import { signUserToken } from '../../auth/user.ts'

/** Writes consent and event, and returns a token that contains it. Repeating it changes nothing. */
export const acceptDeclaration: Handler<typeof acceptDeclarations> = async (dependencies, context) => {
  const { clientId, sessionId } = requireClient(context)
  const { clientAssetsDeclaration } = await dependencies.settings.get('legalTexts')
  const { version } = clientAssetsDeclaration
  if (context.body.version !== version) throw new Problem('text-replaced', { values: { version } })
  return transaction(dependencies.pool, async (tx) => {
    const changed = await run(tx)`update clients set declaration_version = ${version}, version = version + 1
        where id = ${clientId} and declaration_version is distinct from ${version}`
    if (changed === 1) {
      await writeConsent(
        tx,
        { clientId, textKey: 'clientAssetsDeclaration', version, address: context.address },
        context.now,
      )
      await recordClientEvent(tx, context.auditContext, clientId, { action: 'acceptDeclaration', details: { version } })
    }
    return { token: await signUserToken(dependencies, tx, { clientId, sessionId }, context.now) }
  })
}
