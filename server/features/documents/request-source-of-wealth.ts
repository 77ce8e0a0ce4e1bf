/** Requests a proof of the source of wealth from a client: its slot opens (requirements 6.1). */
import { portalPaths } from '#contract/portal-paths.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, sql, transaction } from '../../db/sql.ts'
import { type RequestContext, requireStaff } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'

/** Throws `wealth-asked` if it was requested already. */
export async function requestSourceOfWealth(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
  clientId: ClientId,
  reason: string,
): Promise<void> {
  await transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<{ asked: boolean }>(
      tx,
      clientId,
      sql`, source_of_wealth_asked_at is not null as asked`,
    )
    assertNotOwnRequest(requireStaff(context), client.email)
    if (client.asked) throw new Problem('wealth-asked')
    await run(tx)`update clients set source_of_wealth_asked_at = ${context.now} where id = ${client.id}`
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'askSourceOfWealth', reason })
    await notifyClient(tx, context.now, {
      kind: 'document-asked',
      client,
      facts: { document: 'source_of_wealth', reason },
      link: portalPaths.document('source_of_wealth'),
      subject: 'client',
      record: client.id,
    })
  })
}
