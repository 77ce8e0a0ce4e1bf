/** Accepts the Client Assets Declaration in the version in force: product-decisions section 11. */
import { run, sql } from '../../db/sql.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { acceptDeclarations } from '#contract/declarations.ts'
import type { Parts } from '../../dependencies.ts'
import { writeConsent } from '../../auth/consents.ts'
import { tokenFor } from '../../auth/user.ts'

/** Writes consent and event, and answers a token that says so. A second time changes nothing. */
export async function acceptDeclaration(
  parts: Parts,
  call: Call<typeof acceptDeclarations>,
): Promise<{ token: string }> {
  const { clientId, sessionId } = clientOf(call)
  const { clientAssetsDeclaration } = await parts.settings.get('legalTexts')
  const { version } = clientAssetsDeclaration
  if (call.body.version !== version) throw new Problem('text-replaced', { values: { version } })
  return transaction(parts.pool, async (tx) => {
    const changed = await run(
      tx,
      sql`update clients set declaration_version = ${version}, version = version + 1
          where id = ${clientId} and declaration_version is distinct from ${version}`,
    )
    if (changed === 1) {
      await writeConsent(tx, { clientId, textKey: 'clientAssetsDeclaration', version, address: call.address }, call.now)
      await record(tx, call.act, {
        kind: 'client',
        verb: 'acceptDeclaration',
        record: clientId,
        clientId,
        details: { version },
      })
    }
    return { token: await tokenFor(parts, tx, { clientId, sessionId }, call.now) }
  })
}
