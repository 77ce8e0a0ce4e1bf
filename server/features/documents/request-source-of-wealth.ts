/** Asks a client for a proof of the source of wealth: its slot opens (product-decisions section 10). */
import { portalPaths } from '#contract/portal-paths.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { staffOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { clientForDeed } from '../../office/client-for-action.ts'

/** Throws `wealth-asked` where it was asked for already. */
export async function askSourceOfWealth(
  parts: Parts,
  call: Pick<Call, 'caller' | 'act' | 'now'>,
  clientId: string,
  reason: string,
): Promise<void> {
  await transaction(parts.pool, async (tx) => {
    const client = await clientForDeed<{ asked: boolean }>(
      tx,
      clientId,
      sql`, source_of_wealth_asked_at is not null as asked`,
    )
    refuseOwnRequest(staffOf(call), client.email)
    if (client.asked) throw new Problem('wealth-asked')
    await run(tx, sql`update clients set source_of_wealth_asked_at = ${call.now} where id = ${client.id}`)
    await record(tx, call.act, {
      kind: 'client',
      verb: 'askSourceOfWealth',
      record: client.id,
      clientId: client.id,
      reason,
    })
    await tellClient(
      tx,
      {
        kind: 'document-asked',
        client,
        facts: { document: 'source_of_wealth', reason },
        link: portalPaths.document('source_of_wealth'),
        subject: 'client',
        record: client.id,
      },
      call.now,
    )
  })
}
