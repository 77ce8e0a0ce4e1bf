/** After a restore: what the backup holds for not sent may have been sent since (fault K25). */
import { record } from '../db/events.ts'
import { run, sql } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import { actOf, type Ground } from './ground.ts'

/** Has every waiting operation asked about first; what the outside does not know is a person's to send. Answers how many. */
export async function askFirst(ground: Pick<Ground, 'jobs' | 'now'>): Promise<number> {
  return transaction(ground.jobs, async (tx) => {
    const count = await run(tx, sql`update operations set ask_first = true where state = 'waiting' and not ask_first`)
    await record(tx, actOf(ground), { kind: 'operation', verb: 'restored', reason: 'operator', details: { count } })
    return count
  })
}
